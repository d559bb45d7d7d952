// Colours of the canvases. Categories are solid, causes of stalls are the background tinted with stripes of their own direction, so that
// neither hue nor brightness alone tells them apart. A column of one pixel has no stripes: fetch, barrier and full queues differ in
// brightness and hue for colour-blind eyes, too (tests/page holds them to it).

export type Mode = 'light' | 'dark';

export interface Colors {
  background: string; panel: string; row: string; line: string; text: string; dim: string; accent: string; found: string; related: string;
  category: string[]; stall: string[]; level: string[];
}

const light: Colors = {
  background: '#ffffff', panel: '#f4f5f7', row: '#f1f2f5', line: '#d6d9df', text: '#1b1f27', dim: '#646b78', accent: '#0b57d0', found: '#d4006a',
  related: '#b3261e',
  //         SALU       SMEM       VALU       MFMA       VMEM       FLAT       LDS        branch     internal
  category: ['#8591a3', '#0f97a6', '#3a78d8', '#7c46c6', '#e47a12', '#b98900', '#2c9a4f', '#c03a86', '#5d6675'],
  //      fetch      dependency waitcnt    barrier    sleep      queue full pipe busy  LDS busy   arbiter
  stall: ['#3f2c08', '#7fb0e6', '#dd4026', '#0b6e8f', '#a8afba', '#f2b200', '#8f69d4', '#3fae66', '#97974a'],
  level: ['#8591a3', '#2c9a4f', '#0f97a6', '#5aa7e8', '#3a78d8', '#e0a100', '#dd4026'],
};

const dark: Colors = {
  background: '#12151b', panel: '#1a1e26', row: '#1b2029', line: '#333b48', text: '#e6e9ef', dim: '#98a1b0', accent: '#7db1ff', found: '#ff6fb5',
  related: '#ff8a78',
  category: ['#8d99ad', '#2bb8c6', '#5b96f5', '#a077ea', '#f59336', '#d6ab2b', '#48ba6d', '#e064a9', '#a3acba'],
  stall: ['#d9c7a6', '#86b4ee', '#e8432a', '#1fa3c9', '#6d7686', '#ffc400', '#a586e0', '#50b877', '#a8a85c'],
  level: ['#8d99ad', '#48ba6d', '#2bb8c6', '#8cc4f5', '#5b96f5', '#e8b93a', '#ef5f45'],
};

export let mode: Mode = 'light';
export let colors: Colors = light;

const storageKey = 'inflight-theme';
const listeners: (() => void)[] = [];
export const onTheme = (listener: () => void) => { listeners.push(listener); };

function stored(): Mode | null {
  try {
    const value = localStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null; // Pages opened from disk may have no storage.
  }
}

function apply(next: Mode) {
  mode = next;
  colors = next === 'dark' ? dark : light;
  const root = document.documentElement;
  root.dataset.theme = next;
  colors.category.forEach((color, i) => root.style.setProperty(`--category-${i}`, color));
  colors.stall.forEach((color, i) => root.style.setProperty(`--stall-${i}`, color));
  colors.level.forEach((color, i) => root.style.setProperty(`--level-${i}`, color));
  for (const listener of listeners) listener();
}

export function startTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', () => { if (!stored()) apply(system.matches ? 'dark' : 'light'); });
  apply(stored() ?? (system.matches ? 'dark' : 'light'));
}

export function toggleTheme() {
  const next: Mode = mode === 'dark' ? 'light' : 'dark';
  try { localStorage.setItem(storageKey, next); } catch { /* It lasts as long as the page. */ }
  apply(next);
}

/// A colour as ImageData has it.
export function packedColor(hex: string): number {
  const value = parseInt(hex.slice(1), 16);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/// `share` of `over` on `under`.
export function mix(under: string, over: string, share: number): string {
  const a = parseInt(under.slice(1), 16);
  const b = parseInt(over.slice(1), 16);
  const channel = (shift: number) => Math.round(((a >> shift) & 255) * (1 - share) + ((b >> shift) & 255) * share);
  return '#' + ((1 << 24) | (channel(16) << 16) | (channel(8) << 8) | channel(0)).toString(16).slice(1);
}

/// How much of a cause's colour its ground and its stripes have.
export const tint = 0.3;
export const stripe = 0.74;

/// Stalls' stripes by cause for lists and legends, as CSS.
export function stallBackground(cause: number): string {
  const base = mix(colors.background, colors.stall[cause], tint);
  const angle = [0, 90, 135, 45, 45, 45, 0, 90, 135][cause];
  return `repeating-linear-gradient(${angle}deg, ${mix(colors.background, colors.stall[cause], stripe)} 0 1.5px, ${base} 1.5px 5px)`;
}
