// Two plans beside each other, as the core tells it, and as the page keeps it.

/** One figure on both sides; null where a side does not have it. */
export interface Figure {
  key: 'set' | 'minimum' | 'arena' | 'persistent' | 'heap' | 'peak' | 'bound';
  before: number | null;
  after: number | null;
  change: number | null;
  /** Of before, with one digit behind the point. */
  percent: number | null;
}

export interface Counts {
  same: number;
  moved: number;
  resized: number;
  relived: number;
  replaced: number;
  added: number;
  gone: number;
}

/** What the core answers. */
export interface ComparisonValue {
  same_model: boolean;
  figures: Figure[];
  peak_moved: boolean;
  counts: Counts;
  /** Pairs of places in the two lists of steps: before, after. */
  steps: number[];
  /** Three numbers for each tensor: its index before and after (−1: none), and what differs: 1 offset, 2 size, 4 life, 8 place. */
  rows: number[];
}

export interface Row {
  before: number;
  after: number;
  signs: number;
}

export interface Comparison extends Omit<ComparisonValue, 'rows' | 'steps'> {
  rows: Row[];
  /** Buffers and steps of one side by those of the other. */
  toBefore: Map<number, number>;
  toAfter: Map<number, number>;
  stepToBefore: Map<number, number>;
  stepToAfter: Map<number, number>;
  /** Where each column of the earlier chart stands in the later one (−1: nowhere); null: in the same place. */
  columns: Int32Array | null;
}

/** A file and the settings it was opened with. */
export interface Input {
  name: string;
  data: Uint8Array;
  settings: import('./types.d.ts').Settings;
  /** The settings before, and those taken back. */
  past?: import('./types.d.ts').Settings[];
  future?: import('./types.d.ts').Settings[];
}
