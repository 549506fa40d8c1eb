// What the core says of TFLite-Micro's whole arena, of boards, and of what a device printed.

/** A board with its memories, in bytes; `null` where the document does not tell. */
export interface Board {
  id: string;
  name: string;
  chip: string;
  ram: number;
  block: number | null;
  external: number | null;
  /** The largest arena that one array can be. */
  budget: number;
  abi: string;
  kernels: string;
  /** The document that the figures are from. */
  source: string;
}

export interface Margin {
  percent: number;
  bytes: number;
  line: string;
}

/** The arena at one moment of `AllocateTensors`. */
export interface Moment {
  stage: string;
  subgraph: number | null;
  op: number | null;
  name: string;
  head: number;
  temp_end: number;
  tail: number;
}

/** Allocations from the tail that follow each other, are made in one moment and are of one kind. */
export interface TailPiece {
  moment: number;
  kind: number;
  /** From the arena's end down to this piece. */
  above: number;
  bytes: number;
  count: number;
  what: string;
  op: number | null;
}

export interface Fit {
  budget: number;
  needed: number;
  short: number;
  /** The first step with a buffer that cannot be placed, and the buffer: indexes into the report's lists. */
  step: number | null;
  buffer: number | null;
}

export interface OverlapNote {
  buffers: [number, number];
  steps: [number | null, number | null];
  first_byte: number;
  bytes: number;
  in_place: boolean;
}

/** What the file's own plan is worth. */
export interface Offline {
  placed: number;
  left: number;
  height: number;
  greedy: number;
  overlaps: OverlapNote[];
  unaligned: number[];
}

/** TFLite-Micro's whole arena; the sizes are missing when the model is refused. */
export interface Micro {
  minimum: number | null;
  safe: number | null;
  head: number;
  tail: number | null;
  margins: Margin[];
  deciding: 'tail' | 'temporaries' | 'planning' | 'final' | null;
  deciding_op: number | null;
  deciding_name: string;
  /** With two arenas: the persistent one, and the other. */
  apart: [number, number] | null;
  /** Names of the tail's categories. */
  kinds: string[];
  moments: Moment[];
  pieces: TailPiece[];
  fit: Fit | null;
  offline: Offline | null;
}

export interface Finding {
  line: number;
  trouble: string;
  stage: string | null;
  /** What it means, as a code: a text of the page; and the operator or the number that it is about. */
  meaning: string;
  detail: string | null;
  requested: number | null;
  available: number | null;
  missing: number | null;
}

export interface Diagnosis {
  findings: Finding[];
  progress: ('further' | 'closer' | 'elsewhere' | 'same' | 'back')[];
  at_least: number | null;
  exact: number | null;
  doubts: ({ kind: 'other-head'; logged: number; planned: number } | { kind: 'large-enough'; size: number; needed: number; alignment: number })[];
}

export interface DifferenceNote {
  what: string;
  buffer: number | null;
  planned: number | null;
  measured: number | null;
}

export interface PlanBox {
  id: number;
  buffer: number | null;
  size: number;
  offset: number;
  first: number;
  last: number;
}

export interface Measured {
  kind: 'plan' | 'recording' | 'none';
  lines: number;
  differences: DifferenceNote[];
  planned: PlanBox[];
  measured: PlanBox[];
}

/** TFLite beside TFLite-Micro; the reasons sum up to the second figure minus the first. */
export interface Contrast {
  tflite: number;
  tflm: number;
  set: number | null;
  complete: boolean;
  reasons: { key: string; kind: string | null; bytes: number }[];
}

/** A question about the last analysis, for the worker. */
export type Question =
  | { what: 'decode'; log: string; arena: number | null }
  | { what: 'measure'; text: string }
  | { what: 'memory-plan' }
  | { what: 'html'; page: import('../pkg/arenascope.js').PageValue }
  | { what: 'cpp' }
  | { what: 'buffer-plan' }
  | { what: 'why'; box: number }
  | { what: 'surroundings'; buffer: number }
  | { what: 'needs'; step: number }
  | { what: 'contrast'; bytes: Uint8Array }
  | { what: 'compare' | 'compare-csv'; before: Uint8Array; after: Uint8Array };

export type Ask = (question: Question) => Promise<string>;
