// A chunk of records as src/trace/PageChunk.cpp writes them, made into arrays.

import { columnsOf, Reader } from './reader';

export const stallCount = 9;
export const levelCount = 7;
export const flag = { store: 1, ldsDma: 2, atomic: 4 };
/// Whether the operation is counted by head.counters[counter]; by any.
export const isCountedBy = (flags: number, counter: number) => (flags >> (3 + counter) & 1) === 1;
export const isCounted = (flags: number) => flags >> 3 !== 0;

/// Instructions stand row after row (slots of waves), in order of issue within each.
export interface Instructions {
  count: number;
  rowStart: Uint32Array;
  wave: Uint32Array;
  line: Uint32Array;
  arrived: Float64Array;
  issued: Float64Array;
  issue: Uint32Array;
  busy: Uint32Array;
  category: Uint8Array;
  pipe: Uint8Array;
  taken: Uint8Array;
  lanes: Uint8Array;
  stallStart: Uint32Array; ///< where each one's are in the two next
  stallCause: Uint8Array;
  stallCycles: Uint32Array;
}

/// In order of issue, of all waves.
export interface Operations {
  count: number;
  row: Uint16Array;
  wave: Uint32Array;
  line: Uint32Array;
  number: Uint32Array;
  flags: Uint8Array;
  pipe: Uint8Array;
  level: Uint8Array;
  issued: Float64Array;
  begin: Float64Array;
  end: Float64Array;
  returned: Float64Array;
  conflicts: Uint32Array;
  bytes: Uint32Array;
  requests: Uint32Array;
  hits: Uint16Array; ///< levelCount for each
}

export interface Waits {
  count: number;
  row: Uint16Array;
  wave: Uint32Array;
  line: Uint32Array;
  arrived: Float64Array;
  done: Float64Array;
  earliest: Float64Array; ///< issue of the first operation that it waited for
  start: Uint32Array;     ///< where its operations' numbers are in the next
  numbers: Uint32Array;
}

export interface Chunk {
  id: number;
  instructions: Instructions;
  operations: Operations;
  waits: Waits;
}

function readInstructions(columns: Reader[], n: number, base: number, waveNumber: Uint32Array, waveRow: Uint16Array, slotRows: number) {
  const [waveOf, line, issued, arrived, issue, busy, kind, lanes, stall, stalls] = columns;
  // Rows are counted first, so that each instruction is stored where it belongs.
  const local = new Uint32Array(n);
  const rowStart = new Uint32Array(slotRows + 1);
  for (let i = 0; i < n; ++i) {
    local[i] = waveOf.get();
    ++rowStart[waveRow[local[i]] + 1];
  }
  for (let r = 0; r < slotRows; ++r) rowStart[r + 1] += rowStart[r];
  const next = rowStart.slice();
  const to: Instructions = {
    count: n, rowStart, wave: new Uint32Array(n), line: new Uint32Array(n), arrived: new Float64Array(n), issued: new Float64Array(n),
    issue: new Uint32Array(n), busy: new Uint32Array(n), category: new Uint8Array(n), pipe: new Uint8Array(n), taken: new Uint8Array(n),
    lanes: new Uint8Array(n), stallStart: new Uint32Array(n + 1), stallCause: new Uint8Array(0), stallCycles: new Uint32Array(0),
  };
  const cell = new Uint32Array(n); // where the one written as the nth is
  const lastLine = new Int32Array(waveNumber.length);
  const lastEnd = new Float64Array(waveNumber.length).fill(base);
  const code = new Uint8Array(n);
  const mixed = new Map<number, number[]>();
  let time = base;
  let stallTotal = 0;
  for (let i = 0; i < n; ++i) {
    const w = local[i];
    const at = next[waveRow[w]]++;
    cell[i] = at;
    time += issued.signed();
    lastLine[w] += line.signed();
    to.wave[at] = waveNumber[w];
    to.line[at] = lastLine[w];
    to.arrived[at] = lastEnd[w] + arrived.signed();
    to.issued[at] = time;
    const cycles = issue.get();
    to.issue[at] = cycles;
    lastEnd[w] = time + cycles;
    to.busy[at] = busy.get();
    const bits = kind.get();
    to.category[at] = bits & 15;
    to.pipe[at] = (bits >> 4) & 7;
    to.taken[at] = bits >> 7;
    to.lanes[at] = lanes.get();
    const cause = stall.get();
    code[at] = cause;
    if (cause > stallCount) {
      const mask = stalls.get();
      const list: number[] = [];
      for (let c = 0; c < stallCount; ++c) if (mask & (1 << c)) list.push(c, stalls.get());
      mixed.set(at, list);
      stallTotal += list.length / 2;
    } else if (cause) {
      ++stallTotal;
    }
  }
  to.stallCause = new Uint8Array(stallTotal);
  to.stallCycles = new Uint32Array(stallTotal);
  let s = 0;
  for (let at = 0; at < n; ++at) {
    to.stallStart[at] = s;
    if (code[at] > stallCount) {
      const list = mixed.get(at)!;
      for (let i = 0; i < list.length; i += 2) {
        to.stallCause[s] = list[i];
        to.stallCycles[s++] = list[i + 1];
      }
    } else if (code[at]) {
      to.stallCause[s] = code[at] - 1;
      to.stallCycles[s++] = to.issued[at] - to.arrived[at];
    }
  }
  to.stallStart[n] = s;
  return { to, cell, local };
}

export function decodeChunk(id: number, bytes: Uint8Array, slotRows: number): Chunk {
  const head = new Reader(bytes);
  const base = head.get();
  const waveCount = head.get();
  const instructionCount = head.get();
  const operationCount = head.get();
  const waitCount = head.get();
  const columns = columnsOf(head);
  const waveNumber = new Uint32Array(waveCount);
  const waveRow = new Uint16Array(waveCount);
  for (let i = 0; i < waveCount; ++i) {
    waveNumber[i] = columns[0].get();
    waveRow[i] = columns[0].get();
  }
  const { to: instructions, cell, local } = readInstructions(columns.slice(1, 11), instructionCount, base, waveNumber, waveRow, slotRows);

  const nextNumber = new Uint32Array(waveCount);
  const n = operationCount;
  const operations: Operations = {
    count: n, row: new Uint16Array(n), wave: new Uint32Array(n), line: new Uint32Array(n), number: new Uint32Array(n), flags: new Uint8Array(n),
    pipe: new Uint8Array(n), level: new Uint8Array(n), issued: new Float64Array(n), begin: new Float64Array(n), end: new Float64Array(n),
    returned: new Float64Array(n), conflicts: new Uint32Array(n), bytes: new Uint32Array(n), requests: new Uint32Array(n),
    hits: new Uint16Array(n * levelCount),
  };
  const [oAfter, oWave, oLine, oNumber, oFlags, oPlace, oIssued, oBegin, oLength, oReturned, oConflicts, oBytes, oRequests, oHits] = columns.slice(11);
  const lastWait = columns.slice(25);
  const [wAfter, wWave, wLine, wArrived, wDone, wCount, wNumbers, wEarliest] = lastWait;

  // Waits name operations by the wave's next number at that moment: both are read in the order that `after` gives them.
  const waits: Waits = {
    count: waitCount, row: new Uint16Array(waitCount), wave: new Uint32Array(waitCount), line: new Uint32Array(waitCount),
    arrived: new Float64Array(waitCount), done: new Float64Array(waitCount), earliest: new Float64Array(waitCount),
    start: new Uint32Array(waitCount + 1), numbers: new Uint32Array(0),
  };
  let after = 0;
  for (let i = 0; i < n; ++i) {
    after += oAfter.signed();
    const w = after ? local[after - 1] : oWave.get();
    const at = after ? cell[after - 1] : -1;
    operations.row[i] = waveRow[w];
    operations.wave[i] = waveNumber[w];
    operations.line[i] = (at < 0 ? 0 : instructions.line[at]) + oLine.signed();
    operations.number[i] = nextNumber[w] + oNumber.signed();
    nextNumber[w] = operations.number[i] + 1;
    operations.flags[i] = oFlags.get();
    const place = oPlace.get();
    operations.pipe[i] = place & 15;
    operations.level[i] = place >> 4;
    operations.issued[i] = (at < 0 ? base : instructions.issued[at]) + oIssued.signed();
    operations.begin[i] = operations.issued[i] + oBegin.signed();
    operations.end[i] = operations.begin[i] + oLength.signed();
    operations.returned[i] = operations.end[i] + oReturned.signed();
    operations.conflicts[i] = oConflicts.get();
    operations.bytes[i] = oBytes.get();
    operations.requests[i] = oRequests.get();
    const levels = oHits.get();
    for (let l = 0; l < levelCount; ++l) if (levels & (1 << l)) operations.hits[i * levelCount + l] = oHits.get();
  }
  const numbers: number[] = [];
  after = 0;
  for (let i = 0; i < waitCount; ++i) {
    after += wAfter.signed();
    const w = after ? local[after - 1] : wWave.get();
    const at = after ? cell[after - 1] : -1;
    waits.row[i] = waveRow[w];
    waits.wave[i] = waveNumber[w];
    waits.line[i] = (at < 0 ? 0 : instructions.line[at]) + wLine.signed();
    waits.arrived[i] = (at < 0 ? base : instructions.arrived[at]) + wArrived.signed();
    waits.done[i] = (at < 0 ? base : instructions.issued[at]) + wDone.signed();
    const count = wCount.get();
    let number = 0;
    for (let j = 0; j < count; ++j) {
      number += wNumbers.signed();
      numbers.push(number++);
    }
    waits.start[i + 1] = numbers.length;
    waits.earliest[i] = waits.arrived[i] - wEarliest.get();
  }
  waits.numbers = Uint32Array.from(numbers);
  return { id, instructions, operations, waits };
}

/// Buffers that can be handed from thread to thread.
export function buffersOf(chunk: Chunk): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const part of [chunk.instructions, chunk.operations, chunk.waits])
    for (const value of Object.values(part)) if (ArrayBuffer.isView(value)) buffers.push(value.buffer as ArrayBuffer);
  return buffers;
}

/// The first of a sorted range that isn't less.
export function lowerBound(array: ArrayLike<number>, value: number, from = 0, to = array.length): number {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (array[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
