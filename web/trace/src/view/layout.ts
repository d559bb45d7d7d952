// Rows of the timeline: for each CU its SIMDs' slots of waves and their pipes, then the pipes that the SIMDs share. A SIMD that never had a
// wave has no rows.

import type { Store } from '../data/store';
import type { Wave } from '../data/head';

export interface Row {
  kind: 'cu' | 'wave' | 'pipe';
  cu: number;
  simd: number;  ///< -1: of the CU
  slot: number;  ///< among the CU's slots; -1 for others
  pipe: number;  ///< as events::Pipe numbers them; 0 for others
  key: number;   ///< of the pipe's sums
  label: string;
  y: number;
  height: number;
}

/// Pipes that the SIMDs of a CU share, as they stand below them: LDS, texture, SALU, scalar cache, branch.
const sharedPipes = [5, 6, 1, 2, 7];

export class Layout {
  rows: Row[] = [];
  height = 0;
  private readonly waves = new Map<number, Wave[]>(); ///< by CU and slot, in order of time
  private readonly slots: number[][] = [];             ///< of each CU, those that waves ever were in
  private readonly folded = new Set<number>();

  constructor(private readonly store: Store) {
    for (let cu = 0; cu < store.head.cus; ++cu) this.slots.push([]);
    for (const wave of store.waves) {
      const list = this.waves.get(this.key(wave.cu, wave.row));
      if (list) {
        list.push(wave);
      } else {
        this.waves.set(this.key(wave.cu, wave.row), [wave]);
        this.slotsOf(wave.cu).push(wave.row);
      }
    }
    for (const list of this.waves.values()) list.sort((a, b) => a.begin - b.begin);
    for (let cu = 1; cu < store.head.cus; ++cu) this.folded.add(cu);
  }

  private key(cu: number, slot: number) { return cu * this.store.rows.slotRows + slot; }
  slotsOf(cu: number): number[] { return (this.slots[cu] ??= []); }
  wavesOf(cu: number, slot: number): Wave[] { return this.waves.get(this.key(cu, slot)) ?? []; }

  /// Waves of a slot that are there at some time of a range.
  wavesIn(cu: number, slot: number, from: number, to: number): Wave[] {
    const all = this.wavesOf(cu, slot);
    const before = (time: number, of: 'begin' | 'end') => {
      let low = 0;
      let high = all.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (all[middle][of] < time) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    return all.slice(before(from, 'end'), before(to, 'begin'));
  }

  isFolded(cu: number) { return this.folded.has(cu); }
  fold(cu: number, folded: boolean) {
    if (folded) this.folded.add(cu);
    else this.folded.delete(cu);
  }

  /// Rows share the height that there is, within what can be read.
  arrange(available: number) {
    const { head, rows } = this.store;
    const list: Row[] = [];
    for (let cu = 0; cu < head.cus; ++cu) {
      list.push({ kind: 'cu', cu, simd: -1, slot: -1, pipe: 0, key: -1, label: `CU ${cu}`, y: 0, height: 26 });
      if (this.folded.has(cu)) continue;
      for (let simd = 0; simd < head.simds; ++simd) {
        for (let slot = simd * head.slots; slot < (simd + 1) * head.slots; ++slot)
          if (this.waves.has(this.key(cu, slot)))
            list.push({ kind: 'wave', cu, simd, slot, pipe: 0, key: rows.key(slot, 0), label: `${slot % head.slots}`, y: 0, height: 0 });
        if (list[list.length - 1].simd !== simd || list[list.length - 1].cu !== cu) continue;
        for (const pipe of [3, 4])
          list.push({ kind: 'pipe', cu, simd, slot: -1, pipe, key: rows.pipeKey(pipe, simd), label: head.pipes[pipe], y: 0, height: 11 });
      }
      for (const pipe of sharedPipes)
        list.push({ kind: 'pipe', cu, simd: -1, slot: -1, pipe, key: rows.pipeKey(pipe, 0), label: head.pipes[pipe], y: 0, height: 13 });
    }
    const gapBefore = (i: number) => (i > 0 && (list[i].kind === 'cu' || list[i].simd !== list[i - 1].simd || list[i].cu !== list[i - 1].cu) ? 6 : 0);
    let fixed = 0;
    let waves = 0;
    list.forEach((row, i) => {
      fixed += row.height + gapBefore(i) + 1;
      if (row.kind === 'wave') ++waves;
    });
    const waveHeight = Math.max(15, Math.min(96, Math.floor((available - fixed - 8) / Math.max(1, waves))));
    let y = 2;
    list.forEach((row, i) => {
      if (row.kind === 'wave') row.height = waveHeight;
      y += gapBefore(i);
      row.y = y;
      y += row.height + 1;
    });
    this.rows = list;
    this.height = y + 4;
  }

  at(y: number): Row | null {
    return this.rows.find((row) => y >= row.y && y < row.y + row.height + 1) ?? null;
  }

  ofSlot(cu: number, slot: number): Row | null {
    return this.rows.find((row) => row.kind === 'wave' && row.cu === cu && row.slot === slot) ?? null;
  }

  ofPipe(cu: number, pipe: number, simd: number): Row | null {
    return this.rows.find((row) => row.kind === 'pipe' && row.cu === cu && row.pipe === pipe && (row.simd < 0 || row.simd === simd)) ?? null;
  }

  waveAt(cu: number, slot: number, time: number): Wave | null {
    return this.wavesIn(cu, slot, time, time + 1)[0] ?? null;
  }
}
