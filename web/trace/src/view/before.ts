// The run that the page shows beside its own: its instructions as counterparts of this one's, and its rows below.

import { matched } from '../data/matching';
import type { Store } from '../data/store';
import { node, percent, short, whole } from './format';
import { Layout } from './layout';
import { State } from './state';
import { Timeline } from './timeline';
import { Tooltip } from './tooltip';

const changesShown = 5;

export class Before {
  readonly element = node('div', 'before');
  readonly timeline: Timeline;
  readonly tooltip: Tooltip;
  private readonly state: State;
  private readonly to: Int32Array;        ///< counterparts, -1 for none
  private readonly from = new Map<number, number>();
  onLine = (_line: number) => {};
  onRedraw = () => {};

  /// `state` is that of this page's run: both show the same stretch of time.
  constructor(private readonly store: Store, readonly other: Store, state: State) {
    this.to = matched(store.head, other.head);
    this.to.forEach((line, mine) => { if (line >= 0) this.from.set(line, mine); });
    this.state = new State(state.end);
    this.timeline = new Timeline(other, new Layout(other), this.state);
    this.timeline.canvas.setAttribute('aria-label', 'Timeline of the run beside this one');
    this.tooltip = new Tooltip(other);
    this.element.append(node('div', 'title', `Beside it: ${other.head.demangled || other.head.kernel}, ${whole(other.head.cycles)} cycles`), this.timeline.element, this.tooltip.element);
    state.listenView(() => this.state.show(state.from, state.to));
    this.state.listenView(() => state.show(this.state.from, this.state.to));
    state.listenEmphasis(() => this.state.emphasise(state.emphasis));
    this.timeline.onHover = (hit, x, y) => this.tooltip.hit(hit, x, y);
    this.timeline.onSelect = (hit) => {
      if (hit.kind === 'bin') this.state.zoomAt((hit.from + hit.to) / 2, 0.25);
      const line = hit.kind === 'instruction' ? hit.instruction.line : hit.kind === 'operation' ? hit.chunk.operations.line[hit.index] : -1;
      this.state.line = line;
      const mine = this.from.get(line);
      if (mine !== undefined) this.onLine(mine);
      this.onRedraw();
    };
  }

  draw() {
    this.other.beginFrame();
    this.timeline.draw();
    this.other.endFrame();
  }

  /// Marks the counterpart of a line.
  select(line: number) { this.state.line = line < 0 ? -1 : this.to[line]; }

  has(line: number) { return this.to[line] >= 0; }
  /// Of its counterpart, 0 for none.
  cyclesOf(line: number): number { return this.has(line) ? this.other.cyclesOf(this.to[line]) : 0; }

  /// Words for the verdict: the time, and the instructions whose cost changed most.
  changes(link: (line: number) => HTMLElement): HTMLElement[] {
    const now = this.store.head.cycles;
    const then = this.other.head.cycles;
    const share = Math.abs(now / Math.max(1, then) - 1);
    const summary = node('p', '', now === then ? `The run beside it takes as many cycles, ${whole(then)}.`
      : `${whole(now)} cycles, ${percent(share)} ${now < then ? 'fewer' : 'more'} than the ${whole(then)} of the run beside it.`);
    const rows: { change: number; row: HTMLElement }[] = [];
    const add = (name: HTMLElement | string, before: number, after: number) => {
      if (before === after) return;
      const row = node('tr');
      const cell = node('td', 'name');
      cell.append(name);
      row.append(cell, node('td', '', short(before)), node('td', '', short(after)), node('td', '', `${after > before ? '+' : '−'}${short(Math.abs(after - before))}`));
      rows.push({ change: Math.abs(after - before), row });
    };
    this.store.code.texts.forEach((_, line) => add(link(line), this.cyclesOf(line), this.store.cyclesOf(line)));
    this.other.code.texts.forEach((text, line) => { if (!this.from.has(line)) add(`${text} (gone)`, this.other.cyclesOf(line), 0); });
    rows.sort((a, b) => b.change - a.change);
    if (!rows.length) return [summary];
    const table = node('table', 'changes');
    const heading = node('tr');
    for (const name of ['wave cycles of', 'before', 'now', 'change']) heading.append(node('th', name === 'wave cycles of' ? 'name' : '', name));
    table.append(heading, ...rows.slice(0, changesShown).map(({ row }) => row));
    return [summary, table];
  }
}
