// A folder of models: what the page keeps of it, and what passes between it and its worker.

import type { Failure, Settings } from './types.d.ts';

/** A file that can be read when its turn comes. */
export interface Entry {
  path: string;
  open: () => Promise<File>;
}

/** Files that were dropped or chosen. */
export interface Gathered {
  title: string;
  entries: Entry[];
  /** Whether a folder was among them. */
  isFolder: boolean;
  /** Whether there were more than are looked at. */
  isCut: boolean;
}

/** A wake-word model's manifest, by its name or its path. */
export interface Manifest {
  path: string;
  wake_word: string | null;
  model: string | null;
  arena: number | null;
}

/** What the runtime makes of one model; see `src/web/folder.rs`. */
export interface Verdict {
  set: number;
  minimum: number | null;
  planned: number;
  persistent: number | null;
  bound: number;
  optimal: boolean | null;
  peak: number | null;
  peak_op: number | null;
  peak_name: string;
  at_least: boolean;
  warnings: number;
  refused: string | null;
}

export interface FileVerdicts {
  rows: { name: string; inner: string | null; bytes: number; verdict: Verdict | null; failure: Failure | null }[];
  more: number;
  manifests: Manifest[];
  other: Failure | null;
}

/** One line of the table. */
export interface FolderRow {
  /** Which entry, and which model in it. */
  entry: number;
  inner: string | null;
  path: string;
  bytes: number;
  verdict: Verdict | null;
  failure: Failure | null;
}

export interface Folder {
  title: string;
  /** Files to look at; 0 while they are being listed. */
  total: number;
  done: number;
  /** The file in work; null when all is done, or was stopped. */
  current: string | null;
  isCut: boolean;
  rows: FolderRow[];
  /** Models without a row, in files of very many. */
  more: number;
  /** Files that are no models, and what the first of them are. */
  skipped: number;
  others: { path: string; what: string }[];
  manifests: Manifest[];
  settings: Settings;
  sort: { column: string; down: boolean };
  filter: string;
}

/** Page to the folder's worker. */
export type ToFolder =
  | { kind: 'module'; module: WebAssembly.Module }
  | { kind: 'file'; id: number; file: File; name: string; settings: Settings };

/** The folder's worker to the page. */
export type FromFolder =
  | { kind: 'done'; id: number; text: string }
  | { kind: 'failed'; id: number; failure: Failure };
