// The whole run in small with the part in view, and the axis of cycles and time below it.

import type { Store } from '../data/store';
import { categoryCount, emptyTile, firstCounter, tileBins, type Tile } from '../data/tile';
import { niceStep, node, time as timeText, whole } from './format';
import { summaryOf } from './paint';
import { makePalette, Raster, stackOrder } from './raster';
import type { State } from './state';
import { colors, onTheme } from './theme';
import { gutter } from './timeline';

const mapHeight = 40;
const axisHeight = 30;

export class Axis {
  readonly element = node('div', 'axis');
  private readonly map = node('canvas', 'minimap');
  private readonly axis = node('canvas');
  private readonly raster = new Raster();
  private readonly backdrop = node('canvas');
  private mapIsStale = true;
  private width = 10;
  private marks: Uint32Array | null = null;
  onRedraw = () => {};

  constructor(private readonly store: Store, private readonly state: State, private readonly slotsOf: (cu: number) => number[]) {
    this.map.setAttribute('aria-label', 'The whole run; drag to choose what is shown');
    this.element.append(this.map, this.axis);
    onTheme(() => { this.mapIsStale = true; });
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.listen();
  }

  private resize() {
    this.width = Math.max(10, this.element.getBoundingClientRect().width - gutter);
    for (const [canvas, height] of [[this.map, mapHeight], [this.axis, axisHeight]] as const) {
      canvas.width = Math.round(this.width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      canvas.style.cssText = `width:${this.width}px;height:${height}px;margin-left:${gutter}px`;
    }
    this.mapIsStale = true;
    this.onRedraw();
  }

  /// Ticks where there is a count, of stretches that the whole run is divided into.
  showMarks(counts: Uint32Array | null) {
    this.marks = counts;
    this.onRedraw();
  }

  private drawMarks(context: CanvasRenderingContext2D) {
    const { marks, width } = this;
    if (!marks) return;
    context.fillStyle = colors.found;
    const step = width / marks.length;
    marks.forEach((count, bin) => { if (count) context.fillRect(bin * step, mapHeight - 6, Math.max(1.5, step), 6); });
  }

  draw() {
    if (this.mapIsStale) this.drawMap();
    this.mapIsStale = false;
    const context = this.map.getContext('2d')!;
    context.drawImage(this.backdrop, 0, 0);
    const ratio = devicePixelRatio;
    context.save();
    context.scale(ratio, ratio);
    const x = (t: number) => (t / this.state.end) * this.width;
    const x0 = Math.max(0, x(this.state.from));
    const x1 = Math.min(this.width, Math.max(x0 + 3, x(this.state.to)));
    context.fillStyle = colors.panel;
    context.globalAlpha = 0.66;
    context.fillRect(0, 0, x0, mapHeight);
    context.fillRect(x1, 0, this.width - x1, mapHeight);
    context.globalAlpha = 1;
    this.drawMarks(context);
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.strokeRect(x0 + 1, 1, Math.max(1, x1 - x0 - 2), mapHeight - 2);
    context.restore();
    this.drawAxis();
  }

  private drawMap() {
    const { raster, store } = this;
    raster.resize(this.map.width, this.map.height);
    const palette = makePalette();
    raster.clear(palette.row);
    const cycles = this.state.end;
    const level = Math.max(store.head.overview, Math.ceil(Math.log2(cycles / raster.width)));
    const span = tileBins * 2 ** level;
    const width = 2 ** level;
    // CUs share the height, unless there are so many that only their mean can be seen.
    const { cus } = store.head;
    const strips = cus > 5 ? 1 : cus;
    for (let strip = 0; strip < strips; ++strip) {
      const y0 = Math.round((strip / strips) * raster.height);
      const y1 = Math.round(((strip + 1) / strips) * raster.height);
      for (let number = 0; number * span < cycles; ++number) {
        const tiles: Tile[] = [];
        for (let cu = strip; cu < cus; cu += strips) {
          const tile = store.tile(cu, level, number);
          if (tile) tiles.push(summaryOf(store, tile, this.slotsOf(cu)));
        }
        const xOf = (bin: number) => Math.round(((number * span + bin * width) / cycles) * raster.width);
        if (tiles.length) raster.stack(meanOf(store, tiles), 0, stackOrder, 0, tileBins, xOf, y0, y1, palette);
      }
    }
    this.backdrop.width = raster.width;
    this.backdrop.height = raster.height;
    raster.put(this.backdrop.getContext('2d')!);
  }

  private drawAxis() {
    const context = this.axis.getContext('2d', { alpha: false })!;
    context.save();
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = colors.panel;
    context.fillRect(0, 0, this.width, axisHeight);
    const { from, span } = this.state;
    const step = niceStep((span / this.width) * 110);
    context.textBaseline = 'middle';
    for (let t = Math.ceil(from / step) * step; t < from + span; t += step) {
      const x = ((t - from) / span) * this.width;
      context.fillStyle = colors.line;
      context.fillRect(Math.round(x), 0, 1, axisHeight);
      for (let minor = 1; minor < 5; ++minor) context.fillRect(Math.round(x + (minor * step * this.width) / span / 5), axisHeight - 4, 1, 4);
      context.font = '11px system-ui, "DejaVu Sans", sans-serif';
      context.fillStyle = colors.text;
      context.fillText(whole(t), x + 4, 9);
      context.font = '10px system-ui, "DejaVu Sans", sans-serif';
      context.fillStyle = colors.dim;
      context.fillText(timeText(t, this.store.head.clockMHz), x + 4, 21);
    }
    context.fillStyle = colors.line;
    context.fillRect(0, axisHeight - 1, this.width, 1);
    context.restore();
  }

  private listen() {
    const { map, state, axis } = this;
    let grip = 0;
    let isDown = false;
    const at = (event: PointerEvent) => (event.offsetX / this.width) * state.end;
    map.addEventListener('pointerdown', (event) => {
      map.setPointerCapture(event.pointerId);
      isDown = true;
      const t = at(event);
      // What is grabbed beside the view brings the view there.
      grip = t >= state.from && t <= state.to ? t - state.from : state.span / 2;
      state.show(t - grip, t - grip + state.span);
    });
    map.addEventListener('pointermove', (event) => {
      if (isDown) state.show(at(event) - grip, at(event) - grip + state.span);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) map.addEventListener(end, () => { isDown = false; });
    for (const canvas of [map, axis])
      canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        const t = canvas === map ? at(event as unknown as PointerEvent) : state.from + (event.offsetX / this.width) * state.span;
        state.zoomAt(t, Math.exp(event.deltaY * 0.0022));
      }, { passive: false });
    let last = -1;
    axis.addEventListener('pointerdown', (event) => {
      axis.setPointerCapture(event.pointerId);
      last = event.offsetX;
    });
    axis.addEventListener('pointermove', (event) => {
      if (last < 0) return;
      state.pan(((last - event.offsetX) / this.width) * state.span);
      last = event.offsetX;
    });
    for (const end of ['pointerup', 'pointercancel'] as const) axis.addEventListener(end, () => { last = -1; });
  }
}

/// The mean of several CUs' summaries.
function meanOf(store: Store, tiles: Tile[]): Tile {
  if (tiles.length === 1) return tiles[0];
  const mean = emptyTile(store.rows, tiles[0].level, tiles[0].number);
  mean.data = new Uint8Array(firstCounter * tileBins);
  for (let c = 0; c < firstCounter; ++c) {
    const parts = tiles.filter((tile) => tile.place[c] >= 0);
    if (!parts.length) continue;
    mean.place[c] = c;
    for (let b = 0; b < tileBins; ++b)
      mean.data[c * tileBins + b] = Math.round(parts.reduce((sum, part) => sum + part.data[part.place[c] * tileBins + b], 0) / tiles.length);
  }
  return mean;
}

/// Shares of the run's wave cycles by category and cause. What is left belongs to no instruction: the report's "no issue".
export function runShares(store: Store): { categories: number[]; stalls: number[] } {
  const { totals, code } = store.head;
  const categories = new Array<number>(categoryCount).fill(0);
  totals.issue.forEach((cycles, line) => { categories[code.category[line] ?? 8] += cycles; });
  const stalls = totals.stalls.map((list) => list.reduce((a, b) => a + b, 0));
  const all = store.waveCycles;
  return { categories: categories.map((c) => c / all), stalls: stalls.map((s) => s / all) };
}
