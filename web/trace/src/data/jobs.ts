// What the page asks its worker for.

export interface StoredTile { level: number; number: number; blobs: string[] }

export type Job =
  | { type: 'tile'; level: number; number: number; stored: StoredTile[]; chunks: number[] }
  | { type: 'chunk'; chunk: number }
  | { type: 'operations'; wave: number; numbers: number[]; chunks: number[] }
  | { type: 'waiters'; wave: number; number: number; chunks: number[] }
  | { type: 'marks'; lines: number[]; chunks: number[]; width: number; bins: number }
  | { type: 'find'; line: number; wave: number; from: number; forward: boolean; chunks: number[] };

/// An operation with all that is known of it.
export interface OperationInfo {
  row: number; wave: number; line: number; number: number; flags: number; pipe: number; level: number;
  issued: number; begin: number; end: number; returned: number; conflicts: number; bytes: number; requests: number; hits: number[];
}

export interface WaitInfo { row: number; wave: number; line: number; arrived: number; done: number; earliest: number; numbers: number[] }

/// Where an instruction was issued.
export interface Place { row: number; wave: number; line: number; arrived: number; issued: number }

export type ToWorker =
  | { kind: 'init'; simds: number; slots: number; counters: number }
  | { kind: 'job'; id: number; job: Job }
  | { kind: 'blob'; name: string; text: string };

export type FromWorker =
  | { kind: 'need'; name: string }
  | { kind: 'done'; id: number; result: unknown }
  | { kind: 'failed'; id: number; why: string };
