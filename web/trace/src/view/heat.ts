// A bar whose length is a cost and whose pieces are what it went into.

import { node } from './format';
import { stallBackground } from './theme';

/// `share` of the room there is; `category` is that of the cycles of issue.
export function heatBar(share: number, issue: number, category: number, stalls: number[]): HTMLElement {
  const bar = node('span', 'bar');
  bar.style.width = `${share * 100}%`;
  const part = (cycles: number, background: string) => {
    if (!cycles) return;
    const piece = node('i');
    piece.style.flexGrow = String(cycles);
    piece.style.background = background;
    bar.append(piece);
  };
  part(issue, `var(--category-${category})`);
  stalls.forEach((cycles, cause) => part(cycles, stallBackground(cause)));
  return bar;
}
