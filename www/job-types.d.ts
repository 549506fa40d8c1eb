// What passes between the page and the worker for long work.

import type { Failure, Settings } from './types.d.ts';

export interface JobModel {
  name: string;
  bytes: Uint8Array;
  settings: Settings;
}

export interface Heights {
  own: string | null;
  bytes: number;
  bound: number;
  rows: { name: string; bytes: number; refused: string | null }[];
}

export interface Searched {
  best: number;
  bound: number;
  nodes: number;
  done: boolean;
  proven: boolean;
}

export interface Advices {
  arena: number;
  bound: number;
  verdict: string;
  list: { kind: string; basis: 'written' | 'planned' | 'estimated'; saved: number; arena: number; sentence: string; buffers: number[] }[];
}

export interface BakeProgress {
  phase: 'order' | 'plan' | 'new-plan';
  best: number;
  bound: number;
  done: number;
}

export interface Figures {
  arena: number;
  minimum: number | null;
}

export interface Baked {
  plan: boolean;
  order: boolean;
  before: Figures;
  after: Figures;
  bound: number;
  order_bound: number | null;
  notes: string[];
}

export interface Input {
  tensor: string;
  name: string;
  file: number[];
  now: number[];
  open: boolean[];
}

export interface Point {
  value: number;
  bytes: number | null;
  failed: string | null;
}

export interface Arenas {
  arenas: { subgraph: number; name: string; kind: 'main' | 'persistent'; bytes: number; bound: number; buffers: number; ticks: number }[];
  stack: { subgraph: number; name: string; step: string; bytes: number }[];
  stack_bytes: number;
}

export type Job =
  | { what: 'heights' }
  | { what: 'search'; seconds: number }
  | { what: 'advice' }
  | { what: 'bake'; plan: boolean; reorder: boolean; seconds: number }
  | { what: 'inputs' }
  | { what: 'try'; settings: Settings }
  | { what: 'curve'; tensor: string; dims: number[]; axis: number; values: number[] }
  | { what: 'arenas' }
  | { what: 'scene'; index: number };

export type ToJobs =
  | { kind: 'module'; module: WebAssembly.Module }
  | { kind: 'model'; model: JobModel }
  | { kind: 'run'; id: number; job: Job }
  | { kind: 'stop' };

export type FromJobs =
  | { kind: 'progress'; id: number; progress: unknown }
  | { kind: 'done'; id: number; result: unknown; bytes: Uint8Array | null }
  | { kind: 'failed'; id: number; failure: Failure };
