// Curves under the timeline: waves at work, operations in flight by counter, of a CU or of the selected wave, whose operations are then
// also drawn one by one, and the CU's memory traffic by level.

import { isCounted } from '../data/chunk';
import type { Store } from '../data/store';
import { firstCounter, tileBins, trafficLevels } from '../data/tile';
import { node } from './format';
import type { Layout } from './layout';
import { levelFor, pointScale, segmentsOf } from './paint';
import { Raster } from './raster';
import type { State } from './state';
import { colors, mix, packedColor } from './theme';
import { gutter } from './timeline';

const curveHeight = 44;
/// Waves and memory; one more for each counter.
const otherCurves = 2;
/// Of the counters: categories that they count most of, on gfx9.
const counterColors = [4, 6, 1, 5, 3, 7, 2, 8];
const laneHeight = 6;
const maxLanes = 12;

/// Parts, if there are any, are stacked: the curve is their sum.
interface Curve { label: string; unit: string; color: string; values: Float64Array; max: number; parts: { color: string; values: Float64Array }[]; text: (value: number) => string }

export class Counters {
  readonly element = node('div', 'counters');
  private readonly canvas = node('canvas');
  private readonly readings: HTMLElement[];
  private readonly curveCount: number;
  private curves: Curve[] = [];
  private readonly raster = new Raster();
  private width = 10;
  private height = 10;
  onRedraw = () => {};

  constructor(private readonly store: Store, private readonly layout: Layout, private readonly state: State) {
    this.curveCount = otherCurves + store.head.counters.length;
    this.readings = Array.from({ length: this.curveCount }, () => node('span', 'reading'));
    this.canvas.setAttribute('aria-label', 'Operations in flight');
    this.element.append(this.canvas, ...this.readings);
    new ResizeObserver(() => this.resize()).observe(this.element);
    state.listenSelection(() => this.resize());
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      state.zoomAt(state.from + ((event.offsetX - gutter) / (this.width - gutter)) * state.span, Math.exp(event.deltaY * 0.0022));
    }, { passive: false });
  }

  private get showsLanes() { return this.state.wave >= 0; }

  private resize() {
    this.width = Math.max(gutter + 10, this.element.getBoundingClientRect().width);
    this.height = this.curveCount * curveHeight + (this.showsLanes ? maxLanes * laneHeight + 14 : 0);
    this.canvas.width = Math.round(this.width * devicePixelRatio);
    this.canvas.height = Math.round(this.height * devicePixelRatio);
    this.canvas.style.cssText = `width:${this.width}px;height:${this.height}px`;
    this.onRedraw();
  }

  /// Values of the curves under the pointer, `x` from the left of the timeline.
  read(x: number | null) {
    this.readings.forEach((reading, i) => {
      const curve = this.curves[i];
      reading.hidden = x === null || !curve;
      if (x === null || !curve) return;
      const value = curve.values[Math.floor((x / (this.width - gutter)) * curve.values.length)] ?? 0;
      reading.textContent = [curve.text(value), ...curve.parts.map((part, p) => {
        const share = part.values[Math.floor((x / (this.width - gutter)) * part.values.length)] ?? 0;
        return share ? `${this.store.head.levels[trafficLevels[p]]} ${curve.text(share)}` : '';
      }).filter(Boolean)].join('  ');
      reading.style.top = `${i * curveHeight + 3}px`;
      if (x > this.width - gutter - 60) reading.style.left = `${gutter + x - 6 - reading.offsetWidth}px`;
      else reading.style.left = `${gutter + x + 6}px`;
    });
  }

  /// The CU whose counters are shown: the selected wave's, or the first that is unfolded.
  private get cu() {
    if (this.state.wave >= 0) return this.state.waveCu;
    for (let cu = 0; cu < this.store.head.cus; ++cu) if (!this.layout.isFolded(cu)) return cu;
    return 0;
  }

  draw() {
    const context = this.canvas.getContext('2d', { alpha: false })!;
    context.save();
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = colors.background;
    context.fillRect(0, 0, this.width, this.height);
    context.fillStyle = colors.panel;
    context.fillRect(0, 0, gutter, this.height);
    const plot = this.width - gutter;
    const { cu, state } = this;
    const wave = state.wave < 0 ? null : this.store.waveByNumber.get(state.wave) ?? null;
    const slots = wave ? [wave.row] : this.layout.slotsOf(cu);
    const pixels = Math.max(1, Math.round(plot * devicePixelRatio));
    const level = levelFor(state.span / pixels);
    const { segments } = segmentsOf(this.store, cu, level, state.from, state.to);
    const during = wave ?? { begin: -Infinity, end: Infinity };
    const inFlight = (counter: number) => this.curve(segments, pixels, slots.map((slot) => this.store.rows.key(slot, firstCounter + counter)), during);
    const { trafficKeys } = this.store.rows;
    const traffic = trafficLevels.map((_, i) => this.curve(segments, pixels, [trafficKeys + i]));
    const of = wave ? `wave ${wave.number}` : `CU ${cu}`;
    const number = (value: number) => String(Math.round(value * 10) / 10);
    const { clockMHz, counters } = this.store.head;
    const curves: Curve[] = [
      { label: 'waves', unit: `CU ${cu}`, color: colors.category[0], values: this.wavesActive(cu, pixels), max: 0, parts: [], text: number },
      ...counters.map((label, i) => ({ label, unit: of, color: colors.category[counterColors[i]], values: inFlight(i), max: 0, parts: [], text: number })),
      {
        label: 'memory', unit: `${clockMHz ? 'GB/s' : 'B/cycle'}, CU ${cu}`, color: colors.dim, max: 0,
        values: traffic[0].map((_, p) => traffic.reduce((sum, values) => sum + values[p], 0)),
        parts: trafficLevels.map((level, i) => ({ color: colors.level[level], values: traffic[i] })),
        text: (value) => number(clockMHz ? (value * clockMHz) / 1000 : value),
      },
    ];
    this.curves = curves;
    this.fillCurves(pixels);
    this.raster.put(context, this.canvas.width - pixels, 0);
    curves.forEach((curve, i) => this.drawCurve(context, curve, i * curveHeight));
    if (wave) this.drawLanes(context, this.curveCount * curveHeight, plot);
    context.fillStyle = colors.line;
    context.fillRect(gutter - 1, 0, 1, this.height);
    context.restore();
  }

  /// The sum of some rows' bins for each pixel, those that overlap `during`.
  private curve(segments: ReturnType<typeof segmentsOf>['segments'], pixels: number, keys: number[],
    during = { begin: -Infinity, end: Infinity }): Float64Array {
    const { state } = this;
    const x = (time: number) => Math.round(((time - state.from) / state.span) * pixels);
    const values = new Float64Array(pixels);
    const scale = this.store.rows.scale(keys[0]);
    for (const { tile, first, last, begin, width, from, to } of segments) {
      const offsets = keys.map((key) => tile.place[key] * tileBins).filter((offset) => offset >= 0);
      for (let bin = first; bin < last; ++bin) {
        const time = begin + bin * width;
        if (time + width <= during.begin || time > during.end) continue;
        let value = 0;
        for (const offset of offsets) value += tile.data[offset + bin];
        if (!value) continue;
        const end = Math.min(x(Math.min(time + width, to)), pixels);
        for (let p = Math.max(0, x(Math.max(time, from))); p < end; ++p) values[p] = value / scale;
      }
    }
    return values;
  }

  private wavesActive(cu: number, pixels: number): Float64Array {
    const changes = new Float64Array(pixels + 1);
    const { from, span } = this.state;
    for (const slot of this.layout.slotsOf(cu))
      for (const wave of this.layout.wavesIn(cu, slot, from, from + span)) {
        const x0 = Math.round(((wave.begin - from) / span) * pixels);
        const x1 = Math.round(((wave.end - from) / span) * pixels);
        if (x1 <= 0 || x0 >= pixels) continue;
        ++changes[Math.max(0, x0)];
        --changes[Math.min(pixels, Math.max(x1, x0 + 1))];
      }
    let sum = 0;
    return changes.subarray(0, pixels).map((change) => (sum += change));
  }

  /// Column by column: a path of as many steps as there are pixels takes longer than all rows of the timeline.
  private fillCurves(pixels: number) {
    const ratio = devicePixelRatio;
    const { raster } = this;
    raster.resize(pixels, Math.round(this.curveCount * curveHeight * ratio));
    raster.clear(packedColor(colors.background));
    const thick = Math.max(1, Math.round(1.25 * ratio));
    this.curves.forEach((curve, i) => {
      curve.max = curve.values.reduce((a, b) => Math.max(a, b), 0);
      const bottom = Math.round(((i + 1) * curveHeight - 1) * ratio);
      const scale = ((curveHeight - 8) * ratio) / Math.max(1, curve.max);
      const line = packedColor(curve.color);
      const ground = packedColor(mix(colors.background, curve.color, 0.25));
      const parts = curve.parts.map(({ color, values }) => ({ color: packedColor(color), values }));
      let last = -1;
      for (let p = 0; p < pixels; ++p) {
        const top = bottom - Math.round(curve.values[p] * scale);
        if (last < 0) last = top;
        if (!curve.parts.length) raster.rect(p, top, p + 1, bottom, ground);
        let floor = bottom;
        for (const { color, values } of parts) {
          const height = Math.round(values[p] * scale);
          raster.rect(p, floor - height, p + 1, floor, color);
          floor -= height;
        }
        raster.rect(p, Math.min(top, last), p + 1, Math.max(top, last) + thick, line);
        last = top;
      }
    });
  }

  private drawCurve(context: CanvasRenderingContext2D, curve: Curve, y: number) {
    const bottom = y + curveHeight - 1;
    context.fillStyle = colors.line;
    context.fillRect(0, bottom, this.width, 1);
    context.textBaseline = 'middle';
    context.font = '600 11px system-ui, "DejaVu Sans", sans-serif';
    context.fillStyle = colors.text;
    context.fillText(curve.label, 8, y + 14);
    context.font = '10px system-ui, "DejaVu Sans", sans-serif';
    context.fillStyle = colors.dim;
    context.fillText(curve.unit, 8, y + 28);
    context.textAlign = 'right';
    context.fillText(curve.max ? curve.text(curve.max) : '0', gutter - 6, y + 10);
    context.fillText('0', gutter - 6, bottom - 6);
    context.textAlign = 'left';
  }

  /// Each operation of the wave from issue to return: pale in the queue, full in its pipe, half until it returns.
  private drawLanes(context: CanvasRenderingContext2D, y: number, plot: number) {
    const { state } = this;
    context.font = '600 11px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = 'middle';
    context.fillStyle = colors.text;
    context.fillText('in flight', 8, y + 14);
    context.font = '10px system-ui, "DejaVu Sans", sans-serif';
    context.fillStyle = colors.dim;
    context.fillText(`wave ${state.wave}`, 8, y + 28);
    if (state.span / plot > pointScale) {
      context.fillText('zoom in to see each operation', gutter + 8, y + 14);
      return;
    }
    const { chunks } = this.store.chunksIn(state.waveCu, state.from, state.to);
    const x = (time: number) => gutter + ((time - state.from) / state.span) * plot;
    const laneEnds: number[] = [];
    const highlighted = new Set(state.operations.map((operation) => operation.number));
    context.save();
    context.beginPath();
    context.rect(gutter, y, plot, maxLanes * laneHeight + 14);
    context.clip();
    for (const { operations: ops } of chunks)
      for (let i = 0; i < ops.count; ++i) {
        if (ops.wave[i] !== state.wave || !isCounted(ops.flags[i])) continue;
        let lane = laneEnds.findIndex((end) => end <= ops.issued[i]);
        if (lane < 0) lane = laneEnds.length < maxLanes ? laneEnds.length : maxLanes - 1;
        laneEnds[lane] = ops.returned[i];
        if (ops.returned[i] < state.from || ops.issued[i] > state.to) continue;
        const top = y + 6 + lane * laneHeight;
        const x0 = x(ops.issued[i]);
        context.fillStyle = colors.level[ops.level[i]];
        context.globalAlpha = 0.25;
        context.fillRect(x0, top, Math.max(1, x(ops.begin[i]) - x0), laneHeight - 1.5);
        context.globalAlpha = 1;
        context.fillRect(x(ops.begin[i]), top, Math.max(1, x(ops.end[i]) - x(ops.begin[i])), laneHeight - 1.5);
        context.globalAlpha = 0.55;
        context.fillRect(x(ops.end[i]), top, Math.max(1, x(ops.returned[i]) - x(ops.end[i])), laneHeight - 1.5);
        context.globalAlpha = 1;
        if (highlighted.has(ops.number[i])) {
          context.strokeStyle = colors.text;
          context.strokeRect(x0 - 0.5, top - 0.75, x(ops.returned[i]) - x0 + 1, laneHeight);
        }
      }
    context.restore();
  }
}
