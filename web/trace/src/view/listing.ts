// The code beside the timeline: how often each instruction ran, what it cost and why, and the loops.

import type { Store } from '../data/store';
import type { Before } from './before';
import { node, percent, short, whole } from './format';
import { heatBar } from './heat';
import { rowHeight, VisibleRows } from './rows';
import type { State } from './state';
import { onTheme } from './theme';

const maxDepth = 6;

interface Loop { first: number; last: number; depth: number }

/// Ranges that a branch goes back over, inner ones nested in outer ones.
function findLoops(target: number[]): Loop[] {
  const byHead = new Map<number, number>();
  target.forEach((to, line) => { if (to >= 0 && to <= line) byHead.set(to, Math.max(byHead.get(to) ?? 0, line)); });
  const loops = [...byHead].map(([first, last]) => ({ first, last, depth: 0 })).sort((a, b) => a.first - b.first || b.last - a.last);
  const open: Loop[] = [];
  for (const loop of loops) {
    while (open.length && open[open.length - 1].last < loop.first) open.pop();
    loop.depth = open.length;
    open.push(loop);
  }
  return loops.filter((loop) => loop.depth < maxDepth);
}

export class Listing {
  readonly element = node('div', 'listing');
  private readonly scroller = node('div', 'scroller');
  private readonly sheet = node('div', 'sheet');
  private readonly cycles: number[];
  private readonly most: number;
  private readonly loops: Loop[];
  private readonly depth: number;
  private order: number[] | null = null; ///< lines by cost or difference; null: as they stand
  private readonly silicon = new Map<number, number>(); ///< a line's place in the comparison
  private readonly rows = new VisibleRows(this.scroller, this.sheet, () => this.cycles.length, (place) => this.row(this.order ? this.order[place] : place));
  onSelect = (_line: number) => {};
  onHover = (_line: number, _x: number, _y: number) => {};

  constructor(private readonly store: Store, private readonly state: State, private readonly before: Before | null) {
    const { code } = store.head;
    this.cycles = code.text.map((_, line) => store.cyclesOf(line));
    this.most = this.cycles.reduce((a, b) => Math.max(a, b), 1);
    this.loops = findLoops(code.target);
    this.depth = this.loops.reduce((most, loop) => Math.max(most, loop.depth + 1), 0);
    this.element.style.setProperty('--loops', `${this.depth * 8}px`);
    store.head.silicon?.line.forEach((line, place) => this.silicon.set(line, place));
    this.element.classList.toggle('against', this.silicon.size > 0);
    this.element.style.setProperty('--text-width', `${store.code.widest + 1}ch`);
    this.element.classList.toggle('sourced', code.source.some(Boolean));
    this.element.append(this.scroller);
    this.scroller.append(this.headings(), this.sheet);
    this.sheet.tabIndex = 0;
    this.sheet.setAttribute('role', 'listbox');
    this.sheet.setAttribute('aria-label', 'Code');
    this.sheet.style.height = `${code.text.length * rowHeight}px`;
    new ResizeObserver(() => this.rows.draw()).observe(this.scroller);
    state.listenSelection(() => this.redraw());
    onTheme(() => this.redraw());
    const lineOf = (event: Event) => Number((event.target as HTMLElement).closest<HTMLElement>('.line')?.dataset.line ?? -1);
    this.sheet.addEventListener('click', (event) => {
      const line = lineOf(event);
      if (line >= 0) this.onSelect(line);
    });
    this.sheet.addEventListener('mousemove', (event) => this.onHover(lineOf(event), event.clientX, event.clientY));
    this.sheet.addEventListener('mouseleave', () => this.onHover(-1, 0, 0));
    this.sheet.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      event.stopPropagation();
      const place = this.order ? this.order.indexOf(state.line) : state.line;
      const next = Math.max(0, Math.min(code.text.length - 1, place + (event.key === 'ArrowDown' ? 1 : -1)));
      this.onSelect(this.order ? this.order[next] : next);
    });
  }

  private headings(): HTMLElement {
    const head = node('div', 'line headings');
    const sorts: HTMLElement[] = [];
    const sorter = (name: string, title: string, weight: (line: number) => number) => {
      const made = node('button', 'cost', name);
      made.title = title;
      made.addEventListener('click', () => {
        const wasSorted = made.classList.contains('sorted');
        for (const other of sorts) other.classList.remove('sorted');
        made.classList.toggle('sorted', !wasSorted);
        this.order = wasSorted ? null : this.cycles.map((_, line) => line).sort((a, b) => weight(b) - weight(a));
        this.scroller.scrollTop = 0;
        this.redraw();
      });
      sorts.push(made);
      return made;
    };
    head.append(node('span', 'number', 'address'), node('span', 'place', 'source'), node('span', 'hits', 'hits'), sorter('cycles', 'Sort by cost', (line) => this.cycles[line]));
    if (this.silicon.size) {
      const model = node('span', 'stalled', 'stall');
      model.title = 'Mean stall in the model, cycles of a hit';
      const silicon = sorter('silicon', 'Mean stall on silicon, cycles of a hit. Sort by the cycles of a wave that the two differ by', (line) => this.differenceOf(line));
      silicon.classList.replace('cost', 'stalled');
      head.append(model, silicon);
    }
    if (this.before) {
      const { before } = this;
      const column = sorter('before', 'Cycles in the other run. Sort by the difference', (line) => Math.abs(this.cycles[line] - before.cyclesOf(line)));
      head.append(column);
    }
    head.append(node('span', 'heat', this.silicon.size ? 'causes' : 'share, causes'), node('span', 'loops'), node('span', 'text', 'instruction'));
    return head;
  }

  /// Cycles of a wave by which stall or step, whichever shows more, differs from silicon's.
  private differenceOf(line: number): number {
    const place = this.silicon.get(line);
    const { silicon } = this.store.head;
    if (place === undefined || !silicon) return -1;
    return Math.max(silicon.hits[place], silicon.hitsModel[place])
      * Math.max(Math.abs(silicon.stall[place] - silicon.stallModel[place]), Math.abs(silicon.step[place] - silicon.stepModel[place]));
  }

  /// What a thread trace has of a line, beside the model's numbers.
  siliconOf(line: number): string {
    const place = this.silicon.get(line);
    const { silicon } = this.store.head;
    if (place === undefined || !silicon) return '';
    const pair = (name: string, real: number, model: number) => `${name} ${real.toFixed(1)} (model ${model.toFixed(1)})`;
    return [pair('stall', silicon.stall[place], silicon.stallModel[place]), pair('step', silicon.step[place], silicon.stepModel[place]),
      pair('hits a wave', silicon.hits[place], silicon.hitsModel[place])].join(', ');
  }

  /// The model's mean stall and silicon's, marked where they are far from each other.
  private against(line: number): HTMLElement[] {
    const { silicon } = this.store.head;
    if (!silicon) return [];
    const place = this.silicon.get(line);
    const cell = (value: number | undefined) => node('span', 'stalled', value === undefined ? '' : value.toFixed(value < 9.95 ? 1 : 0));
    if (place === undefined) return [cell(undefined), cell(undefined)];
    const model = cell(silicon.hitsModel[place] ? silicon.stallModel[place] : undefined);
    const real = cell(silicon.hits[place] ? silicon.stall[place] : undefined);
    real.classList.toggle('apart', !silicon.within[place]);
    return [model, real];
  }

  /// What the other run's counterpart took, marked where the two are far from each other.
  private beside(line: number): HTMLElement[] {
    if (!this.before) return [];
    const cycles = this.before.cyclesOf(line);
    const cell = node('span', 'cost before', this.before.has(line) ? short(cycles) : 'new');
    cell.classList.toggle('apart', Math.abs(cycles - this.cycles[line]) > 0.01 * Math.max(this.store.waveCycles, this.before.other.waveCycles));
    return [cell];
  }

  /// The loop around a line, the innermost.
  loopOf(line: number): { first: number; last: number } | null {
    let found: Loop | null = null;
    for (const loop of this.loops) if (line >= loop.first && line <= loop.last && (!found || loop.depth > found.depth)) found = loop;
    return found;
  }

  get dearest() { return this.cycles.reduce((best, cycles, line) => (cycles > this.cycles[best] ? line : best), 0); }
  /// Of the waves' time.
  shareOf(line: number) { return this.cycles[line] / this.store.waveCycles; }

  reveal(line: number) {
    if (line < 0) return;
    this.rows.reveal(this.order ? this.order.indexOf(line) : line);
  }

  redraw() { this.rows.redraw(); }

  private row(line: number): HTMLElement {
    const { code, totals } = this.store.head;
    const row = node('div', 'line');
    row.dataset.line = String(line);
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(line === this.state.line));
    if (line === this.state.line) row.classList.add('selected');
    if (this.state.found.has(line)) row.classList.add('found');
    if (this.state.operations.some((operation) => operation.line === line)) row.classList.add('waited');
    if (!totals.hits[line]) row.classList.add('unused');
    const heat = node('span', 'heat');
    if (this.cycles[line]) heat.append(heatBar(this.cycles[line] / this.most, totals.issue[line], code.category[line], totals.stalls.map((list) => list[line])));
    const loops = node('span', 'loops');
    if (!this.order) {
      for (const loop of this.loops)
        if (line >= loop.first && line <= loop.last) {
          const rail = node('i', line === loop.first ? 'first' : line === loop.last ? 'last' : '');
          rail.style.left = `${loop.depth * 8}px`;
          loops.append(rail);
        }
    }
    const text = this.text(line);
    const cost = node('span', 'cost', this.cycles[line] ? short(this.cycles[line]) : '');
    cost.title = this.cycles[line] ? `${whole(this.cycles[line])} cycles, ${percent(this.shareOf(line))}` : '';
    const place = this.store.code.placeOf(line);
    const source = node('span', 'place', place?.line ? String(place.line) : '');
    source.title = code.source[line];
    row.append(node('span', 'number', this.store.code.addresses[line].slice(2)), source, node('span', 'hits', totals.hits[line] ? short(totals.hits[line]) : ''), cost, ...this.against(line), ...this.beside(line), heat, loops, text);
    return row;
  }

  /// The instruction with its name in the category's colour, and what the search matches marked.
  private text(line: number): HTMLElement {
    const { state } = this;
    const { code } = this.store;
    const text = node('span', 'text');
    const all = code.texts[line];
    const space = all.indexOf(' ') < 0 ? all.length : all.indexOf(' ');
    const name = node('b');
    name.style.color = `color-mix(in srgb, var(--category-${this.store.head.code.category[line]}) 62%, var(--text))`;
    const marked = (part: string) => withMarks(part, state.found.has(line) ? state.searched : '');
    name.append(...marked(all.slice(0, space)));
    text.append(name, ...marked(all.slice(space)));
    return text;
  }
}

/// A text with each occurrence of `wanted` marked.
function withMarks(text: string, wanted: string): (string | HTMLElement)[] {
  if (!wanted) return [text];
  const parts: (string | HTMLElement)[] = [];
  const lower = text.toLowerCase();
  let at = 0;
  for (let found = lower.indexOf(wanted); found >= 0; found = lower.indexOf(wanted, at)) {
    parts.push(text.slice(at, found), node('mark', '', text.slice(found, found + wanted.length)));
    at = found + wanted.length;
  }
  return [...parts, text.slice(at)];
}
