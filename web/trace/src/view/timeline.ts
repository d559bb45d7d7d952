// The canvas with the rows of waves and pipes: drawing, the pointer and what is under it.

import { lowerBound, type Chunk } from '../data/chunk';
import type { Store } from '../data/store';
import { firstCounter, tileBins } from '../data/tile';
import { node } from './format';
import type { Layout, Row } from './layout';
import { Overlay } from './overlay';
import { levelFor, Painter, pointScale, segmentsOf, summaryOf } from './paint';
import { makePalette, type Palette } from './raster';
import type { InstructionInfo, State } from './state';
import { colors, onTheme } from './theme';

export const gutter = 104;

/// What the pointer is on.
export type Hit =
  | { kind: 'instruction'; instruction: InstructionInfo }
  | { kind: 'operation'; chunk: Chunk; index: number; cu: number }
  | { kind: 'bin'; row: Row; from: number; to: number; shares: { classOf: number; share: number }[] }
  | { kind: 'none' };

export function instructionAt(chunk: Chunk, index: number, cu: number, row: number): InstructionInfo {
  const ins = chunk.instructions;
  const stalls: InstructionInfo['stalls'] = [];
  for (let s = ins.stallStart[index]; s < ins.stallStart[index + 1]; ++s) stalls.push({ cause: ins.stallCause[s], cycles: ins.stallCycles[s] });
  return {
    cu, row, wave: ins.wave[index], line: ins.line[index], arrived: ins.arrived[index], issued: ins.issued[index], issue: ins.issue[index],
    busy: ins.busy[index], category: ins.category[index], pipe: ins.pipe[index], taken: ins.taken[index] !== 0, lanes: ins.lanes[index], stalls,
  };
}

export class Timeline {
  readonly element = node('div', 'timeline');
  readonly canvas = node('canvas');
  private readonly labels = node('canvas', 'labels');
  private readonly painter: Painter;
  private readonly overlay: Overlay;
  private palette: Palette = makePalette();
  width = 0;
  height = 0;
  scrolled = 0;
  complete = false;
  onHover = (_hit: Hit, _x: number, _y: number) => {};
  onSelect = (_hit: Hit) => {};
  onCursor = (_x: number | null) => {};
  onResize = () => {};
  onRedraw = () => {};

  constructor(private readonly store: Store, readonly layout: Layout, private readonly state: State) {
    this.painter = new Painter(store, layout, state);
    this.overlay = new Overlay(store, layout, state);
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('aria-label', 'Timeline of waves and pipes');
    this.element.append(this.labels, this.canvas);
    onTheme(() => { this.palette = makePalette(state.emphasis); });
    state.listenEmphasis(() => { this.palette = makePalette(state.emphasis); });
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.listen();
  }

  private resize() {
    const box = this.element.getBoundingClientRect();
    this.width = Math.max(10, box.width - gutter);
    this.height = box.height;
    const ratio = devicePixelRatio;
    this.palette = makePalette(this.state.emphasis);
    for (const [canvas, width] of [[this.canvas, this.width], [this.labels, gutter]] as const) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(this.height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${this.height}px`;
    }
    this.layout.arrange(this.height);
    this.scroll(0);
    this.onResize();
  }

  relayout() { this.resize(); }

  scroll(by: number) {
    this.scrolled = Math.max(0, Math.min(this.layout.height - this.height, this.scrolled + by));
    this.onRedraw();
  }

  /// Scrolls a slot's row into view.
  reveal(cu: number, slot: number) {
    const row = this.layout.ofSlot(cu, slot);
    if (!row) return;
    if (row.y < this.scrolled) this.scroll(row.y - this.scrolled - 4);
    else if (row.y + row.height > this.scrolled + this.height) this.scroll(row.y + row.height - this.scrolled - this.height + 4);
  }

  timeAt(x: number) { return this.state.from + (x / this.width) * this.state.span; }

  draw() {
    const context = this.canvas.getContext('2d', { alpha: false })!;
    const ratio = devicePixelRatio;
    const painted = this.painter.paint(this.width, this.height, ratio, this.scrolled, this.palette);
    this.complete = painted.complete;
    this.painter.raster.put(context);
    this.overlay.draw(context, painted, this.width, this.height, ratio, this.scrolled);
    this.drawScrollbar(context, ratio);
    this.drawLabels();
  }

  private drawScrollbar(context: CanvasRenderingContext2D, ratio: number) {
    const all = this.layout.height;
    if (all <= this.height) return;
    const scale = (this.height / all) * ratio;
    context.globalAlpha = 0.45;
    context.fillStyle = colors.dim;
    context.fillRect((this.width - 7) * ratio, this.scrolled * scale, 5 * ratio, this.height * scale);
    context.globalAlpha = 1;
  }

  private drawLabels() {
    const context = this.labels.getContext('2d', { alpha: false })!;
    context.save();
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = colors.panel;
    context.fillRect(0, 0, gutter, this.height);
    context.textBaseline = 'middle';
    let lastSimd = '';
    for (const row of this.layout.rows) {
      const y = row.y - this.scrolled;
      if (y + row.height < 0 || y > this.height) continue;
      const middle = y + row.height / 2 + 0.5;
      if (row.kind === 'cu') {
        context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
        context.fillStyle = colors.text;
        context.fillText(`${this.layout.isFolded(row.cu) ? '▸' : '▾'} ${row.label}`, 8, middle);
        continue;
      }
      const simd = `${row.cu}:${row.simd}`;
      if (simd !== lastSimd && row.simd >= 0) {
        context.font = '600 11px system-ui, "DejaVu Sans", sans-serif';
        context.fillStyle = colors.dim;
        context.fillText(`SIMD ${row.simd}`, 8, row.kind === 'wave' ? y + 8 : middle);
      }
      lastSimd = simd;
      const isSelected = row.kind === 'wave' && this.state.wave >= 0 && this.state.waveCu === row.cu &&
        this.store.waveByNumber.get(this.state.wave)?.row === row.slot;
      context.textAlign = 'right';
      context.font = `${isSelected ? '600 ' : ''}${row.kind === 'wave' ? 11 : 9.5}px system-ui, "DejaVu Sans", sans-serif`;
      context.fillStyle = isSelected ? colors.accent : row.kind === 'wave' ? colors.text : colors.dim;
      context.fillText(row.kind === 'wave' ? `slot ${row.label}` : row.label, gutter - 7, middle);
      context.textAlign = 'left';
    }
    context.fillStyle = colors.line;
    context.fillRect(gutter - 1, 0, 1, this.height);
    context.restore();
  }

  /// The instruction, operation or bin at a place of the canvas.
  hit(x: number, y: number): Hit {
    const row = this.layout.at(y + this.scrolled);
    if (!row) return { kind: 'none' };
    const time = this.timeAt(x);
    const perPixel = this.state.span / this.width;
    if (row.kind !== 'cu' && perPixel <= pointScale) {
      const { chunks, complete } = this.store.chunksIn(row.cu, time - 1, time + 1);
      const found = row.kind === 'wave' ? this.hitWave(chunks, row, time, perPixel) : this.hitPipe(chunks, row, time, perPixel);
      if (found) return found;
      if (complete) return { kind: 'none' };
    }
    return this.hitBin(row, time);
  }

  private hitWave(chunks: Chunk[], row: Row, time: number, slack: number): Hit | null {
    for (const chunk of chunks) {
      const ins = chunk.instructions;
      const start = ins.rowStart[row.slot];
      const end = ins.rowStart[row.slot + 1];
      for (let i = Math.max(start, lowerBound(ins.issued, time, start, end) - 1); i < end && ins.arrived[i] <= time; ++i)
        if (time < ins.issued[i] + Math.max(ins.issue[i], slack)) return { kind: 'instruction', instruction: instructionAt(chunk, i, row.cu, row.slot) };
    }
    return null;
  }

  private hitPipe(chunks: Chunk[], row: Row, time: number, slack: number): Hit | null {
    const { slots } = this.store.head;
    for (const chunk of chunks) {
      const ops = chunk.operations;
      for (let i = 0; i < ops.count; ++i)
        if (ops.pipe[i] === row.pipe && time >= ops.begin[i] && time < Math.max(ops.end[i], ops.begin[i] + slack) &&
            (row.simd < 0 || Math.floor(ops.row[i] / slots) === row.simd))
          return { kind: 'operation', chunk, index: i, cu: row.cu };
      const ins = chunk.instructions;
      for (let slot = row.simd < 0 ? 0 : row.simd * slots; slot < (row.simd < 0 ? this.store.rows.slotRows : (row.simd + 1) * slots); ++slot) {
        const start = ins.rowStart[slot];
        const end = ins.rowStart[slot + 1];
        for (let i = Math.max(start, lowerBound(ins.issued, time - 512, start, end) - 1); i < end && ins.issued[i] <= time; ++i)
          if (ins.pipe[i] === row.pipe && time < ins.issued[i] + Math.max(ins.busy[i], ins.busy[i] ? slack : 0))
            return { kind: 'instruction', instruction: instructionAt(chunk, i, row.cu, slot) };
      }
    }
    return null;
  }

  private hitBin(row: Row, time: number): Hit {
    const level = levelFor(this.state.span / (this.width * devicePixelRatio));
    const { segments } = segmentsOf(this.store, row.cu, level, time, time + 1);
    if (!segments.length) return { kind: 'none' };
    const { begin, width } = segments[0];
    const bin = Math.floor((time - begin) / width);
    const tile = row.kind === 'cu' ? summaryOf(this.store, segments[0].tile, this.layout.slotsOf(row.cu)) : segments[0].tile;
    const shares: { classOf: number; share: number }[] = [];
    const key = row.kind === 'cu' ? 0 : row.key;
    for (let c = 0; c < (row.kind === 'pipe' ? 1 : this.store.rows.classCount); ++c) {
      const place = tile.place[key + c];
      const value = place < 0 ? 0 : tile.data[place * tileBins + bin];
      if (value) shares.push({ classOf: c, share: value / (c >= firstCounter ? 4 : 255) });
    }
    shares.sort((a, b) => Number(a.classOf >= firstCounter) - Number(b.classOf >= firstCounter) || b.share - a.share);
    return { kind: 'bin', row, from: begin + bin * width, to: begin + (bin + 1) * width, shares };
  }

  private listen() {
    const { canvas, state } = this;
    let drag: { x: number; y: number; moved: boolean } | null = null;
    let measured: { time: number; cu: number } | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      if (event.shiftKey) measured = { time: this.timeAt(event.offsetX), cu: this.layout.at(event.offsetY + this.scrolled)?.cu ?? 0 };
      else drag = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      this.onCursor(event.offsetX);
      if (measured) {
        const time = this.timeAt(event.offsetX);
        const from = Math.max(0, Math.round(Math.min(time, measured.time)));
        const to = Math.min(state.end, Math.round(Math.max(time, measured.time)));
        state.range = to > from ? { from, to, cu: measured.cu } : null;
        state.changedSelection();
        return;
      }
      if (!drag) {
        this.onHover(this.hit(event.offsetX, event.offsetY), event.clientX, event.clientY);
        return;
      }
      const dx = event.clientX - drag.x;
      const dy = event.clientY - drag.y;
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      drag = { x: event.clientX, y: event.clientY, moved: true };
      canvas.classList.add('dragging');
      this.onHover({ kind: 'none' }, 0, 0);
      if (dx) state.pan((-dx / this.width) * state.span);
      if (dy) this.scroll(-dy);
    });
    const release = (event: PointerEvent) => {
      if (drag && !drag.moved && event.type === 'pointerup') this.onSelect(this.hit(event.offsetX, event.offsetY));
      drag = measured = null;
      canvas.classList.remove('dragging');
    };
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
    canvas.addEventListener('pointerleave', () => {
      this.onHover({ kind: 'none' }, 0, 0);
      this.onCursor(null);
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      if (event.shiftKey && !event.deltaX) this.scroll(event.deltaY * unit);
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) state.pan(((event.deltaX * unit) / this.width) * state.span);
      else state.zoomAt(this.timeAt(event.offsetX), Math.exp(Math.max(-200, Math.min(200, event.deltaY * unit)) * 0.0022));
    }, { passive: false });
    this.labels.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.scroll(event.deltaY);
    }, { passive: false });
    this.labels.addEventListener('click', (event) => {
      const row = this.layout.at(event.offsetY + this.scrolled);
      if (row?.kind === 'cu') {
        this.layout.fold(row.cu, !this.layout.isFolded(row.cu));
        this.relayout();
      } else if (row?.kind === 'wave') {
        const wave = this.layout.waveAt(row.cu, row.slot, (state.from + state.to) / 2) ?? this.layout.wavesOf(row.cu, row.slot)[0];
        if (wave) {
          state.wave = state.wave === wave.number ? -1 : wave.number;
          state.waveCu = row.cu;
          state.changedSelection();
        }
      }
    });
  }
}
