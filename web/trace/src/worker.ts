// Reads and sums records beside the page, so that drawing never waits for it.

import { decodeChunk, levelCount, lowerBound, type Chunk } from './data/chunk';
import type { FromWorker, Job, OperationInfo, Place, ToWorker, WaitInfo } from './data/jobs';
import { unpack } from './data/reader';
import { decodeTile, mergedTile, Rows, tileOfChunks, type Tile } from './data/tile';

/// Chunks kept decoded; a chunk takes about a megabyte.
const keptChunks = 160;
const keptTiles = 400;

let rows = new Rows(4, 8, 0);
const waiting = new Map<string, (text: string) => void>();
const chunks = new Map<number, Promise<Chunk>>();
const tiles = new Map<string, Promise<Tile>>();

const post = (message: FromWorker) => postMessage(message);

function blob(name: string): Promise<Uint8Array> {
  return new Promise<string>((resolve) => {
    waiting.set(name, resolve);
    post({ kind: 'need', name });
  }).then(unpack);
}

/// The value of `key`, made once while it is among the last `limit` asked for.
function kept<K, V>(cache: Map<K, Promise<V>>, limit: number, key: K, make: () => Promise<V>): Promise<V> {
  const found = cache.get(key) ?? make();
  cache.delete(key);
  cache.set(key, found);
  if (cache.size > limit) cache.delete(cache.keys().next().value!);
  return found;
}

const chunk = (id: number) =>
  kept(chunks, keptChunks, id, async () => decodeChunk(id, await blob(`c${id}`), rows.slotRows));

const all = (ids: number[]) => Promise.all(ids.map(chunk));

async function makeTile(job: Extract<Job, { type: 'tile' }>): Promise<Tile> {
  if (!job.stored.length) return tileOfChunks(rows, job.level, job.number, await all(job.chunks));
  const parts = await Promise.all(job.stored.map((stored) =>
    kept(tiles, keptTiles, `${stored.level}:${stored.blobs[0]}`, async () =>
      decodeTile(rows, stored.level, stored.number, await Promise.all(stored.blobs.map(blob))))));
  return parts.length === 1 && parts[0].level === job.level ? parts[0] : mergedTile(rows, job.level, job.number, parts);
}

async function findOperations(job: Extract<Job, { type: 'operations' }>): Promise<OperationInfo[]> {
  const wanted = new Set(job.numbers);
  const found: OperationInfo[] = [];
  for (const { operations: ops } of await all(job.chunks))
    for (let i = 0; i < ops.count; ++i)
      if (ops.wave[i] === job.wave && wanted.has(ops.number[i]))
        found.push({
          row: ops.row[i], wave: ops.wave[i], line: ops.line[i], number: ops.number[i], flags: ops.flags[i], pipe: ops.pipe[i],
          level: ops.level[i], issued: ops.issued[i], begin: ops.begin[i], end: ops.end[i], returned: ops.returned[i],
          conflicts: ops.conflicts[i], bytes: ops.bytes[i], requests: ops.requests[i],
          hits: Array.from(ops.hits.subarray(i * levelCount, (i + 1) * levelCount)),
        });
  return found.sort((a, b) => a.number - b.number);
}

async function findWaiters(job: Extract<Job, { type: 'waiters' }>): Promise<WaitInfo[]> {
  const found: WaitInfo[] = [];
  for (const { waits } of await all(job.chunks))
    for (let i = 0; i < waits.count; ++i) {
      if (waits.wave[i] !== job.wave) continue;
      const numbers = Array.from(waits.numbers.subarray(waits.start[i], waits.start[i + 1]));
      if (numbers.includes(job.number))
        found.push({ row: waits.row[i], wave: waits.wave[i], line: waits.line[i], arrived: waits.arrived[i], done: waits.done[i], earliest: waits.earliest[i], numbers });
    }
  return found;
}

async function findLine(job: Extract<Job, { type: 'find' }>): Promise<Place | null> {
  for (const id of job.chunks) {
    const { instructions: ins } = await chunk(id);
    let best = -1;
    for (let row = 0; row < rows.slotRows; ++row) {
      const start = ins.rowStart[row];
      const end = ins.rowStart[row + 1];
      const step = job.forward ? 1 : -1;
      let i = lowerBound(ins.issued, job.from, start, end) - (job.forward ? 0 : 1);
      if (job.forward && i < end && ins.issued[i] === job.from) ++i;
      for (; i >= start && i < end; i += step)
        if (ins.line[i] === job.line && (job.wave < 0 || ins.wave[i] === job.wave)) {
          if (best < 0 || (job.forward ? ins.issued[i] < ins.issued[best] : ins.issued[i] > ins.issued[best])) best = i;
          break;
        }
    }
    if (best >= 0) {
      const row = lowerBound(ins.rowStart, best + 1) - 1;
      return { row, wave: ins.wave[best], line: job.line, arrived: ins.arrived[best], issued: ins.issued[best] };
    }
  }
  return null;
}

/// How often lines were issued in each stretch of `width` cycles.
async function countLines(job: Extract<Job, { type: 'marks' }>): Promise<Uint32Array> {
  const wanted = new Set(job.lines);
  const counts = new Uint32Array(job.bins);
  for (const { instructions: ins } of await all(job.chunks))
    for (let i = 0; i < ins.count; ++i)
      if (wanted.has(ins.line[i])) ++counts[Math.min(job.bins - 1, Math.floor(ins.issued[i] / job.width))];
  return counts;
}

function run(job: Job): Promise<unknown> {
  switch (job.type) {
    case 'tile': return makeTile(job);
    case 'chunk': return chunk(job.chunk);
    case 'operations': return findOperations(job);
    case 'waiters': return findWaiters(job);
    case 'marks': return countLines(job);
    case 'find': return findLine(job);
  }
}

onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind === 'init') {
    rows = new Rows(message.simds, message.slots, message.counters);
  } else if (message.kind === 'blob') {
    waiting.get(message.name)?.(message.text);
    waiting.delete(message.name);
  } else {
    run(message.job).then(
      (result) => post({ kind: 'done', id: message.id, result }),
      (why) => post({ kind: 'failed', id: message.id, why: String(why) }));
  }
};
