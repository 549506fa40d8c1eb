// What the core says of a buffer's surroundings and of a step's needs, and what the visitor filters by. Steps by their
// place in the execution, buffers by their index.

/** What lies next to a buffer; `buffer` null: the bottom or the top of the arena. */
export interface Neighbour {
  buffer: number | null;
  gap: number;
  between: 'nothing' | 'padding' | 'free';
  /** The first and the last step at which it is the neighbour. */
  first: number | null;
  last: number | null;
}

export interface Surroundings {
  buffer: number;
  /** Bytes held, and how many of them only because the runtime rounds sizes up. */
  held: number;
  rounding: number;
  /** The last step at which its bytes are held, and who shares them until then. */
  until: number | null;
  held_for: number | null;
  below: Neighbour[];
  above: Neighbour[];
  /** Bytes next to it that nobody uses during its whole life. */
  free_below: number;
  is_padding: boolean;
  free_above: number;
  /** Others over the same bytes at the same time. */
  over: number[];
  /** Others over the same bytes at other times, and how many in all. */
  sharers: number[];
  share_count: number;
}

/** A buffer that is alive at a step; `next`: the next step that uses it. */
export interface Alive {
  buffer: number;
  bytes: number;
  read: boolean;
  written: boolean;
  scratch: boolean;
  next: number | null;
}

export interface Needs {
  step: number;
  live: number;
  /** What the step would need alone, and the rest, which only waits. */
  alone: number;
  waiting: number;
  /** Bytes that begin and that are given back since the step before. */
  born: number | null;
  freed: number | null;
  arena: number;
  /** How much higher the arena is than what is alive. */
  above: number;
  bound: number;
  optimal: boolean | null;
  /** How many are alive; the list may be shorter. */
  count: number;
  alive: Alive[];
}

/** What the table and the chart show; empty lists and texts, and false, let everything through. */
export interface Filters {
  roles: string[];
  types: string[];
  /** Sizes as they were typed. */
  least: string;
  most: string;
  /** Alive at the step on screen. */
  alive: boolean;
  /** Sharing its bytes with nobody. */
  unshared: boolean;
}
