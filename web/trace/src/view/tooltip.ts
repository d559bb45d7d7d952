// What is under the pointer, in a few lines beside it.

import type { Store } from '../data/store';
import { categoryCount, firstCounter } from '../data/tile';
import { node, percent, whole } from './format';
import { stallBackground } from './theme';
import type { Hit } from './timeline';

export class Tooltip {
  readonly element = node('div', 'tooltip');

  constructor(private readonly store: Store) {
    this.element.hidden = true;
    this.element.setAttribute('aria-hidden', 'true');
  }

  hide() { this.element.hidden = true; }

  private row(background: string, name: string, value: string) {
    const made = node('div', 'tiprow');
    const swatch = node('i', 'swatch');
    swatch.style.background = background;
    made.append(swatch, node('span', '', name), node('b', '', value));
    return made;
  }

  private show(x: number, y: number, content: HTMLElement[]) {
    this.element.replaceChildren(...content);
    this.element.hidden = false;
    const { offsetWidth, offsetHeight } = this.element;
    this.element.style.left = `${x + 16 + offsetWidth > innerWidth ? Math.max(4, x - offsetWidth - 12) : x + 16}px`;
    this.element.style.top = `${y + 18 + offsetHeight > innerHeight ? Math.max(4, y - offsetHeight - 12) : y + 18}px`;
  }

  line(line: number, x: number, y: number) {
    const { code, totals, stalls, categories } = this.store.head;
    if (line < 0 || !totals.hits[line]) return this.hide();
    const content: HTMLElement[] = [node('code', '', this.store.code.texts[line])];
    if (code.source[line]) content.push(node('div', 'tipdim', code.source[line]));
    const hits = totals.hits[line];
    content.push(this.row(`var(--category-${code.category[line]})`, `${categories[code.category[line]]}: issue`, `${(totals.issue[line] / hits).toFixed(1)} each`));
    stalls.forEach((name, cause) => {
      if (totals.stalls[cause][line]) content.push(this.row(stallBackground(cause), name, `${(totals.stalls[cause][line] / hits).toFixed(1)} each`));
    });
    this.show(x, y, content);
  }

  hit(hit: Hit, x: number, y: number) {
    const { head } = this.store;
    if (hit.kind === 'none') return this.hide();
    const content: HTMLElement[] = [];
    if (hit.kind === 'instruction') {
      const at = hit.instruction;
      content.push(node('code', '', this.store.code.texts[at.line] ?? ''));
      content.push(node('div', 'tipdim', [this.store.code.addresses[at.line], this.store.code.sourceOf(at.line), `wave ${at.wave}`].filter(Boolean).join(' · ')));
      for (const { cause, cycles } of at.stalls) content.push(this.row(stallBackground(cause), head.stalls[cause], `${whole(cycles)} cycles`));
      content.push(this.row(`var(--category-${at.category})`, `issued at ${whole(at.issued)}`, `${whole(at.issue)} cycles`));
      if (at.busy) content.push(this.row(`var(--category-${at.category})`, `${head.pipes[at.pipe]} busy`, `${whole(at.busy)} cycles`));
    } else if (hit.kind === 'operation') {
      const ops = hit.chunk.operations;
      const i = hit.index;
      content.push(node('code', '', this.store.code.texts[ops.line[i]] ?? ''));
      content.push(node('div', 'tipdim', `${this.store.code.addresses[ops.line[i]]} · wave ${ops.wave[i]} · issued at ${whole(ops.issued[i])}`));
      content.push(this.row('transparent', 'in the queue', `${whole(ops.begin[i] - ops.issued[i])} cycles`));
      content.push(this.row(`var(--category-${head.code.category[ops.line[i]]})`, `in ${head.pipes[ops.pipe[i]]}`, `${whole(ops.end[i] - ops.begin[i])} cycles`));
      if (ops.conflicts[i]) content.push(this.row('var(--related)', 'of them bank conflicts', `${whole(ops.conflicts[i])}`));
      content.push(this.row(`var(--level-${ops.level[i]})`, `from ${head.levels[ops.level[i]]}, after`, `${whole(ops.returned[i] - ops.issued[i])} cycles`));
    } else {
      const { row } = hit;
      content.push(node('div', 'tipdim', `${whole(hit.from)} to ${whole(hit.to)}, ${row.kind === 'cu' ? `all slots of CU ${row.cu}` : row.kind === 'wave' ? `SIMD ${row.simd} slot ${row.label}` : row.label}`));
      if (row.kind === 'pipe') content.push(this.row('transparent', 'busy', percent(hit.shares[0]?.share ?? 0)));
      else
        for (const { classOf, share } of hit.shares) {
          if (classOf >= firstCounter) {
            content.push(this.row('transparent', `${head.counters[classOf - firstCounter]} in flight`, share.toFixed(1)));
          } else if (classOf < categoryCount) {
            content.push(this.row(`var(--category-${classOf})`, head.categories[classOf], percent(share)));
          } else {
            content.push(this.row(stallBackground(classOf - categoryCount), head.stalls[classOf - categoryCount], percent(share)));
          }
        }
      if (!hit.shares.length && row.kind !== 'pipe') content.push(node('div', 'tipdim', 'no wave'));
    }
    this.show(x, y, content);
  }
}
