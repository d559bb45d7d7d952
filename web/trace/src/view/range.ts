// Sums over a stretch of time of a CU.

import type { Store } from '../data/store';
import { firstCounter, tileBins, type Tile } from '../data/tile';
import { segmentsOf } from './paint';

export interface RangeSums {
  complete: boolean;   ///< all of the data was there
  classes: number[];   ///< waves in each state, on average
  waves: number;       ///< on average
  inFlight: number[];  ///< by counter, on average
  pipes: { pipe: number; share: number }[];      ///< of the time; those of the SIMDs are means of all
}

export function rangeSums(store: Store, cu: number, from: number, to: number): RangeSums {
  const { rows, head } = store;
  // Some hundred bins: what the first and the last have beside the range is weighed by its part in it.
  const level = Math.max(0, Math.floor(Math.log2((to - from) / 512)));
  const { segments, complete } = segmentsOf(store, cu, level, from, to);
  const meanOf = (key: number) => {
    let sum = 0;
    for (const { tile, first, last, begin, width, from: start, to: stop } of segments) {
      const place = tile.place[key];
      if (place < 0) continue;
      for (let bin = first; bin < last; ++bin) sum += tile.data[place * tileBins + bin] * overlap(begin + bin * width, width, Math.max(from, start), Math.min(to, stop));
    }
    return sum / (to - from);
  };
  const has = (key: number) => segments.some(({ tile }: { tile: Tile }) => tile.place[key] >= 0);
  const classes = new Array<number>(firstCounter).fill(0);
  const inFlight = new Array<number>(rows.counters).fill(0);
  for (let slot = 0; slot < rows.slotRows; ++slot)
    for (let c = 0; c < rows.classCount; ++c) {
      const key = rows.key(slot, c);
      if (!has(key)) continue;
      if (c < firstCounter) classes[c] += meanOf(key) / 255;
      else inFlight[c - firstCounter] += meanOf(key) / 4;
    }
  const pipes: RangeSums['pipes'] = [];
  for (let pipe = 1; pipe < head.pipes.length; ++pipe) {
    const perSimd = rows.pipeKey(pipe, 0) !== rows.pipeKey(pipe, 1);
    let share = 0;
    for (let simd = 0; simd < (perSimd ? head.simds : 1); ++simd) share += meanOf(rows.pipeKey(pipe, simd)) / 255;
    pipes.push({ pipe, share: share / (perSimd ? head.simds : 1) });
  }
  return { complete, classes, waves: classes.reduce((a, b) => a + b, 0), inFlight, pipes: pipes.filter(({ share }) => share).sort((a, b) => b.share - a.share) };
}

function overlap(begin: number, width: number, from: number, to: number) {
  return Math.max(0, Math.min(begin + width, to) - Math.max(begin, from));
}
