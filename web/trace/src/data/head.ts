// What stands at the front of a page's data: the run, its code and waves, and where the rest is.

import { columnsOf, Reader, unpack } from './reader';

export interface Head {
  chip: string; device: string; kernel: string; demangled: string;
  clockMHz: number;
  grid: number[]; block: number[];
  vgprs: number; agprs: number; sgprs: number; ldsBytes: number; scratchBytes: number;
  counters: string[]; ///< by which waves wait for operations
  simds: number; slots: number; cus: number;
  deviceCus: number; ///< that the device has; 0: not known
  wavesPerWorkgroup: number; workgroupsPerCu: number;
  cycles: number; instructions: number; waves: number; workgroups: number;
  whole: boolean;
  verdict: string; ///< what costs the launch most of the device, what to try and what that would gain
  /// Of the launch on the whole device, by the model, and what launches that are alike took where they were measured.
  microseconds?: number;
  accuracy?: { bound: string; launches: number; least_microseconds?: number; most_microseconds?: number };
  /// What leaves no room for one more workgroup on a CU: what a wave or a workgroup takes, and with how much one more fits (0: never).
  limits: { resource: string; has: number; most: number }[];
  sources: { file: string; text: string }[];
  categories: string[]; stalls: string[]; pipes: string[]; levels: string[];
  code: { address: number[]; text: string[]; source: string[]; category: number[]; target: number[] };
  totals: {
    hits: number[]; issue: number[]; busy: number[]; lanes: number[]; operations: number[]; latency: number[]; maxLatency: number[];
    queued: number[]; conflicts: number[]; bytes: number[]; requests: number[]; first: number[]; last: number[];
    stalls: number[][]; levels: number[][];
    blames: [wait: number, operation: number, times: number, cycles: number][];
  };
  /// A thread trace of the same kernel on hardware: of the lines that ran on either side, means beside the model's.
  silicon?: {
    line: number[]; hits: number[]; hitsModel: number[]; stall: number[]; stallModel: number[]; step: number[]; stepModel: number[];
    within: boolean[]; wave: number; waveModel: number;
  };
  finest: number; step: number; overview: number;
  tiles: [cu: number, level: number, number: number][];
  chunks: {
    cu: number[]; from: number[]; to: number[]; instructions: number[]; operations: number[]; waits: number[];
    firstLine: number[]; lastLine: number[];
  };
}

export interface Wave {
  number: number; cu: number; simd: number; slot: number; row: number;
  begin: number; end: number;
  workgroup: number; inGroup: number;
}

const element = (name: string) => document.getElementById(name)?.textContent ?? null;

/// A piece's text as soon as the document has it all: a later element or the document's end says so.
export async function blobText(name: string): Promise<string> {
  for (;;) {
    const found = document.getElementById(name);
    if (found && (found.nextElementSibling || document.readyState !== 'loading')) return found.textContent ?? '';
    if (document.readyState !== 'loading') throw new Error(`the file is cut short: ${name} is missing`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/// Whether the page has a run whose elements' names begin so.
export const hasRun = (prefix: string) => element(`${prefix}head`) !== null;

export async function readHead(prefix: string): Promise<Head> {
  const text = element(`${prefix}head`);
  if (!text) throw new Error('this page holds no trace');
  return JSON.parse(new TextDecoder().decode(await unpack(text))) as Head;
}

export async function readWaves(head: Head, prefix: string): Promise<Wave[]> {
  const reader = new Reader(await unpack(element(`${prefix}waves`) ?? ''));
  const count = reader.get();
  const [number, cu, simd, slot, begin, length, workgroup, inGroup] = columnsOf(reader);
  const waves: Wave[] = [];
  let next = 0;
  let time = 0;
  for (let i = 0; i < count; ++i) {
    next += number.signed();
    time += begin.signed();
    const cycles = length.get();
    const wave: Wave = {
      number: next, cu: cu.get(), simd: simd.get(), slot: slot.get(), row: 0, begin: time,
      end: cycles ? time + cycles - 1 : head.cycles, workgroup: workgroup.get(), inGroup: inGroup.get(),
    };
    wave.row = (wave.simd % head.simds) * head.slots + (wave.slot % head.slots);
    waves.push(wave);
    ++next;
  }
  return waves;
}
