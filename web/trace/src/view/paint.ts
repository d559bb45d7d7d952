// Fills the timeline's pixels: near, every instruction and every operation in its pipe; far, what each bin of time was spent on.

import { lowerBound, type Chunk } from '../data/chunk';
import type { Store } from '../data/store';
import { emptyTile, firstCounter, tileBins, type Tile } from '../data/tile';
import type { Layout, Row } from './layout';
import { Raster, stackOrder, type Palette } from './raster';
import type { State } from './state';
import { packedColor, colors, mix } from './theme';

/// Cycles a pixel (of CSS) up to which instructions are drawn one by one.
export const nearScale = 4;
/// ... and up to which those under the pointer are looked up.
export const pointScale = 24;

/// A stretch of a tile that is in view. Bin b lasts from `begin + b * width`.
interface Segment { tile: Tile; first: number; last: number; begin: number; width: number; from: number; to: number }

export interface Box { x0: number; x1: number; y: number; height: number; line: number; onStall?: boolean }

export interface Painted {
  labels: Box[];  ///< instructions wide enough for text
  marked: Box[];  ///< of the selected line
  found: Box[];   ///< that the search matches
  complete: boolean;
}

const maxLabels = 700;
const maxMarked = 3000;

/// Which category's colour a pipe has when it is drawn as bars.
const pipeCategory = [8, 0, 1, 2, 3, 6, 4, 7];

export function levelFor(cyclesPerPixel: number): number {
  return Math.max(0, Math.ceil(Math.log2(cyclesPerPixel)));
}

/// The tiles that a range of time is drawn from; coarser ones stand in for those that aren't here.
export function segmentsOf(store: Store, cu: number, level: number, from: number, to: number): { segments: Segment[]; complete: boolean } {
  const segments: Segment[] = [];
  let complete = true;
  const span = tileBins * 2 ** level;
  const last = Math.floor(Math.min(to, store.head.cycles) / span);
  for (let number = Math.max(0, Math.floor(from / span)); number <= last; ++number) {
    let tile = store.tile(cu, level, number);
    if (!tile) {
      complete = false;
      tile = store.covering(cu, level, number);
      if (!tile) continue;
    }
    const width = 2 ** tile.level;
    const begin = tile.number * tileBins * width;
    const start = Math.max(from, number * span);
    const stop = Math.min(to, (number + 1) * span);
    segments.push({
      tile, begin, width, from: number * span, to: (number + 1) * span,
      first: Math.max(0, Math.floor((start - begin) / width)), last: Math.min(tileBins, Math.ceil((stop - begin) / width)),
    });
  }
  return { segments, complete };
}

const summaries = new WeakMap<Tile, Tile>();
/// All slots' rows of a tile as one: shares of all slots that were ever used.
export function summaryOf(store: Store, tile: Tile, slots: number[]): Tile {
  const known = summaries.get(tile);
  if (known) return known;
  const summary = emptyTile(store.rows, tile.level, tile.number);
  summary.data = new Uint8Array(firstCounter * tileBins);
  for (let c = 0; c < firstCounter; ++c) {
    const sums = new Uint32Array(tileBins);
    let any = false;
    for (const slot of slots) {
      const place = tile.place[store.rows.key(slot, c)];
      if (place < 0) continue;
      any = true;
      for (let b = 0; b < tileBins; ++b) sums[b] += tile.data[place * tileBins + b];
    }
    if (!any) continue;
    summary.place[c] = c;
    for (let b = 0; b < tileBins; ++b) summary.data[c * tileBins + b] = Math.round(sums[b] / slots.length);
  }
  summaries.set(tile, summary);
  return summary;
}

export class Painter {
  readonly raster = new Raster();

  constructor(private readonly store: Store, private readonly layout: Layout, private readonly state: State) {}

  /// `width` and `height` in CSS pixels, `scrolled` the first visible one.
  paint(width: number, height: number, ratio: number, scrolled: number, palette: Palette): Painted {
    const { raster, state, store, layout } = this;
    raster.resize(Math.round(width * ratio), Math.round(height * ratio));
    raster.clear(palette.background);
    const painted: Painted = { labels: [], marked: [], found: [], complete: true };
    if (!raster.width) return painted;
    const perPixel = state.span / raster.width;
    raster.shift = Math.round(state.from / perPixel);
    const x = (time: number) => Math.round((time - state.from) / perPixel);
    const top = (row: Row) => Math.round((row.y - scrolled) * ratio);
    const bottom = (row: Row) => Math.round((row.y + row.height - scrolled) * ratio);
    const visible = layout.rows.filter((row) => row.y + row.height > scrolled && row.y < scrolled + height);
    const near = perPixel * ratio <= nearScale;
    const level = levelFor(perPixel);
    const cus = new Set(visible.map((row) => row.cu));
    for (const row of visible)
      if (row.kind !== 'wave') raster.rect(Math.max(0, x(0)), top(row), x(store.head.cycles), bottom(row), palette.row);
      else
        for (const wave of layout.wavesIn(row.cu, row.slot, state.from, state.to))
          raster.rect(x(wave.begin), top(row), x(wave.end), bottom(row), palette.row);

    for (const cu of cus) {
      const rows = visible.filter((row) => row.cu === cu);
      const loaded = near ? store.chunksIn(cu, state.from, state.to) : null;
      const { segments, complete } = segmentsOf(store, cu, loaded?.complete ? Math.max(level, 2) : level, state.from, state.to);
      if (!complete || (loaded && !loaded.complete)) painted.complete = false;
      const slots = layout.slotsOf(cu);
      for (const row of rows) {
        if (row.kind !== 'cu' && loaded?.complete) continue;
        for (const segment of segments) {
          const left = x(segment.from);
          const right = x(segment.to);
          const xOf = (bin: number) => Math.max(left, Math.min(right, x(segment.begin + bin * segment.width)));
          if (row.kind === 'cu') raster.stack(summaryOf(store, segment.tile, slots), 0, stackOrder, segment.first, segment.last, xOf, top(row), bottom(row), palette);
          else if (row.kind === 'wave') raster.stack(segment.tile, row.key, stackOrder, segment.first, segment.last, xOf, top(row), bottom(row), palette);
          else raster.bars(segment.tile, row.key, segment.first, segment.last, xOf, top(row), bottom(row), palette.solid[pipeCategory[row.pipe]]);
        }
      }
      if (loaded?.complete) this.paintChunks(loaded.chunks, rows, top, bottom, x, palette, painted, ratio);
    }
    return painted;
  }

  private paintChunks(chunks: Chunk[], rows: Row[], top: (row: Row) => number, bottom: (row: Row) => number, x: (time: number) => number,
                      palette: Palette, painted: Painted, ratio: number) {
    const { raster, state, store } = this;
    const waveRows = rows.filter((row) => row.kind === 'wave');
    const pipeRows = new Map<string, Row>();
    for (const row of rows) if (row.kind === 'pipe') pipeRows.set(`${row.pipe}:${row.simd}`, row);
    const pipeRow = (pipe: number, simd: number) => pipeRows.get(pipe === 3 || pipe === 4 ? `${pipe}:${simd}` : `${pipe}:-1`);
    const conflict = packedColor(mix(colors.category[6], colors.related, 0.7));
    const separated = Math.round(4 * ratio);
    const drawPipe = (row: Row | undefined, from: number, to: number, color: number) => {
      if (!row || to <= state.from || from >= state.to || to <= from) return;
      const x0 = x(from);
      const x1 = Math.max(x0 + 1, x(to));
      raster.rect(x0, top(row), x1 - (x1 - x0 >= separated ? 1 : 0), bottom(row), color);
    };
    for (const { instructions: ins, operations: ops } of chunks) {
      for (let slot = 0; slot < store.rows.slotRows; ++slot) {
        const start = ins.rowStart[slot];
        const end = ins.rowStart[slot + 1];
        if (start === end) continue;
        const row = waveRows.find((r) => r.slot === slot);
        const simd = Math.floor(slot / store.head.slots);
        const y0 = row ? top(row) : 0;
        const y1 = row ? bottom(row) : 0;
        // The pipe may be busy longer than the wave.
        for (let i = Math.max(start, lowerBound(ins.issued, state.from - 512, start, end) - 1); i < end && ins.arrived[i] < state.to; ++i) {
          const issued = ins.issued[i];
          const done = issued + ins.issue[i];
          const solid = palette.solid[ins.category[i]];
          if (ins.busy[i]) drawPipe(pipeRow(ins.pipe[i], simd), issued, issued + ins.busy[i], solid);
          if (!row || done <= state.from) continue;
          let time = ins.arrived[i];
          for (let s = ins.stallStart[i]; s < ins.stallStart[i + 1]; ++s) {
            const until = time + ins.stallCycles[s];
            raster.striped(x(time), y0, x(until), y1, ins.stallCause[s], palette);
            time = until;
          }
          const x0 = x(issued);
          const x1 = Math.max(x0 + 1, x(done));
          raster.rect(x0, y0, x1 - (x1 - x0 >= separated ? 1 : 0), y1, solid);
          const line = ins.line[i];
          const from = x(ins.arrived[i]);
          if (painted.labels.length < maxLabels) {
            // Where it was stalled longer than it took to issue, its text stands on the stall.
            if (x1 - x0 > 22 * ratio) painted.labels.push({ x0, x1, y: y0, height: y1 - y0, line });
            else if (x0 - from > 60 * ratio) painted.labels.push({ x0: from, x1: Math.min(x0, raster.width), y: y0, height: y1 - y0, line, onStall: true });
          }
          if (line === state.line && painted.marked.length < maxMarked) painted.marked.push({ x0: from, x1, y: y0, height: y1 - y0, line });
          if (state.found.has(line) && painted.found.length < maxMarked) painted.found.push({ x0, x1, y: y0, height: y1 - y0, line });
        }
      }
      for (let i = 0; i < ops.count; ++i) {
        if (ops.end[i] <= state.from || ops.begin[i] >= state.to) continue;
        const row = pipeRow(ops.pipe[i], Math.floor(ops.row[i] / store.head.slots));
        drawPipe(row, ops.begin[i], ops.end[i], palette.solid[store.head.code.category[ops.line[i]] ?? 8]);
        // Cycles that bank conflicts cost stand out.
        if (ops.conflicts[i]) drawPipe(row, ops.end[i] - ops.conflicts[i], ops.end[i], conflict);
      }
    }
  }
}
