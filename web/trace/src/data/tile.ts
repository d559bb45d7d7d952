// Tiles of the timeline: what each row did in 256 bins of time. Far ones stand in the file (src/trace/PageBins.h), near ones are made of chunks.

import { isCountedBy, levelCount, type Chunk, type Operations } from './chunk';
import { Reader } from './reader';

export const tileBins = 256;
export const categoryCount = 9;
const stallCount = 9;
/// Of a slot's classes, the first of those that tell what is in flight, one for each counter.
export const firstCounter = categoryCount + stallCount;
const sharedPipes = 5;
/// In the numbers of events::Level: L1, L2, MALL, memory.
export const trafficLevels = [3, 4, 5, 6];
export const trafficScale = 2;

/// Where each row's sums stand, as BinRows has it.
export class Rows {
  constructor(readonly simds: number, readonly slots: number, readonly counters: number) {}
  get classCount() { return firstCounter + this.counters; }
  get slotRows() { return this.simds * this.slots; }
  get pipeKeys() { return this.slotRows * this.classCount; }
  /// Bytes that vector memory moved: those found in L1, L2, MALL, memory.
  get trafficKeys() { return this.pipeKeys + 2 * this.simds + sharedPipes; }
  get keys() { return this.trafficKeys + trafficLevels.length; }
  key(row: number, classOf: number) { return row * this.classCount + classOf; }
  /// Pipes by their numbers in events::Pipe: SALU 1, scalar cache 2, VALU 3, MFMA 4, LDS 5, texture 6, branch 7.
  pipeKey(pipe: number, simd: number) {
    switch (pipe) {
      case 3: return this.pipeKeys + 2 * simd;
      case 4: return this.pipeKeys + 2 * simd + 1;
      case 1: return this.pipeKeys + 2 * this.simds;
      case 2: return this.pipeKeys + 2 * this.simds + 1;
      case 5: return this.pipeKeys + 2 * this.simds + 2;
      case 6: return this.pipeKeys + 2 * this.simds + 3;
      case 7: return this.pipeKeys + 2 * this.simds + 4;
      default: return -1;
    }
  }
  isCounter(key: number) { return key < this.pipeKeys && key % this.classCount >= firstCounter; }
  /// A bin's byte for each unit of its mean: shares of the time, operations in flight, bytes a cycle.
  scale(key: number) { return key >= this.trafficKeys ? trafficScale : this.isCounter(key) ? 4 : 255; }
}

/// tileBins bytes for each key that has any, in the units of Rows.scale().
export interface Tile {
  level: number;
  number: number;
  place: Int32Array; ///< of each key, -1 for none
  data: Uint8Array;
}

export function emptyTile(rows: Rows, level: number, number: number): Tile {
  return { level, number, place: new Int32Array(rows.keys).fill(-1), data: new Uint8Array(0) };
}

/// Tiles of the same place come in parts, which add.
export function decodeTile(rows: Rows, level: number, number: number, parts: Uint8Array[]): Tile {
  const tile = emptyTile(rows, level, number);
  const sums: Uint16Array[] = [];
  for (const bytes of parts) {
    const reader = new Reader(bytes);
    const count = reader.get();
    const keys: number[] = [];
    for (let i = 0; i < count; ++i) keys.push(reader.get());
    for (let i = 0; i < count; ++i) {
      if (tile.place[keys[i]] < 0) {
        tile.place[keys[i]] = sums.length;
        sums.push(new Uint16Array(tileBins));
      }
      const to = sums[tile.place[keys[i]]];
      const at = reader.at + i * tileBins;
      for (let b = 0; b < tileBins; ++b) to[b] += bytes[at + b];
    }
  }
  tile.data = new Uint8Array(sums.length * tileBins);
  sums.forEach((sum, i) => { for (let b = 0; b < tileBins; ++b) tile.data[i * tileBins + b] = Math.min(255, sum[b]); });
  return tile;
}

class Sums {
  readonly of = new Map<number, Float64Array>();
  constructor(readonly begin: number, readonly width: number) {}
  at(key: number) {
    let found = this.of.get(key);
    if (!found) this.of.set(key, (found = new Float64Array(tileBins)));
    return found;
  }
  add(key: number, from: number, to: number, weight = 1) {
    const end = this.begin + tileBins * this.width;
    if (from < this.begin) from = this.begin;
    if (to > end) to = end;
    if (from >= to) return;
    const sum = this.at(key);
    let bin = Math.floor((from - this.begin) / this.width);
    while (from < to) {
      const binEnd = this.begin + (bin + 1) * this.width;
      const stop = binEnd < to ? binEnd : to;
      sum[bin++] += (stop - from) * weight;
      from = stop;
    }
  }
  tile(rows: Rows, level: number, number: number): Tile {
    const tile = emptyTile(rows, level, number);
    tile.data = new Uint8Array(this.of.size * tileBins);
    let place = 0;
    for (const [key, sum] of this.of) {
      const scale = rows.scale(key) / this.width;
      tile.place[key] = place;
      for (let b = 0; b < tileBins; ++b)
        tile.data[place * tileBins + b] = sum[b] ? Math.min(255, Math.max(1, Math.round(sum[b] * scale))) : 0;
      ++place;
    }
    return tile;
  }
}

/// As PageBins::addBytes() has it: evenly from when the operation's pipe began with it to when it returned.
function addTraffic(rows: Rows, sums: Sums, ops: Operations, i: number) {
  const hits = ops.hits.subarray(i * levelCount, (i + 1) * levelCount);
  const lines = hits.reduce((a, b) => a + b, 0);
  const end = Math.max(ops.returned[i], ops.begin[i] + 1);
  trafficLevels.forEach((level, place) => {
    if (hits[level]) sums.add(rows.trafficKeys + place, ops.begin[i], end, (ops.bytes[i] * hits[level]) / lines / (end - ops.begin[i]));
  });
}

export function tileOfChunks(rows: Rows, level: number, number: number, chunks: Chunk[]): Tile {
  const width = 2 ** level;
  const begin = number * tileBins * width;
  const end = begin + tileBins * width;
  const sums = new Sums(begin, width);
  for (const { instructions: ins, operations: ops } of chunks) {
    for (let row = 0; row < rows.slotRows; ++row) {
      const simd = Math.floor(row / rows.slots);
      for (let i = ins.rowStart[row]; i < ins.rowStart[row + 1]; ++i) {
        if (ins.arrived[i] >= end) break;
        const issued = ins.issued[i];
        const done = issued + Math.max(ins.issue[i], ins.busy[i]);
        if (done <= begin) continue;
        let time = ins.arrived[i];
        for (let s = ins.stallStart[i]; s < ins.stallStart[i + 1]; ++s) {
          sums.add(rows.key(row, categoryCount + ins.stallCause[s]), time, time + ins.stallCycles[s]);
          time += ins.stallCycles[s];
        }
        sums.add(rows.key(row, ins.category[i]), issued, issued + ins.issue[i]);
        const key = ins.busy[i] ? rows.pipeKey(ins.pipe[i], simd) : -1;
        if (key >= 0) sums.add(key, issued, issued + ins.busy[i]);
      }
    }
    for (let i = 0; i < ops.count; ++i) {
      if (ops.issued[i] >= end || Math.max(ops.returned[i], ops.end[i]) <= begin) continue;
      const key = rows.pipeKey(ops.pipe[i], Math.floor(ops.row[i] / rows.slots));
      if (key >= 0) sums.add(key, ops.begin[i], ops.end[i]);
      for (let c = 0; c < rows.counters; ++c)
        if (isCountedBy(ops.flags[i], c)) sums.add(rows.key(ops.row[i], firstCounter + c), ops.issued[i], ops.returned[i]);
      addTraffic(rows, sums, ops, i);
    }
  }
  return sums.tile(rows, level, number);
}

/// A coarser tile of those of a finer level that lie in it.
export function mergedTile(rows: Rows, level: number, number: number, tiles: Tile[]): Tile {
  const width = 2 ** level;
  const sums = new Sums(number * tileBins * width, width);
  for (const tile of tiles) {
    const ratio = 2 ** (level - tile.level);
    const first = (tile.number * tileBins) / ratio - number * tileBins;
    for (let key = 0; key < rows.keys; ++key) {
      const place = tile.place[key];
      if (place < 0) continue;
      const to = sums.at(key);
      const scale = width / ratio / rows.scale(key);
      for (let b = 0; b < tileBins; ++b) {
        const value = tile.data[place * tileBins + b];
        if (value) to[Math.floor(first + b / ratio)] += value * scale;
      }
    }
  }
  return sums.tile(rows, level, number);
}
