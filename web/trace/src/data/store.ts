// The trace as the page sees it: what is there is handed out at once, what isn't is asked for and announced when it has come.

import InlineWorker from '../worker?worker&inline';
import type { Chunk } from './chunk';
import { Code } from './code';
import { blobText, readHead, readWaves, type Head, type Wave } from './head';
import type { FromWorker, Job, StoredTile, ToWorker } from './jobs';
import { unpack } from './reader';
import { decodeTile, mergedTile, Rows, tileBins, type Tile } from './tile';

const keptTiles = 600;
const keptChunks = 48;
/// Requests that are under way at a time; the others wait, so that what is looked at now comes first.
const underWay = 4;

interface Want { key: string; job: Job; frame: number; keep: (result: unknown) => void }

export class Store {
  readonly rows: Rows;
  readonly code: Code;
  readonly waveByNumber = new Map<number, Wave>();
  readonly waveCycles: number; ///< from each wave's begin to its end, added up: what shares are of, here and in the report
  onArrival = () => {};
  onError = (_why: string) => {};
  private readonly worker: Worker = new InlineWorker();
  private readonly tiles = new Map<string, Tile>();
  private readonly overview = new Map<string, Tile>();
  private readonly chunks = new Map<number, Chunk>();
  private readonly stored = new Map<string, string[]>();
  private readonly chunksOfCu: number[][] = [];
  private readonly wants = new Map<string, Want>();
  private readonly busy = new Set<string>();
  private readonly answers = new Map<number, { resolve: (result: unknown) => void; reject: (why: Error) => void }>();
  private nextJob = 0;
  private frame = 0;
  private inFrame = false;

  private constructor(readonly head: Head, readonly waves: Wave[], private readonly prefix: string) {
    this.rows = new Rows(head.simds, head.slots, head.counters.length);
    this.code = new Code(head);
    for (const wave of waves) this.waveByNumber.set(wave.number, wave);
    this.waveCycles = waves.reduce((sum, { begin, end }) => sum + end - begin, 0) || 1;
    head.tiles.forEach(([cu, level, number], i) => {
      const key = `${cu}:${level}:${number}`;
      const known = this.stored.get(key);
      if (known) known.push(`t${i}`);
      else this.stored.set(key, [`t${i}`]);
    });
    for (let cu = 0; cu < head.cus; ++cu) this.chunksOfCu.push([]);
    head.chunks.cu.forEach((cu, i) => this.chunksOfCu[cu].push(i));
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
    this.send({ kind: 'init', simds: head.simds, slots: head.slots, counters: head.counters.length });
  }

  /// `prefix`: what the names of the run's elements begin with.
  static async open(prefix = ''): Promise<Store> {
    const head = await readHead(prefix);
    const store = new Store(head, await readWaves(head, prefix), prefix);
    // The overview is all that the first picture needs.
    const ready: Promise<void>[] = [];
    for (const [key, blobs] of store.stored) {
      const [cu, level, number] = key.split(':').map(Number);
      if (level !== head.overview) continue;
      ready.push(Promise.all(blobs.map((name) => blobText(prefix + name).then(unpack))).then((parts) => {
        store.overview.set(`${cu}:${level}:${number}`, decodeTile(store.rows, level, number, parts));
      }));
    }
    await Promise.all(ready);
    return store;
  }

  /// What a line cost all waves: its issue, and the stalls before it.
  cyclesOf(line: number): number {
    const { totals } = this.head;
    return totals.stalls.reduce((sum, list) => sum + (list[line] ?? 0), totals.issue[line] ?? 0);
  }

  private send(message: ToWorker) { this.worker.postMessage(message); }

  private receive(message: FromWorker) {
    if (message.kind === 'need') {
      blobText(this.prefix + message.name).then(
        (text) => this.send({ kind: 'blob', name: message.name, text }),
        (why: Error) => this.onError(why.message));
      return;
    }
    const answer = this.answers.get(message.id);
    this.answers.delete(message.id);
    if (message.kind === 'done') answer?.resolve(message.result);
    else answer?.reject(new Error(message.why));
  }

  ask<T>(job: Job): Promise<T> {
    const id = this.nextJob++;
    return new Promise<T>((resolve, reject) => {
      this.answers.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.send({ kind: 'job', id, job });
    });
  }

  /// Nothing that was asked for is missing.
  get idle() { return this.wants.size === 0 && this.busy.size === 0; }

  /// Calls between these two say what the frame needs.
  beginFrame() {
    ++this.frame;
    this.inFrame = true;
  }
  endFrame() {
    this.inFrame = false;
    for (const [key, want] of this.wants) if (want.frame !== this.frame) this.wants.delete(key);
    this.work();
  }

  private want(key: string, make: () => Job, keep: (result: unknown) => void) {
    if (this.busy.has(key)) return;
    const known = this.wants.get(key);
    if (known) known.frame = this.frame;
    else this.wants.set(key, { key, job: make(), frame: this.frame, keep });
    if (!this.inFrame) queueMicrotask(() => this.work());
  }

  private work() {
    for (const want of this.wants.values()) {
      if (this.busy.size >= underWay) return;
      this.wants.delete(want.key);
      this.busy.add(want.key);
      this.ask(want.job).then(
        (result) => {
          this.busy.delete(want.key);
          want.keep(result);
          this.onArrival();
          this.work();
        },
        (why: Error) => {
          this.onError(why.message);
        });
    }
  }

  /// Chunks of a CU that touch a range of time.
  chunkIds(cu: number, from: number, to: number): number[] {
    const { chunks } = this.head;
    return (this.chunksOfCu[cu] ?? []).filter((i) => chunks.from[i] < to && chunks.to[i] >= from);
  }

  /// Chunks in which a line can be, in the order of time from `time` on or back.
  chunksForLine(cus: number[], line: number, time: number, forward: boolean): number[] {
    const { chunks } = this.head;
    const found = cus.flatMap((cu) => this.chunksOfCu[cu]).filter((i) =>
      chunks.firstLine[i] >= 0 && chunks.firstLine[i] <= line && chunks.lastLine[i] >= line && (forward ? chunks.to[i] >= time : chunks.from[i] <= time));
    return forward ? found : found.reverse();
  }

  /// Chunks that are here; the others are asked for.
  chunksIn(cu: number, from: number, to: number): { chunks: Chunk[]; complete: boolean } {
    const chunks: Chunk[] = [];
    let complete = true;
    for (const id of this.chunkIds(cu, from, to)) {
      const chunk = this.chunks.get(id);
      if (chunk) {
        this.chunks.delete(id);
        this.chunks.set(id, chunk);
        chunks.push(chunk);
      } else {
        complete = false;
        this.want(`chunk ${id}`, () => ({ type: 'chunk', chunk: id }), (result) => {
          this.chunks.set(id, result as Chunk);
          if (this.chunks.size > keptChunks) this.chunks.delete(this.chunks.keys().next().value!);
        });
      }
    }
    return { chunks, complete };
  }

  private tileJob(cu: number, level: number, number: number): Job {
    const { finest, step, overview } = this.head;
    if (level < finest) {
      const width = tileBins * 2 ** level;
      return { type: 'tile', level, number, stored: [], chunks: this.chunkIds(cu, number * width, (number + 1) * width) };
    }
    const from = Math.min(overview, finest + Math.floor((level - finest) / step) * step);
    const stored: StoredTile[] = [];
    const ratio = 2 ** (level - from);
    for (let n = number * ratio; n < (number + 1) * ratio; ++n) {
      const blobs = this.stored.get(`${cu}:${from}:${n}`);
      if (blobs) stored.push({ level: from, number: n, blobs });
    }
    return { type: 'tile', level, number, stored, chunks: [] };
  }

  /// The tile, or null and it is asked for.
  tile(cu: number, level: number, number: number): Tile | null {
    const key = `${cu}:${level}:${number}`;
    const found = this.overview.get(key) ?? this.tiles.get(key);
    if (found) {
      if (this.tiles.delete(key)) this.tiles.set(key, found);
      return found;
    }
    const keep = (tile: Tile) => {
      this.tiles.set(key, tile);
      if (this.tiles.size > keptTiles) this.tiles.delete(this.tiles.keys().next().value!);
      return tile;
    };
    // What lies above the overview is made of it here and now: there are few tiles of it.
    const { overview } = this.head;
    if (level > overview) {
      const parts: Tile[] = [];
      const ratio = 2 ** (level - overview);
      for (let n = number * ratio; n < (number + 1) * ratio; ++n) {
        const part = this.overview.get(`${cu}:${overview}:${n}`);
        if (part) parts.push(part);
      }
      return keep(mergedTile(this.rows, level, number, parts));
    }
    this.want(`tile ${key}`, () => this.tileJob(cu, level, number), (result) => keep(result as Tile));
    return null;
  }

  /// The finest tile that is here and covers the given one.
  covering(cu: number, level: number, number: number): Tile | null {
    for (let up = 1; level + up <= Math.max(this.head.overview, level); ++up) {
      const key = `${cu}:${level + up}:${Math.floor(number / 2 ** up)}`;
      const found = this.tiles.get(key) ?? this.overview.get(key);
      if (found) return found;
    }
    return null;
  }
}
