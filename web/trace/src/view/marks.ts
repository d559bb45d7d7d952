// Where in the run the lines that the search matches, or those of a source line, were issued: ticks over the whole run,
// counted chunk by chunk beside the page.

import type { Store } from '../data/store';
import type { Axis } from './axis';
import type { State } from './state';

const bins = 1024;
const chunksAtATime = 8;

export class Marks {
  isBusy = false;
  private generation = 0;

  constructor(private readonly store: Store, private readonly state: State, private readonly axis: Axis) {
    state.listenFound(() => void this.count());
  }

  private async count() {
    const mine = ++this.generation;
    const { head } = this.store;
    const lines = [...this.state.found].filter((line) => head.totals.hits[line]);
    const counts = new Uint32Array(bins);
    this.axis.showMarks(lines.length ? counts : null);
    if (!lines.length) {
      this.isBusy = false;
      return;
    }
    this.isBusy = true;
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    const width = Math.max(1, this.state.end) / bins;
    const ids = head.chunks.cu.map((_, id) => id).filter((id) => head.chunks.firstLine[id] >= 0 && head.chunks.firstLine[id] <= last && head.chunks.lastLine[id] >= first);
    for (let at = 0; at < ids.length && mine === this.generation; at += chunksAtATime) {
      const part = await this.store.ask<Uint32Array>({ type: 'marks', lines, chunks: ids.slice(at, at + chunksAtATime), width, bins });
      if (mine !== this.generation) return;
      part.forEach((count, bin) => { counts[bin] += count; });
      this.axis.showMarks(counts);
    }
    this.isBusy = false;
  }
}
