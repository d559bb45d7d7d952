// Numbers as people read them.

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
export const whole = (value: number) => grouped.format(Math.round(value));

export const counted = (count: number, what: string) => `${whole(count)} ${what}${count === 1 ? '' : 's'}`;

export function short(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude < 10000) return whole(value);
  for (const [scale, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const)
    if (magnitude >= scale) {
      const scaled = value / scale;
      return scaled.toFixed(Math.abs(scaled) < 100 ? 1 : 0) + unit;
    }
  return whole(value);
}

export function time(cycles: number, clockMHz: number): string {
  if (!clockMHz) return '';
  const us = cycles / clockMHz;
  const magnitude = Math.abs(us);
  if (magnitude >= 1e6) return `${(us / 1e6).toPrecision(4)} s`;
  if (magnitude >= 1e3) return `${(us / 1e3).toPrecision(4)} ms`;
  if (magnitude >= 1) return `${us.toPrecision(4)} µs`;
  return `${(us * 1e3).toPrecision(3)} ns`;
}

export const percent = (share: number) => `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;

/// The least of 1, 2, 5 times a power of ten that isn't less.
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= least) return factor * power;
  return 10 * power;
}

export function node<K extends keyof HTMLElementTagNameMap>(tag: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
