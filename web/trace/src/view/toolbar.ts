// The bar at the top: what ran, search, theme, help; and the legend at the bottom.

import type { Head } from '../data/head';
import type { Store } from '../data/store';
import { runShares } from './axis';
import { counted, node, percent, time as timeText, whole } from './format';
import type { State } from './state';
import { onTheme, stallBackground, toggleTheme } from './theme';

export class Toolbar {
  readonly element = node('header');
  readonly input = node('input');
  private readonly count = node('span', 'matches');
  private matches: number[] = [];
  private at = -1;
  onMatch = (_line: number) => {};
  onHelp = () => {};
  onWhole = () => {};

  constructor(private readonly store: Store, private readonly state: State) {
    const { head } = store;
    const title = node('h1', '', head.demangled || head.kernel || 'kernel');
    title.title = head.kernel;
    const facts = node('span', 'facts', [
      [head.device, head.chip].filter(Boolean).join(' '), `${whole(head.cycles)} cycles`, timeText(head.cycles, head.clockMHz), deviceTime(head) && `device ${deviceTime(head)}`,
      counted(head.waves, 'wave'), counted(head.instructions, 'instruction'),
    ].filter(Boolean).join('  ·  '));
    this.input.type = 'search';
    this.input.placeholder = 'Search code  ( / )';
    this.input.setAttribute('aria-label', 'Search instructions, lines and sources');
    this.input.addEventListener('input', () => this.search());
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.step(!event.shiftKey);
      if (event.key === 'Escape') {
        this.input.value = '';
        this.search();
        this.input.blur();
      }
      event.stopPropagation();
    });
    const search = node('div', 'search');
    search.append(this.input, this.count, this.button('‹', 'Previous match  (Shift Enter)', () => this.step(false)), this.button('›', 'Next match  (Enter)', () => this.step(true)));
    this.element.append(title, facts, search, this.button('Whole run', 'Show all of it  ( 0 )', () => this.onWhole()),
      this.button('◐', 'Light or dark  ( t )', toggleTheme, 'theme'), this.button('?', 'Keys', () => this.onHelp(), 'help'));
    const part = node('span', 'part', simulated(head));
    part.title = 'What was simulated: workgroups of the grid, compute units of the device';
    this.element.insertBefore(part, search);
  }

  private button(text: string, title: string, action: () => void, name = ''): HTMLElement {
    const made = node('button', name, text);
    made.title = title;
    made.setAttribute('aria-label', /^\w/.test(text) ? `${text}: ${title}` : title);
    made.addEventListener('click', action);
    return made;
  }

  private search() {
    const wanted = this.input.value.trim().toLowerCase();
    const { code } = this.store;
    const { source } = this.store.head.code;
    this.matches = [];
    if (wanted)
      code.texts.forEach((text, line) => {
        if (text.toLowerCase().includes(wanted) || source[line].toLowerCase().includes(wanted) || code.addresses[line].slice(2) === wanted ||
            code.addresses[line] === wanted)
          this.matches.push(line);
      });
    this.at = -1;
    this.state.found = new Set(this.matches);
    this.state.searched = wanted;
    this.state.source = null;
    this.showCount();
    this.state.changedSelection();
    this.state.changedFound();
  }

  private showCount() {
    const { value } = this.input;
    this.count.textContent = !value.trim() ? '' : this.at < 0 ? `${this.matches.length} line${this.matches.length === 1 ? '' : 's'}` : `${this.at + 1} of ${this.matches.length}`;
  }

  step(forward: boolean) {
    if (!this.matches.length) return;
    const count = this.matches.length;
    this.at = this.at < 0 ? (forward ? 0 : count - 1) : (this.at + (forward ? 1 : count - 1)) % count;
    this.showCount();
    this.onMatch(this.matches[this.at]);
  }
}

/// The launch on the whole device, and between what times nine of ten launches that are alike lay.
export function deviceTime(head: Head): string {
  const { microseconds, accuracy } = head;
  if (!microseconds) return '';
  const range = accuracy?.launches
    ? `${timeText(accuracy.least_microseconds ?? 0, 1)} to ${timeText(accuracy.most_microseconds ?? 0, 1)}` : 'outside of what was compared';
  return `${timeText(microseconds, 1)} (${range})`;
}

/// What was simulated: "1 of 8 workgroups, 1 of 304 CUs".
export function simulated(head: Head): string {
  const grid = head.grid.reduce((product, n) => product * n, 1);
  const cus = head.deviceCus > head.cus ? `${whole(head.cus)} of ${counted(head.deviceCus, 'CU')}` : counted(head.cus, 'CU');
  const groups = head.workgroups < grid ? `${whole(head.workgroups)} of ${counted(grid, 'workgroup')}` : counted(grid, 'workgroup');
  return `${groups}, ${cus}${!head.whole && head.workgroups >= grid ? ', ended early' : ''}`;
}

export function makeLegend(store: Store, state: State): HTMLElement {
  const element = node('footer');
  const { categories, stalls } = runShares(store);
  const draw = () => {
    element.replaceChildren();
    const add = (group: HTMLElement, classOf: number, background: string, name: string, share: number) => {
      const item = node('span', share ? 'item' : 'item absent');
      const swatch = node('i', 'swatch');
      swatch.style.background = background;
      item.append(swatch, `${name} `, node('b', '', share ? percent(share) : ''));
      item.addEventListener('pointerenter', () => state.emphasise(share ? classOf : -1));
      item.addEventListener('pointerleave', () => state.emphasise(-1));
      group.append(item);
    };
    const group = (name: string) => {
      const made = node('span', 'group');
      made.append(node('em', '', name));
      element.append(made);
      return made;
    };
    const issuing = group('issuing');
    categories.forEach((share, i) => add(issuing, i, `var(--category-${i})`, store.head.categories[i], share));
    const stalled = group('stalled by');
    stalls.forEach((share, i) => add(stalled, categories.length + i, stallBackground(i), store.head.stalls[i], share));
    const rest = node('span', 'group');
    rest.append(node('em', '', 'no issue'), node('b', '', percent(1 - [...categories, ...stalls].reduce((a, b) => a + b, 0))));
    rest.title = 'Time of waves that belongs to no instruction: before their first, and between two that can\'t follow at once';
    element.append(rest);
  };
  onTheme(draw);
  draw();
  element.title = 'Shares of the cycles of all waves; point at one to see where it is';
  return element;
}

const keys: [string, string][] = [
  ['wheel, W S', 'zoom at the pointer'],
  ['drag, A D', 'move in time'],
  ['Shift wheel, PageUp PageDown', 'scroll rows'],
  ['click', 'select an instruction; on a wait: what it waited for'],
  ['Shift drag', 'measure a stretch of time: length, shares, means'],
  ['click on a slot\'s name', 'the counters of its wave'],
  ['click on a CU\'s name', 'fold it'],
  ['← →', 'previous or next instruction of the wave'],
  ['[ ]', 'previous or next wait of the wave'],
  [', .', 'previous or next execution of the selected line'],
  ['F', 'zoom to the selection'],
  ['0', 'the whole run'],
  ['/', 'search; Enter and Shift Enter go from match to match'],
  ['T', 'light or dark'],
  ['Esc', 'select nothing'],
];

export class Help {
  readonly element = node('dialog', 'help');
  constructor() {
    const list = node('dl');
    for (const [key, what] of keys) list.append(node('dt', '', key), node('dd', '', what));
    const close = node('button', '', 'Close');
    close.addEventListener('click', () => this.element.close());
    this.element.append(node('h2', '', 'Keys and pointer'), list,
      node('p', 'note', 'Far out, each column shows what a stretch of time was spent on: work below, stalls striped above. A curve under the timeline shows operations in flight; for a selected wave each operation is a bar: pale while queued, full in its pipe, half until it returns.'),
      close);
    this.element.addEventListener('click', (event) => { if (event.target === this.element) this.element.close(); });
  }
  toggle() {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
