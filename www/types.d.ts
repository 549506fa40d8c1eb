// What passes between the core and the page, and the page's own state.

/** One buffer, as REPORT.md describes it, and what the page adds. */
export interface BufferView {
  ref: string;
  subgraph: number;
  index: number;
  name: string;
  dtype: string | null;
  shape: number[];
  bytes: number | null;
  role: string;
  place: string;
  offset: number | null;
  first_step: number | null;
  last_step: number | null;
  alias_of: string | null;
  share_count: number;
}

export interface StepView {
  step: number;
  subgraph: number;
  op_index: number | null;
  op: string;
  live_bytes: number;
  born: string[];
  dies: string[];
}

export interface WarningView {
  code: string;
  message: string;
  ref: string | null;
  byte_offset: number | null;
}

export interface PeakView {
  step: number;
  op_index: number | null;
  op: string | null;
  live_bytes: number;
  tensors: string[];
}

/** The report: REPORT.md. */
export interface Report {
  schema: number;
  tool: string;
  model: { name: string; bytes: number; sha256: string; subgraphs: number; ops: number; tensors: number };
  options: {
    runtime: 'tflite' | 'tflm';
    planner: string;
    alignment: number;
    preserve_all_tensors: boolean;
    kernels: string | null;
    abi: string | null;
  };
  arena_bytes: number;
  persistent_bytes: number;
  heap_bytes: number | null;
  minimum_arena_bytes: number | null;
  used_bytes: number | null;
  lower_bound_bytes: number;
  optimal: boolean | null;
  peak: PeakView | null;
  steps: StepView[];
  buffers: BufferView[];
  warnings: WarningView[];
  micro: {
    persistent: { category: string; bytes: number }[];
    missing_ops: string[];
    unknown_ops: string[];
    resolver: string | null;
    refusal: { stage: string; reason: string; op_index: number | null; log: string[]; crashes: boolean } | null;
  } | null;
  /** The deepest sum of arenas along a call stack; null where nothing is called. */
  stack: { step: number; arena_bytes: number } | null;
}

/** One fact behind a buffer: what kind, and the step or buffer it is about (−1: none). */
export interface CauseNote {
  kind: string;
  step: number;
  buffer: number;
}

/**
 * What the page needs besides the report. Everything by position: steps by their place in the report's list (which is
 * not always how they are printed), buffers and boxes by their index; −1 is none.
 */
export interface Notes {
  /** Per step: the column of the chart, or −1 where another arena is in use. */
  columns: number[];
  /** The step with the most bytes alive. */
  peak: number;
  /** Per step: buffers read, written, used as scratch (indexes into the report's buffers). */
  reads: number[][];
  writes: number[][];
  scratch: number[][];
  /** Per buffer: its box in the chart, or −1. Aliases share their root's. */
  boxes: number[];
  /** Per buffer: the first and the last step of its life. */
  first: number[];
  last: number[];
  /** Per buffer: why it has its span, place and size. */
  causes: CauseNote[][];
  /** Per box: the buffers in it, the root first. */
  members: number[][];
  /** Per step: the bytes of its arena that its operation would need alone. */
  alone: number[];
  /** The largest boxes of whose bytes nobody makes use at another time. */
  unshared: number[];
  /** Buffers that the file stores sparsely. */
  sparse: number[];
  /** What a plan file says of the model that it was made from. */
  source: SourceNote | null;
  /** The first write that destroys bytes still needed, and how many there are; null for a sound plan. */
  overwritten: { count: number; writer: number; victim: number; step: number; needed: number; first_byte: number; bytes: number } | null;
}

/** Nothing here was checked; the figures are missing once the plan is no longer the file's own. */
export interface SourceNote {
  sha256: string;
  bytes: number;
  ops: number;
  tensors: number;
  runtime: string;
  /** What was changed before it was planned. */
  what_if: string[];
  set: number | null;
  minimum: number | null;
  used: number | null;
  persistent: number | null;
  heap: number | null;
}

/** Where an address leads that does not hold everything: a plan without its model, or a view without its plan. */
export interface LinkNote {
  kind: 'plan' | 'view';
  name: string;
  sha256: string;
  params: URLSearchParams;
}

/** One analysed model: everything the views read; never changed. */
export interface Doc {
  report: Report;
  notes: Notes;
  /** The report as text, for export; like the other texts here it is made from bytes when it is asked for. */
  readonly json: string;
  readonly csv: string;
  /** The picture's data. */
  scene: Uint8Array;
  /** The plan file, as text. */
  readonly plan: string;
  /** The same, as it came. */
  planBytes: Uint8Array;
  /** The report as JSON, in bytes: they go to the worker without being read on the way. */
  jsonBytes: Uint8Array;
  /** Manifests of wake-word models in the same archive. */
  manifests: import('./folder-types.d.ts').Manifest[];
  /** What the plan is held against when something is changed; null for the file's own plan. */
  what_if: WhatIf | null;
  /** The plan file without the what-ifs, and the what-ifs in its own references; null and none without any. */
  readonly base_plan: string | null;
  plan_edits: string[];
  /** The settings that it was made with. */
  settings: Settings;
  /** TFLite-Micro's whole arena; null for TFLite. */
  micro: import('./types-micro.d.ts').Micro | null;
  /** Index of each buffer by its reference. */
  byRef: Map<string, number>;
}

/** The file's own plan, that a changed one is held against: no what-ifs, no other planner or alignment, nothing preserved. */
export interface WhatIf {
  edits: string[];
  arena: number;
  /** The size to set, then and now. */
  set: number;
  now: number;
  peak: { step: number | null; op_index: number | null; op: string | null; live: number } | null;
  /** What the changed buffers were. */
  targets: { ref: string; bytes: number | null; dtype: string | null; last: number | null }[];
}

export type Settings = import('../pkg/arenascope.js').SettingsValue;

/** Steps from left to right, bytes from bottom to top. */
export type View = [number, number, number, number];

/** The core's failures, and the page's own: a fault of ours, a file that cannot be read, a page that cannot start. */
export type Failure = Omit<import('../pkg/arenascope.js').Failure, 'kind'> & {
  kind: import('../pkg/arenascope.js').Failure['kind'] | 'crash' | 'unreadable' | 'start' | 'link' | 'newer-link';
};

/** Why a box lies where it does; requests are boxes, by index. */
export interface Why {
  kind: 'fixed' | 'follows' | 'placed' | 'rests';
  planner: string;
  offset: number;
  turn: number;
  turns: number;
  gaps: { start: number; offset: number; end: number; below: number | null; above: number; fits: boolean }[];
  taken: number | null;
  below: number | null;
  chain: number[];
}

export interface Opened {
  name: string;
  bytes: number;
}

export type ColourMode = 'role' | 'type' | 'op' | 'size' | 'lifetime' | 'shares';

export interface State {
  phase: 'empty' | 'loading' | 'choosing' | 'ready' | 'failed' | 'folder';
  file: Opened | null;
  /** What is being done while loading. */
  stage: 'reading' | 'starting' | 'analysing' | 'drawing' | null;
  failure: Failure | null;
  /** The models of a file that holds several. */
  choices: string[];
  doc: Doc | null;
  /** The verdicts on a folder of models; kept while one of them is on screen. */
  folder: import('./folder-types.d.ts').Folder | null;
  /** Manifests that were opened together with the model. */
  manifests: import('./folder-types.d.ts').Manifest[];
  settings: Settings;
  /** The boards that the core knows. */
  boards: import('./types-micro.d.ts').Board[];
  /** What is added to the arena to set, in percent. */
  margin: number;
  /** The moment of `AllocateTensors` that the whole arena is shown at; null: while it runs. */
  moment: number | null;
  /** TFLite beside TFLite-Micro, once it is known. */
  contrast: import('./types-micro.d.ts').Contrast | null;
  step: number;
  /** The selected buffer: an index into the report's buffers. */
  selected: number | null;
  /** The plan that others are laid beside. */
  before: Doc | null;
  /** What is different; null until the core has told. */
  comparison: import('./types-compare.d.ts').Comparison | null;
  /** The other file that an address was compared with, until it is opened. */
  absent: { name: string; sha256: string } | null;
  /** The arena shown in the panel of subgraphs; null: the panel is closed. */
  arena: number | null;
  /** How two plans are shown. */
  lay: 'over' | 'side';
  /** The selected buffer of the kept plan, when the plan on screen does not have it. */
  picked: number | null;
  /** Why the box of the selected buffer lies where it does; of another one, or null, until it is known. */
  why: (Why & { box: number, of: Doc }) | null;
  /** What surrounds the selected buffer; of another one, or null, until it is known. */
  around: (import('./types-explain.d.ts').Surroundings & { of: Doc }) | null;
  /** What the step needs; of another one, or null, until it is known. */
  needs: (import('./types-explain.d.ts').Needs & { of: Doc }) | null;
  /** What part of the chart is shown; null: everything. */
  view: View | null;
  mode: ColourMode;
  gaps: boolean;
  bound: boolean;
  hex: boolean;
  playing: boolean;
  theme: 'system' | 'light' | 'dark';
  language: 'en' | 'zh';
  tab: 'chart' | 'ops' | 'tensors';
  sort: { column: string; down: boolean };
  filter: string;
  filters: import('./types-explain.d.ts').Filters;
  letters: boolean;
  /** What the address did not hold. */
  link: LinkNote | null;
  /** Why a link could not be read. */
  trouble: import('./share.js').Trouble | null;
  /** What becomes of names in links. */
  names: import('./share.js').Names;
  /** Settings before each change, oldest first, and those that were undone. */
  past: Settings[];
  future: Settings[];
  /** The plan on screen is older than the settings. */
  replanning: boolean;
  /** Why the last change was not made: the page's words, and the core's in them. */
  refusal: { key: 'whatif.refused' | 'whatif.dropped'; message: string } | null;
}

/** Page to worker. */
export type ToWorker =
  | { kind: 'module'; module: WebAssembly.Module }
  | { kind: 'ask'; id: number; question: import('./types-micro.d.ts').Question }
  | { kind: 'reopen'; name: string; bytes: Uint8Array; settings: Settings }
  | { kind: 'analyse'; id: number; name: string; bytes: Uint8Array; settings: Settings };

/** A piece of the report, the notes or the whole arena, as JSON: rows of one list, or everything but the long lists. */
export interface Part {
  of: 'report' | 'notes' | 'micro';
  key: string | null;
  text: string;
}

/** Worker to page. */
export type FromWorker =
  | { kind: 'stage'; id: number; stage: 'analysing' | 'drawing' }
  | { kind: 'part'; id: number; part: Part }
  | { kind: 'done'; id: number; scene: Uint8Array; json: Uint8Array; csv: Uint8Array; plan: Uint8Array; manifests: string; what_if: string; base_plan: Uint8Array | null; plan_edits: string[] }
  | { kind: 'answer'; id: number; text: string | null; failure: string | null }
  | { kind: 'reopened' }
  | { kind: 'choose'; id: number; names: string[] }
  | { kind: 'failed'; id: number; failure: Failure };
