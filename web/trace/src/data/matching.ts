// Which instructions of two versions of a kernel are the same: the longest common subsequence, between those that stand once in each.

import type { Head } from './head';

/// Larger stretches without a common anchor aren't compared line by line.
const mostCells = 4e6;

/// What of an instruction tells it from others: branches' distances change with what is between.
function keysOf(head: Head): string[] {
  return head.code.text.map((text, line) => (head.code.target[line] >= 0 ? text.slice(0, text.lastIndexOf(' ')) : text));
}

/// For each instruction of `head` its counterpart in `other`, or -1.
export function matched(head: Head, other: Head): Int32Array {
  const a = keysOf(head);
  const b = keysOf(other);
  const to = new Int32Array(a.length).fill(-1);
  const match = (a0: number, a1: number, b0: number, b1: number) => {
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) to[a0++] = b0++;
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) to[--a1] = --b1;
    if (a0 === a1 || b0 === b1) return;
    const anchors = commonOnce(a, a0, a1, b, b0, b1);
    if (anchors.length) {
      let [lastA, lastB] = [a0, b0];
      for (const [x, y] of anchors) {
        match(lastA, x, lastB, y);
        to[x] = y;
        [lastA, lastB] = [x + 1, y + 1];
      }
      match(lastA, a1, lastB, b1);
    } else if ((a1 - a0) * (b1 - b0) <= mostCells) {
      longest(a, a0, a1, b, b0, b1, to);
    }
  };
  match(0, a.length, 0, b.length);
  return to;
}

/// Those that stand once in each stretch, as many as come in the same order.
function commonOnce(a: string[], a0: number, a1: number, b: string[], b0: number, b1: number): [number, number][] {
  const places = new Map<string, [number, number, number, number]>(); // times and place in a, in b
  for (let i = a0; i < a1; ++i) {
    const found = places.get(a[i]);
    if (found) ++found[0];
    else places.set(a[i], [1, i, 0, -1]);
  }
  for (let i = b0; i < b1; ++i) {
    const found = places.get(b[i]);
    if (!found) continue;
    ++found[2];
    found[3] = i;
  }
  const pairs = [...places.values()].filter(([inA, , inB]) => inA === 1 && inB === 1).map(([, x, , y]) => [x, y] as [number, number]).sort((p, q) => p[0] - q[0]);
  // The longest increasing run of places in b.
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, y], i) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]][1] < y) low = middle + 1;
      else high = middle;
    }
    if (low) before[i] = tails[low - 1];
    tails[low] = i;
  });
  const chosen: [number, number][] = [];
  for (let i = tails.length ? tails[tails.length - 1] : -1; i >= 0; i = before[i]) chosen.push(pairs[i]);
  return chosen.reverse();
}

function longest(a: string[], a0: number, a1: number, b: string[], b0: number, b1: number, to: Int32Array) {
  const width = b1 - b0 + 1;
  const lengths = new Uint16Array((a1 - a0 + 1) * width);
  for (let i = a1 - a0 - 1; i >= 0; --i)
    for (let j = width - 2; j >= 0; --j)
      lengths[i * width + j] = a[a0 + i] === b[b0 + j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  for (let i = 0, j = 0; i < a1 - a0 && j < width - 1;)
    if (a[a0 + i] === b[b0 + j]) to[a0 + i++] = b0 + j++;
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) ++i;
    else ++j;
}
