// What the run comes to, in words and links: what costs most of the device, where the time went, the waits that cost most and what each waited for, what
// bounds occupancy and what would lift that.

import type { Store } from '../data/store';
import { runShares } from './axis';
import type { Before } from './before';
import { counted, node, percent, whole } from './format';
import type { Listing } from './listing';

const waitsShown = 5;

/// What waves do while a cause holds them up.
const waiting: Record<string, string> = {
  fetch: 'waiting for instructions to be fetched',
  dependency: 'waiting for results of their own ALU instructions',
  waitcnt: 'waiting for memory operations',
  barrier: 'waiting for other waves at barriers',
  sleep: 'asleep, in s_sleep and s_nop',
  'queue full': 'waiting for room in the memory pipeline\'s queue',
  'pipe busy': 'waiting for a busy ALU or matrix core',
  'LDS busy': 'waiting for room in the LDS queue',
  arbiter: 'waiting while another wave was chosen',
};
/// What operations of a category are called.
const operations: Record<string, string> = { VMEM: 'global memory', FLAT: 'flat memory', LDS: 'LDS', SMEM: 'scalar memory' };

type Piece = string | HTMLElement;

export class Verdict {
  readonly element = node('section', 'verdict');
  private readonly body = node('div', 'reasons');
  private readonly toggle = node('button', 'toggle');
  onLine = (_line: number) => {};

  constructor(private readonly store: Store, private readonly listing: Listing, before: Before | null) {
    this.element.setAttribute('aria-label', 'Verdict');
    this.toggle.setAttribute('aria-label', 'Reasons');
    const head = node('div', 'finding');
    const finding = node('strong', '', store.head.verdict);
    finding.addEventListener('click', () => this.open(!this.isOpen));
    head.append(this.toggle, finding);
    this.body.append(...[this.waves(), this.pipes(), this.loop(), this.occupancy(), this.next()].filter((part) => part.length).map((part) => {
      const paragraph = node('p');
      paragraph.append(...part);
      return paragraph;
    }));
    const waits = this.waits();
    if (waits) this.body.prepend(waits);
    if (before) this.body.prepend(...before.changes((line) => this.link(line)));
    this.element.append(head, this.body);
    this.toggle.addEventListener('click', () => this.open(!this.isOpen));
    this.open(innerHeight >= 760 && innerWidth >= 800);
  }

  private get isOpen() { return !this.body.hidden; }
  private open(isOpen: boolean) {
    this.body.hidden = !isOpen;
    this.toggle.textContent = isOpen ? '▾' : '▸';
    this.toggle.setAttribute('aria-expanded', String(isOpen));
  }

  private link(line: number, before = ''): HTMLElement {
    const made = node('button', 'link', before + this.store.code.texts[line]);
    made.title = [this.store.code.addresses[line], this.store.code.sourceOf(line)].filter(Boolean).join(', ');
    made.addEventListener('click', () => this.onLine(line));
    return made;
  }

  /// Of the run, over all units: VALU and MFMA of each SIMD.
  private busyShare(category: string): number {
    const { head } = this.store;
    const of = head.categories.indexOf(category);
    const busy = head.totals.busy.reduce((sum, cycles, line) => sum + (head.code.category[line] === of ? cycles : 0), 0);
    return busy / Math.max(1, head.cycles * head.simds * head.cus);
  }

  private waves(): Piece[] {
    const { head } = this.store;
    if (!head.instructions) return [];
    const { categories, stalls } = runShares(this.store);
    const issuing = categories.reduce((a, b) => a + b, 0);
    const worst = stalls.indexOf(Math.max(...stalls));
    if (issuing >= stalls[worst]) {
      const most = categories.indexOf(Math.max(...categories));
      return [`Waves spend ${percent(issuing)} of their time issuing instructions, ${percent(categories[most])} ${head.categories[most]}.`];
    }
    const kind = head.stalls[worst] === 'waitcnt' ? this.mostWaitedFor() : '';
    return [`Waves spend ${percent(stalls[worst])} of their time ${waiting[head.stalls[worst]] ?? `in ${head.stalls[worst]}`}${kind}.`];
  }

  private mostWaitedFor(): string {
    const { totals, code, categories } = this.store.head;
    const sums = new Map<string, number>();
    for (const [, operation, , cycles] of totals.blames) {
      const name = operations[categories[code.category[operation]]] ?? categories[code.category[operation]];
      sums.set(name, (sums.get(name) ?? 0) + cycles);
    }
    const all = [...sums.values()].reduce((a, b) => a + b, 0);
    const [name, cycles] = [...sums].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
    return all ? `, ${cycles / all > 0.95 ? 'all' : percent(cycles / all)} of it for ${name}` : '';
  }

  private pipes(): Piece[] {
    const parts = ([['matrix cores', 'MFMA'], ['vector ALUs', 'VALU']] as const)
      .map(([name, category]) => [name, this.busyShare(category)] as const).filter(([, share]) => share > 0.0005);
    return parts.length ? [`Busy: ${parts.map(([name, share]) => `${name} ${percent(share)} of the time`).join(', ')}.`] : [];
  }

  private loop(): Piece[] {
    const { listing, store } = this;
    const loop = listing.loopOf(listing.dearest);
    if (!loop) return [];
    let cycles = 0;
    for (let line = loop.first; line <= loop.last; ++line) cycles += store.cyclesOf(line);
    const iterations = store.head.totals.hits[loop.first];
    const each = cycles / Math.max(1, iterations);
    const first = node('button', 'link', `${store.code.addresses[loop.first]} to ${store.code.addresses[loop.last]}`);
    first.addEventListener('click', () => this.onLine(loop.first));
    const source = store.code.sourceOf(loop.first);
    return [`${percent(cycles / store.waveCycles)} of the waves' time is in the loop `, first, source ? ` (${source})` : '', `: ${whole(each)} cycles an iteration of a wave.`];
  }

  private waits(): HTMLElement | null {
    const { head, code } = this.store;
    const [waitcnt, barrier] = ['waitcnt', 'barrier'].map((name) => head.totals.stalls[head.stalls.indexOf(name)] ?? []);
    const cost = (line: number) => (waitcnt[line] ?? 0) + (barrier[line] ?? 0);
    const lines = code.texts.map((_, line) => line).filter((line) => cost(line) > 0).sort((a, b) => cost(b) - cost(a)).slice(0, waitsShown);
    if (!lines.length) return null;
    const table = node('table');
    const heading = node('tr');
    for (const name of ['share', 'cycles each', 'wait', 'waits for', 'latency']) {
      const cell = node('th', name === 'wait' || name === 'waits for' ? 'name' : '', name);
      cell.scope = 'col';
      heading.append(cell);
    }
    table.append(heading);
    for (const line of lines) {
      const row = node('tr');
      const wait = node('td', 'name');
      wait.append(this.link(line));
      const [causes, latency] = this.causeOf(line, waitcnt[line] ?? 0);
      const cause = node('td', 'name');
      cause.append(...causes);
      row.append(node('td', '', percent(cost(line) / this.store.waveCycles)), node('td', '', whole(cost(line) / Math.max(1, head.totals.hits[line]))), wait, cause, node('td', '', latency));
      table.append(row);
    }
    return table;
  }

  /// The operation that a wait waited for longest, its part of the wait unless that is all, and its mean latency.
  private causeOf(line: number, waited: number): [Piece[], string] {
    const { totals, code } = this.store.head;
    const blames = totals.blames.filter(([wait]) => wait === line).sort((a, b) => b[3] - a[3]);
    if (!blames.length) return [[code.text[line].startsWith('s_barrier') ? 'the last wave of the workgroup' : waited ? 'room in its counter' : ''], ''];
    const [, operation, , cycles] = blames[0];
    const part = cycles / Math.max(1, blames.reduce((sum, blame) => sum + blame[3], 0));
    const count = totals.operations[operation];
    return [[this.link(operation, part < 0.995 ? `${percent(part)} ` : '')], count ? whole(totals.latency[operation] / count) : ''];
  }

  /// What to do with all this.
  private next(): Piece[] {
    if (!this.store.head.instructions) return [];
    return ['What would help: ', node('code', '', 'inflight advise'), ' with the same kernel and arguments runs it with weaker waits, without bank conflicts and with one more workgroup a CU, and says what each gains.'];
  }

  private occupancy(): Piece[] {
    const { head } = this.store;
    if (!head.workgroupsPerCu) return [];
    const slots = head.simds * head.slots;
    const text = `Occupancy: room for ${counted(head.workgroupsPerCu, 'workgroup')} of ${counted(head.wavesPerWorkgroup, 'wave')} on a CU, ${head.workgroupsPerCu * head.wavesPerWorkgroup} of ${slots} wave slots.`;
    const here = Math.ceil(head.workgroups / Math.max(1, head.cus));
    if (here < head.workgroupsPerCu) return [`${text} This run has only ${whole(here)} for a CU: a larger grid would fill it.`];
    const needs = head.limits.filter(({ most }) => most).map(({ resource, has, most }) =>
      resource === 'LDS' ? `at most ${whole(most)} bytes of LDS per workgroup (now ${whole(has)})` : `at most ${whole(most)} ${resource} per wave (now ${whole(has)})`);
    if (needs.length) return [`${text} One more workgroup would need ${needs.join(' and ')}.`];
    const full = head.limits.find(({ most }) => !most);
    return [full ? `${text} ${full.resource === 'barriers' ? `A CU has ${full.has} barriers.` : 'Wave slots bound it.'}` : text];
  }
}
