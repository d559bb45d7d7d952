// The sources beside the timeline: what each line's instructions cost, those of calls that were inlined into it included.

import { baseName, type SourceFile } from '../data/code';
import type { Store } from '../data/store';
import { node, percent, short, whole } from './format';
import { heatBar } from './heat';
import { rowHeight, VisibleRows } from './rows';
import type { State } from './state';
import { onTheme } from './theme';

interface LineSums { cycles: number; issue: number; category: number; stalls: number[] }

export class SourcePane {
  readonly element = node('div', 'sources');
  private readonly choice = node('select');
  private readonly scroller = node('div', 'scroller');
  private readonly sheet = node('div', 'sheet');
  private readonly sums = new Map<string, Map<number, LineSums>>(); ///< by file and line
  private readonly rows = new VisibleRows(this.scroller, this.sheet, () => this.file?.lines.length ?? 0, (place) => this.row(place + 1));
  private file: SourceFile | null = null;
  private height = 0;
  private shown = 0; ///< the line that was last brought into view: a hidden pane doesn't scroll
  private most = 1;
  onSelect = (_file: string, _line: number) => {};

  constructor(private readonly store: Store, private readonly state: State) {
    const { files } = store.code;
    this.addUp();
    const cost = (file: SourceFile) => [...(this.sums.get(file.file)?.values() ?? [])].reduce((sum, { cycles }) => Math.max(sum, cycles), 0);
    const order = [...files].sort((a, b) => cost(b) - cost(a));
    for (const file of order) {
      const name = baseName(file.file);
      const option = node('option', '', name === file.file ? name : `${name}  in ${file.file.slice(0, -name.length - 1) || '/'}`);
      option.value = file.file;
      this.choice.append(option);
    }
    this.choice.setAttribute('aria-label', 'File');
    this.choice.addEventListener('change', () => this.show(this.choice.value));
    const head = node('div', 'line headings');
    head.append(node('span', 'number', 'line'), node('span', 'cost', 'cycles'), node('span', 'heat', 'share, causes'), this.choice);
    this.scroller.append(head, this.sheet);
    this.element.append(this.scroller);
    this.sheet.tabIndex = 0;
    this.sheet.setAttribute('role', 'listbox');
    this.sheet.setAttribute('aria-label', 'Source');
    new ResizeObserver(() => {
      const wasHidden = !this.height;
      this.height = this.scroller.clientHeight;
      if (wasHidden && this.height) this.reveal(this.shown);
      else this.rows.draw();
    }).observe(this.scroller);
    state.listenSelection(() => this.selectionChanged());
    onTheme(() => this.rows.redraw());
    this.sheet.addEventListener('click', (event) => this.select(Number((event.target as HTMLElement).closest<HTMLElement>('.line')?.dataset.line ?? -1)));
    this.sheet.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      event.stopPropagation();
      this.select((state.source?.line ?? 0) + (event.key === 'ArrowDown' ? 1 : -1));
    });
    if (order.length) this.show(order[0].file);
  }

  get isEmpty() { return !this.store.code.files.length; }

  private select(line: number) {
    if (!this.file || line < 1 || line > this.file.lines.length) return;
    this.onSelect(this.file.file, line);
    this.reveal(line);
  }

  private addUp() {
    const { head, code } = this.store;
    for (let line = 0; line < code.count; ++line) {
      if (!head.totals.hits[line]) continue;
      const seen = new Set<string>();
      for (const { file, line: number } of code.places[line]) {
        const key = `${file}:${number}`;
        if (seen.has(key)) continue;
        seen.add(key);
        let lines = this.sums.get(file);
        if (!lines) this.sums.set(file, (lines = new Map()));
        let sums = lines.get(number);
        if (!sums) lines.set(number, (sums = { cycles: 0, issue: 0, category: head.code.category[line], stalls: head.stalls.map(() => 0) }));
        sums.cycles += this.store.cyclesOf(line);
        sums.issue += head.totals.issue[line];
        head.totals.stalls.forEach((list, cause) => { sums.stalls[cause] += list[line]; });
      }
    }
  }

  show(file: string) {
    const found = this.store.code.files.find((known) => known.file === file);
    if (!found || found === this.file) return;
    this.file = found;
    this.shown = 0;
    this.choice.value = file;
    this.most = Math.max(1, ...[...(this.sums.get(file)?.entries() ?? [])].map(([, { cycles }]) => cycles));
    this.sheet.style.height = `${found.lines.length * rowHeight}px`;
    this.element.style.setProperty('--text-width', `${found.lines.reduce((most, text) => Math.max(most, text.length), 0) + 1}ch`);
    this.element.style.setProperty('--text-width', `${found.lines.reduce((most, text) => Math.max(most, text.length), 0) + 1}ch`);
    this.rows.redraw();
    let dearest = 0;
    for (const [line, { cycles }] of this.sums.get(file) ?? []) if (cycles === this.most) dearest = line;
    this.reveal(dearest);
  }

  /// The selected instruction's line comes into view.
  private selectionChanged() {
    const place = this.state.source ?? (this.state.line >= 0 ? this.store.code.placeOf(this.state.line) : null);
    if (place) {
      this.show(place.file);
      if (this.file?.file === place.file) this.reveal(place.line);
    }
    this.rows.redraw();
  }

  reveal(line: number) {
    this.shown = line;
    this.rows.reveal(Math.max(0, line - 1));
  }

  private row(line: number): HTMLElement {
    const file = this.file!;
    const sums = this.sums.get(file.file)?.get(line);
    const row = node('div', 'line');
    row.dataset.line = String(line);
    row.setAttribute('role', 'option');
    const chosen = this.state.source ?? (this.state.line >= 0 ? this.store.code.placeOf(this.state.line) : null);
    const isSelected = chosen?.line === line && chosen.file === file.file;
    row.setAttribute('aria-selected', String(isSelected));
    row.classList.toggle('selected', isSelected);
    row.classList.toggle('unused', !sums);
    const cost = node('span', 'cost', sums ? short(sums.cycles) : '');
    if (sums) cost.title = `${whole(sums.cycles)} cycles, ${percent(sums.cycles / this.store.waveCycles)}`;
    const heat = node('span', 'heat');
    if (sums) {
      heat.append(heatBar(sums.cycles / this.most, sums.issue, sums.category, sums.stalls));
    }
    row.append(node('span', 'number', String(line)), cost, heat, node('span', 'text', file.lines[line - 1]));
    row.title = sums ? `${baseName(file.file)}:${line}: ${percent(sums.cycles / this.store.waveCycles)} of the waves' time` : '';
    return row;
  }
}
