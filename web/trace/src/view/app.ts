// What happens between the views: selection, keys and redrawing.

import type { Chunk } from '../data/chunk';
import { lowerBound } from '../data/chunk';
import type { OperationInfo, Place, WaitInfo } from '../data/jobs';
import type { Store } from '../data/store';
import { Axis } from './axis';
import { Before } from './before';
import { Counters } from './counters';
import { Details } from './details';
import { node } from './format';
import { Layout } from './layout';
import { Listing } from './listing';
import { Marks } from './marks';
import { SourcePane } from './source';
import { State, type InstructionInfo } from './state';
import { onTheme, toggleTheme } from './theme';
import { gutter, instructionAt, Timeline, type Hit } from './timeline';
import { Help, makeLegend, Toolbar } from './toolbar';
import { Tooltip } from './tooltip';
import { Verdict } from './verdict';

/// Pixels below which all stands in one column, as in style.css.
const narrow = 800;

export class App {
  readonly state: State;
  readonly timeline: Timeline;
  readonly listing: Listing;
  readonly toolbar: Toolbar;
  frames = 0; ///< drawn so far
  private readonly layout: Layout;
  readonly axis: Axis;
  private readonly counters: Counters;
  private readonly details: Details;
  private readonly source: SourcePane;
  private readonly verdict: Verdict;
  private readonly marks: Marks;
  readonly before: Before | null;
  private readonly tooltip: Tooltip;
  private readonly help = new Help();
  private readonly held = new Set<string>();
  private isStale = false;
  private selections = 0;
  private pending = 0; ///< questions to the worker on the way

  /// `other`: a run that is shown below, or null.
  constructor(readonly store: Store, other: Store | null, root: HTMLElement) {
    this.state = new State(Math.max(store.head.cycles, other?.head.cycles ?? 0));
    this.before = other ? new Before(store, other, this.state) : null;
    this.layout = new Layout(store);
    this.timeline = new Timeline(store, this.layout, this.state);
    this.axis = new Axis(store, this.state, (cu) => this.layout.slotsOf(cu));
    this.counters = new Counters(store, this.layout, this.state);
    this.listing = new Listing(store, this.state, this.before);
    this.details = new Details(store, this.state, this.listing);
    this.source = new SourcePane(store, this.state);
    this.verdict = new Verdict(store, this.listing, this.before);
    this.marks = new Marks(store, this.state, this.axis);
    this.toolbar = new Toolbar(store, this.state);
    this.tooltip = new Tooltip(store);
    document.title = `${store.head.demangled || store.head.kernel} – Inflight trace`;

    const left = node('div', 'left');
    const cursor = node('div', 'cursor');
    cursor.hidden = true;
    this.timeline.onCursor = (x) => {
      cursor.hidden = x === null;
      cursor.style.left = `${gutter + (x ?? 0)}px`;
      this.counters.read(x);
    };
    left.append(this.axis.element, this.timeline.element, ...(this.before ? [this.before.element] : []), this.counters.element, cursor);
    const right = node('div', 'right');
    const across = node('div', 'splitter across');
    right.append(this.verdict.element, this.tabs(), this.listing.element, this.source.element, across, this.details.element);
    const splitter = node('div', 'splitter');
    const body = node('main');
    body.append(left, splitter, right);
    root.append(this.toolbar.element, body, makeLegend(store, this.state), this.tooltip.element, this.help.element);
    this.splits(splitter, (event) => { right.style.width = `${Math.max(260, Math.min(innerWidth - 400, innerWidth - event.clientX))}px`; });
    this.splits(across, (event) => {
      const box = right.getBoundingClientRect();
      this.details.element.style.height = `${Math.max(80, Math.min(box.height - 120, box.bottom - event.clientY))}px`;
    });
    this.connect();
    this.details.draw();
    this.listing.reveal(this.listing.dearest);
    this.stale();
    Object.assign(window, { inflight: this });
  }

  private splits(handle: HTMLElement, move: (event: PointerEvent) => void) {
    handle.addEventListener('pointerdown', (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener('pointermove', (event) => { if (handle.hasPointerCapture(event.pointerId)) move(event); });
  }

  /// Code, and the sources where there are some.
  private tabs(): HTMLElement {
    const bar = node('div', 'tabs');
    bar.setAttribute('role', 'tablist');
    const panes = [['Code', this.listing.element], ['Source', this.source.element]] as const;
    const buttons = panes.map(([name, pane]) => {
      const button = node('button', '', name);
      button.setAttribute('role', 'tab');
      button.addEventListener('click', () => {
        for (const [i, [, other]] of panes.entries()) {
          other.hidden = other !== pane;
          buttons[i].setAttribute('aria-selected', String(other === pane));
        }
      });
      return button;
    });
    bar.append(...buttons);
    bar.hidden = this.source.isEmpty;
    buttons[0].click();
    return bar;
  }

  private connect() {
    const { state, store, timeline } = this;
    const stale = () => this.stale();
    state.listenView(stale);
    state.listenSelection(stale);
    state.listenEmphasis(stale);
    store.onArrival = () => {
      this.stale();
      this.details.arrived();
    };
    store.onError = (why) => this.toolbar.element.append(node('span', 'warning', why));
    timeline.onResize = timeline.onRedraw = this.axis.onRedraw = this.counters.onRedraw = stale;
    onTheme(stale);
    timeline.onHover = (hit, x, y) => this.tooltip.hit(hit, x, y);
    timeline.onSelect = (hit) => this.select(hit);
    this.listing.onSelect = (line) => this.selectLine(line);
    this.listing.onHover = (line, x, y) => this.tooltip.line(line, x, y);
    this.verdict.onLine = (line) => this.selectLine(line);
    this.source.onSelect = (file, line) => this.selectSource(file, line);
    this.toolbar.onMatch = (line) => {
      this.selectLine(line);
      void this.stepLine(true, true);
    };
    this.toolbar.onHelp = () => this.help.toggle();
    this.toolbar.onWhole = () => this.showAll();
    this.details.onGo = (operation) => void this.goTo(operation.wave, state.waveCu, operation.row, operation.issued);
    this.details.onGoWait = (wait) => void this.goTo(wait.wave, state.waveCu, wait.row, wait.done);
    this.details.onLine = (line) => this.selectLine(line);
    this.details.onStep = (forward) => void this.stepLine(forward, false);
    this.details.onWave = (wave) => {
      state.wave = wave;
      state.changedSelection();
    };
    if (this.before) this.connectBefore(this.before);
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('keyup', (event) => this.held.delete(event.code));
    addEventListener('blur', () => this.held.clear());
  }

  private connectBefore(before: Before) {
    const stale = () => this.stale();
    before.other.onArrival = before.onRedraw = stale;
    before.timeline.onResize = before.timeline.onRedraw = stale;
    before.timeline.onCursor = this.timeline.onCursor;
    before.onLine = (line) => this.selectLine(line);
    this.state.listenSelection(() => before.select(this.state.line));
  }

  private stale() {
    if (this.isStale) return;
    this.isStale = true;
    requestAnimationFrame((now) => this.draw(now));
  }

  private lastFrame = 0;
  private draw(now: number) {
    this.isStale = false;
    const elapsed = Math.max(0, Math.min(50, now - this.lastFrame));
    this.lastFrame = now;
    this.moveByKeys(elapsed);
    this.store.beginFrame();
    this.timeline.draw();
    this.axis.draw();
    this.counters.draw();
    this.store.endFrame();
    this.before?.draw();
    ++this.frames;
    if (this.held.size) this.stale();
  }

  /// All that the view wants to show is there and drawn.
  get idle() { return !this.isStale && this.store.idle && (this.before?.other.idle ?? true) && this.pending === 0 && !this.marks.isBusy && this.frames > 0; }

  private moveByKeys(elapsed: number) {
    const { state, held } = this;
    const turn = elapsed / 1000;
    if (held.has('KeyA')) state.pan(-state.span * turn);
    if (held.has('KeyD')) state.pan(state.span * turn);
    if (held.has('KeyW')) state.zoomAt((state.from + state.to) / 2, Math.exp(-2.2 * turn));
    if (held.has('KeyS')) state.zoomAt((state.from + state.to) / 2, Math.exp(2.2 * turn));
  }

  showAll() {
    const margin = this.state.end * 0.01;
    this.state.show(-margin, this.state.end + margin);
  }

  private async asking<T>(question: Promise<T>): Promise<T> {
    ++this.pending;
    try {
      return await question;
    } finally {
      --this.pending;
    }
  }

  select(hit: Hit) {
    // Where all stands in one column, what was selected is below the edge.
    if ((hit.kind === 'instruction' || hit.kind === 'operation') && innerWidth < narrow) this.details.element.scrollIntoView({ block: 'nearest' });
    if (hit.kind === 'instruction') {
      void this.selectInstruction(hit.instruction);
    } else if (hit.kind === 'operation') {
      const ops = hit.chunk.operations;
      void this.goTo(ops.wave[hit.index], hit.cu, ops.row[hit.index], ops.issued[hit.index]);
    } else if (hit.kind === 'bin') {
      this.state.zoomAt((hit.from + hit.to) / 2, 0.25);
    } else {
      this.state.clear();
    }
  }

  selectLine(line: number) {
    const { state } = this;
    state.source = null;
    state.line = line;
    if (state.instruction?.line !== line) {
      state.instruction = null;
      state.operations = [];
      state.waiters = [];
    }
    state.changedSelection();
    this.listing.reveal(line);
  }

  /// Marks the instructions of a source line, and shows the dearest.
  selectSource(file: string, line: number) {
    const { state } = this;
    const lines = this.store.code.linesOf(file, line);
    state.clear();
    state.source = { file, line };
    state.searched = '';
    state.found = new Set(lines);
    state.line = lines.reduce((best, at) => (best < 0 || this.store.cyclesOf(at) > this.store.cyclesOf(best) ? at : best), -1);
    state.changedSelection();
    state.changedFound();
    this.listing.reveal(state.line);
  }

  async selectInstruction(instruction: InstructionInfo) {
    const { state } = this;
    const mine = ++this.selections;
    state.source = null;
    state.instruction = instruction;
    state.line = instruction.line;
    state.wave = instruction.wave;
    state.waveCu = instruction.cu;
    state.operations = [];
    state.waiters = [];
    state.changedSelection();
    this.listing.reveal(instruction.line);

    const { operations, waiters } = await this.asking(this.related(instruction));
    if (mine !== this.selections) return;
    state.operations = operations;
    state.waiters = waiters;
    state.changedSelection();
  }

  /// What a wait waited for; or an instruction's own operation and who waited for it.
  private async related(at: InstructionInfo): Promise<{ operations: OperationInfo[]; waiters: WaitInfo[] }> {
    const { store } = this;
    for (const id of store.chunkIds(at.cu, at.issued, at.issued + 1)) {
      const { waits, operations } = await store.ask<Chunk>({ type: 'chunk', chunk: id });
      for (let i = lowerBound(waits.done, 0); i < waits.count; ++i)
        if (waits.wave[i] === at.wave && waits.line[i] === at.line && waits.done[i] === at.issued) {
          const numbers = Array.from(waits.numbers.subarray(waits.start[i], waits.start[i + 1]));
          const chunks = store.chunkIds(at.cu, waits.earliest[i], at.issued);
          return { operations: await store.ask<OperationInfo[]>({ type: 'operations', wave: at.wave, numbers, chunks }), waiters: [] };
        }
      for (let i = 0; i < operations.count; ++i)
        if (operations.wave[i] === at.wave && operations.issued[i] === at.issued) {
          const own = await store.ask<OperationInfo[]>({ type: 'operations', wave: at.wave, numbers: [operations.number[i]], chunks: [id] });
          const chunks = store.chunkIds(at.cu, operations.returned[i], operations.returned[i] + 1);
          const waiters = await store.ask<WaitInfo[]>({ type: 'waiters', wave: at.wave, number: operations.number[i], chunks });
          return { operations: own, waiters };
        }
    }
    return { operations: [], waiters: [] };
  }

  /// Selects the instruction that a wave issued at a time and brings it into view.
  async goTo(wave: number, cu: number, slot: number, issued: number) {
    const { store, state } = this;
    for (const id of store.chunkIds(cu, issued, issued + 1)) {
      const chunk = await this.asking(store.ask<Chunk>({ type: 'chunk', chunk: id }));
      const ins = chunk.instructions;
      const end = ins.rowStart[slot + 1];
      for (let i = lowerBound(ins.issued, issued, ins.rowStart[slot], end); i < end && ins.issued[i] === issued; ++i)
        if (ins.wave[i] === wave) {
          const found = instructionAt(chunk, i, cu, slot);
          if (this.layout.isFolded(cu)) {
            this.layout.fold(cu, false);
            this.timeline.relayout();
          }
          state.reveal(found.arrived, found.issued + found.issue);
          this.timeline.reveal(cu, slot);
          await this.selectInstruction(found);
          return;
        }
    }
  }

  /// The next execution of the selected line: of the selected wave if there is one. `anywhere`: the one in view will do.
  async stepLine(forward: boolean, anywhere: boolean) {
    const { state, store } = this;
    if (state.line < 0 || !store.head.totals.hits[state.line]) return;
    const time = state.instruction?.line === state.line ? state.instruction.issued : forward ? Math.max(0, state.from) : state.to;
    const wave = anywhere ? -1 : state.wave;
    const cus = wave >= 0 ? [state.waveCu] : [...Array(store.head.cus).keys()].filter((cu) => !this.layout.isFolded(cu));
    const from = anywhere && time > store.head.totals.last[state.line] ? 0 : time;
    const found = await this.asking(store.ask<Place | null>({
      type: 'find', line: state.line, wave, from, forward, chunks: store.chunksForLine(cus, state.line, from, forward),
    }));
    if (!found) return;
    const cu = store.waveByNumber.get(found.wave)?.cu ?? 0;
    await this.goTo(found.wave, cu, found.row, found.issued);
  }

  /// The wave's next instruction, or its next wait that had to wait.
  async stepWave(forward: boolean, onlyWaits: boolean) {
    const at = this.state.instruction;
    if (!at) return;
    const { store } = this;
    const { chunks } = store.head;
    const ids = store.chunkIds(at.cu, forward ? at.issued : 0, forward ? Infinity : at.issued + 1);
    if (!forward) ids.reverse();
    for (const id of ids) {
      if (onlyWaits && !chunks.waits[id]) continue;
      const chunk = await this.asking(store.ask<Chunk>({ type: 'chunk', chunk: id }));
      const { waits, instructions: ins } = chunk;
      const start = ins.rowStart[at.row];
      const end = ins.rowStart[at.row + 1];
      const step = forward ? 1 : -1;
      const waitTimes = new Set<number>();
      if (onlyWaits) for (let i = 0; i < waits.count; ++i) if (waits.wave[i] === at.wave) waitTimes.add(waits.done[i]);
      let i = lowerBound(ins.issued, at.issued, start, end);
      if (!forward) --i;
      else if (i < end && ins.issued[i] === at.issued) ++i;
      for (; i >= start && i < end; i += step)
        if (ins.wave[i] === at.wave && (!onlyWaits || waitTimes.has(ins.issued[i]))) {
          const found = instructionAt(chunk, i, at.cu, at.row);
          this.state.reveal(found.arrived, found.issued + found.issue);
          await this.selectInstruction(found);
          return;
        }
    }
  }

  private key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const { state } = this;
    if (this.help.element.open) {
      if (event.key === '?') this.help.toggle();
      return;
    }
    if (['KeyW', 'KeyA', 'KeyS', 'KeyD'].includes(event.code)) {
      if (!this.held.size) this.lastFrame = performance.now();
      this.held.add(event.code);
      this.stale();
      return;
    }
    const at = state.instruction;
    const actions: Record<string, () => void> = {
      '/': () => this.toolbar.input.focus(),
      '?': () => this.help.toggle(),
      t: toggleTheme,
      0: () => this.showAll(),
      Home: () => this.showAll(),
      f: () => { if (at) state.show(at.arrived - (at.issued - at.arrived + 20) * 0.3, at.issued + at.issue + (at.issued - at.arrived + 20) * 0.3); },
      ArrowLeft: () => void this.stepWave(false, false),
      ArrowRight: () => void this.stepWave(true, false),
      '[': () => void this.stepWave(false, true),
      ']': () => void this.stepWave(true, true),
      ',': () => void this.stepLine(false, false),
      '.': () => void this.stepLine(true, false),
      PageUp: () => this.timeline.scroll(-this.timeline.height * 0.8),
      PageDown: () => this.timeline.scroll(this.timeline.height * 0.8),
      Escape: () => state.clear(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
