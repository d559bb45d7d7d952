// What is known of the selection: an instruction's stalls and operations, a wait's operations with where they were, a line's sums.

import { flag, isCountedBy } from '../data/chunk';
import type { OperationInfo, WaitInfo } from '../data/jobs';
import type { Store } from '../data/store';
import { counted, node, percent, time as timeText, whole } from './format';
import { categoryCount } from '../data/tile';
import type { Listing } from './listing';
import { rangeSums } from './range';
import type { State } from './state';
import { deviceTime, simulated } from './toolbar';
import { onTheme, stallBackground } from './theme';

export class Details {
  readonly element = node('div', 'details');
  onGo = (_operation: OperationInfo) => {};
  onGoWait = (_wait: WaitInfo) => {};
  onStep = (_forward: boolean) => {};
  onLine = (_line: number) => {};
  onWave = (_wave: number) => {};

  constructor(private readonly store: Store, private readonly state: State, private readonly listing: Listing) {
    state.listenSelection(() => this.draw());
    onTheme(() => this.draw());
  }

  private swatch(background: string) {
    const made = node('i', 'swatch');
    made.style.background = background;
    return made;
  }

  private link(text: string, action: () => void, title = ''): HTMLElement {
    const made = node('button', 'link', text);
    made.title = title;
    made.addEventListener('click', action);
    return made;
  }

  private facts(pairs: [string, string | HTMLElement][]): HTMLElement {
    const list = node('dl');
    for (const [name, value] of pairs) {
      if (value === '') continue;
      const text = node('dd');
      text.append(value);
      list.append(node('dt', '', name), text);
    }
    return list;
  }

  draw() {
    this.element.replaceChildren();
    this.element.scrollTop = 0;
    const { instruction, line, range } = this.state;
    if (range) this.drawRange(range);
    if (instruction) this.drawInstruction();
    if (line >= 0) this.drawLine(line);
    if (line < 0 && !range) this.drawRun();
  }

  private heading(line: number, kind: string) {
    const { code } = this.store.head;
    const head = node('h2');
    head.append(this.swatch(`var(--category-${code.category[line]})`), node('code', '', this.store.code.texts[line] ?? ''));
    this.element.append(node('div', 'kind', kind), head);
  }

  /// Redraws a range whose numbers weren't all there.
  arrived() { if (this.state.range && !this.rangeIsComplete) this.draw(); }

  private rangeIsComplete = true;
  private drawRange({ from, to, cu }: { from: number; to: number; cu: number }) {
    const { head } = this.store;
    const sums = rangeSums(this.store, cu, from, to);
    this.rangeIsComplete = sums.complete;
    const cycles = to - from;
    this.element.append(node('div', 'kind', `Measured on CU ${cu}`), node('h2', '', `${whole(cycles)} cycles${head.clockMHz ? `, ${timeText(cycles, head.clockMHz)}` : ''}`),
      this.facts([
        ['from, to', `${whole(from)} to ${whole(to)}`],
        ['waves', `${sums.waves.toFixed(1)} on average`],
        ['in flight', `${sums.inFlight.map((mean, c) => `${head.counters[c]} ${mean.toFixed(1)}`).join(', ')} on average`],
        ...sums.pipes.map(({ pipe, share }) => [head.pipes[pipe], `${percent(share)} busy`] as [string, string]),
      ]));
    const parts = sums.classes.map((share, c) => ({
      name: c < categoryCount ? `${head.categories[c]} issue` : head.stalls[c - categoryCount], cycles: share,
      background: c < categoryCount ? `var(--category-${c})` : stallBackground(c - categoryCount),
    }));
    this.drawParts(parts);
  }

  private drawInstruction() {
    const { head } = this.store;
    const at = this.state.instruction!;
    const wave = this.store.waveByNumber.get(at.wave);
    this.heading(at.line, 'Selected instruction');
    const where = node('span');
    where.append(this.link(`wave ${at.wave}`, () => this.onWave(at.wave), 'Show this wave\'s counters'),
      ` of workgroup ${wave ? `${wave.workgroup} (its wave ${wave.inGroup})` : '?'}, CU ${at.cu} SIMD ${Math.floor(at.row / head.slots)} slot ${at.row % head.slots}`);
    const stalls = node('span');
    for (const { cause, cycles } of at.stalls) {
      const item = node('span', 'stall');
      item.append(this.swatch(stallBackground(cause)), `${head.stalls[cause]} ${whole(cycles)}`);
      stalls.append(item);
    }
    this.element.append(this.facts([
      ['where', where],
      ['arrived', `${whole(at.arrived)}  (${timeText(at.arrived, head.clockMHz)})`],
      ['stalled', at.stalls.length ? stalls : 'not at all'],
      ['issued', `${whole(at.issued)}  for ${whole(at.issue)} cycles`],
      ['pipe', at.busy ? `${head.pipes[at.pipe]}, busy for ${whole(at.busy)} cycles` : ''],
      ['lanes', at.lanes ? `${at.lanes} active` : ''],
    ]));
    const own = this.state.operations.filter((operation) => operation.issued === at.issued && operation.line === at.line);
    const waited = this.state.operations.filter((operation) => !own.includes(operation));
    if (waited.length) this.drawWaited(waited, at.arrived);
    for (const operation of own) this.drawOwn(operation);
  }

  private drawWaited(operations: OperationInfo[], arrived: number) {
    this.element.append(node('h3', '', `Waited for ${operations.length} operation${operations.length > 1 ? 's' : ''}`));
    const table = node('table');
    table.append(this.tableHead(['', 'instruction', 'issued', 'returned', 'latency', 'from']));
    const lastReturned = Math.max(...operations.map((operation) => operation.returned));
    for (const operation of operations) {
      const row = node('tr', operation.returned === lastReturned ? 'last' : '');
      const level = node('td');
      level.append(this.swatch(`var(--level-${operation.level})`));
      const name = node('td', 'name');
      name.append(this.link(this.store.code.texts[operation.line] ?? '', () => this.onGo(operation), `${this.store.code.addresses[operation.line]}: go to where it was issued`));
      row.append(level, name, node('td', '', whole(operation.issued)),
        node('td', '', `+${whole(operation.returned - arrived)}`), node('td', '', whole(operation.returned - operation.issued)),
        node('td', 'from', this.places(operation)));
      table.append(row);
    }
    this.element.append(table, node('p', 'note', 'Returned: cycles after the wait arrived. The last one decided its length.'));
  }

  private tableHead(names: string[]) {
    const row = node('tr');
    for (const name of names) row.append(node('th', name === 'instruction' ? 'name' : '', name));
    return row;
  }

  private places(operation: OperationInfo): string {
    const { levels } = this.store.head;
    const parts = operation.hits.map((lines, level) => (lines ? `${levels[level]} ${lines}` : '')).filter(Boolean);
    return parts.length > 1 ? parts.join(', ') : levels[operation.level];
  }

  private drawOwn(operation: OperationInfo) {
    const { head } = this.store;
    const counter = head.counters.filter((_, c) => isCountedBy(operation.flags, c)).join(', ') || 'none';
    const traits = [operation.flags & flag.store ? 'store' : '', operation.flags & flag.ldsDma ? 'to LDS' : '', operation.flags & flag.atomic ? 'atomic' : ''].filter(Boolean);
    const waiters = node('span');
    for (const wait of this.state.waiters)
      waiters.append(this.link(`${head.code.text[wait.line]} at ${whole(wait.done)}`, () => this.onGoWait(wait)), ' ');
    this.element.append(node('h3', '', `Its operation${traits.length ? ` (${traits.join(', ')})` : ''}`), this.facts([
      ['counter', counter],
      ['queued', `${whole(operation.begin - operation.issued)} cycles`],
      ['in pipe', `${head.pipes[operation.pipe]} for ${whole(operation.end - operation.begin)} cycles`],
      ['conflicts', operation.conflicts ? `${whole(operation.conflicts)} cycles of them` : ''],
      ['returned', `${whole(operation.returned)}, ${whole(operation.returned - operation.issued)} after issue`],
      ['data', operation.bytes ? `${whole(operation.bytes)} bytes, ${operation.requests} requests` : ''],
      ['from', this.places(operation)],
      ['waited by', this.state.waiters.length ? waiters : 'nobody'],
    ]));
  }

  private drawLine(line: number) {
    const { head } = this.store;
    const { code, totals } = head;
    if (this.state.instruction?.line !== line) this.heading(line, 'Selected line');
    const hits = totals.hits[line] ?? 0;
    const title = node('h3', '', `${this.store.code.addresses[line]} in the whole run `);
    if (hits)
      title.append(this.link('◂ previous', () => this.onStep(false), 'Its previous execution  ( , )'), ' ', this.link('next ▸', () => this.onStep(true), 'Its next execution  ( . )'));
    this.element.append(title);
    const loop = this.listing.loopOf(line);
    const operations = totals.operations[line] ?? 0;
    const moved = totals.levels.map((list, level) => ({ level, lines: list[line] ?? 0 })).filter(({ lines }) => lines);
    const allMoved = moved.reduce((sum, { lines }) => sum + lines, 0);
    this.element.append(this.facts([
            ['source', code.source[line] ?? ''],
      ['loop', loop ? this.link(`${this.store.code.addresses[loop.first]} to ${this.store.code.addresses[loop.last]}`, () => this.onLine(loop.first)) : ''],
      ['hits', whole(hits)],
      ['silicon', this.listing.siliconOf(line)],
      ['cycles', hits ? `${whole(this.store.cyclesOf(line))}, ${percent(this.listing.shareOf(line))} of all; ${(this.store.cyclesOf(line) / hits).toFixed(1)} each` : ''],
      ['lanes', hits && totals.lanes[line] ? `${(totals.lanes[line] / hits).toFixed(1)} active` : ''],
      ['latency', operations ? `${(totals.latency[line] / operations).toFixed(0)} cycles on average, ${whole(totals.maxLatency[line])} at most` : ''],
      ['queued', operations ? `${(totals.queued[line] / operations).toFixed(1)} cycles on average` : ''],
      ['conflicts', totals.conflicts[line] ? `${(totals.conflicts[line] / operations).toFixed(1)} cycles each` : ''],
      ['data', totals.bytes[line] ? `${whole(totals.bytes[line])} bytes` : ''],
      ['from', moved.map(({ level, lines }) => `${head.levels[level]} ${percent(lines / allMoved)}`).join(', ')],
    ]));
    this.drawCauses(line);
    this.drawBlames(line);
  }

  private drawCauses(line: number) {
    const { totals, stalls, categories, code } = this.store.head;
    const parts = [{ name: `${categories[code.category[line]]} issue`, cycles: totals.issue[line] ?? 0, background: `var(--category-${code.category[line]})` },
      ...stalls.map((name, cause) => ({ name, cycles: totals.stalls[cause][line] ?? 0, background: stallBackground(cause) }))];
    this.drawParts(parts);
  }

  private drawParts(every: { name: string; cycles: number; background: string }[]) {
    const parts = every.filter(({ cycles }) => cycles);
    const all = parts.reduce((sum, { cycles }) => sum + cycles, 0);
    const list = node('div', 'causes');
    for (const { name, cycles, background } of parts.sort((a, b) => b.cycles - a.cycles)) {
      const bar = node('span', 'causebar');
      const fill = node('i');
      fill.style.width = `${(cycles / all) * 100}%`;
      fill.style.background = background;
      bar.append(fill);
      list.append(node('span', 'causename', name), bar, node('span', 'causeshare', percent(cycles / all)));
    }
    this.element.append(list);
  }

  private drawBlames(line: number) {
    const { totals } = this.store.head;
    const blames = totals.blames.filter(([wait]) => wait === line).sort((a, b) => b[3] - a[3]);
    if (!blames.length) return;
    this.element.append(node('h3', '', 'Operations by the cycles that it waited for each'));
    const table = node('table');
    table.append(this.tableHead(['instruction', 'times', 'cycles']));
    for (const [, operation, times, cycles] of blames.slice(0, 12)) {
      const row = node('tr');
      const name = node('td', 'name');
      name.append(this.link(this.store.code.texts[operation], () => this.onLine(operation)));
      row.append(name, node('td', '', whole(times)), node('td', '', whole(cycles)));
      table.append(row);
    }
    this.element.append(table);
  }

  private drawRun() {
    const { head } = this.store;
    const shape = (list: number[]) => list.join(' × ');
    this.element.append(node('div', 'kind', 'The run'), node('h2', '', head.demangled || head.kernel), this.facts([
      ['chip', [head.device, head.chip].filter(Boolean).join(', ')],
      ['time', `${whole(head.cycles)} cycles${head.clockMHz ? `, ${timeText(head.cycles, head.clockMHz)} at ${whole(head.clockMHz)} MHz` : ''}`],
      ['device', deviceTime(head)],
      ['grid', `${shape(head.grid)} workgroups of ${shape(head.block)}`],
      ['simulated', `${simulated(head)}, ${counted(head.waves, 'wave')}`],
      ['resident', `${counted(head.workgroupsPerCu, 'workgroup')} a CU of ${counted(head.wavesPerWorkgroup, 'wave')}`],
      ['instructions', `${whole(head.instructions)}, ${(head.instructions / Math.max(1, head.cycles) / head.cus).toFixed(2)} a cycle and CU`],
      ['registers', `${head.vgprs} VGPRs, ${head.agprs} AGPRs, ${head.sgprs} SGPRs allocated`],
      ['LDS', head.ldsBytes ? `${whole(head.ldsBytes)} bytes` : 'none'],
      ['scratch', head.scratchBytes ? `${whole(head.scratchBytes)} bytes` : ''],
      ['silicon', head.silicon ? `${whole(head.silicon.wave)} cycles a wave on silicon, ${whole(head.silicon.waveModel)} in the model` : ''],
      ['state', head.whole ? '' : 'the run ended early, or only a part of the grid was simulated'],
    ]), node('p', 'note', 'Click an instruction or a line. A click on a wait shows what it waited for. Press ? for the keys.'));
  }
}
