// @ts-check
// A folder of models: sends one file after the other to a worker of its own, and collects the verdicts.

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Settings} Settings */
/** @typedef {import('./types.d.ts').Failure} Failure */
/** @typedef {import('./folder-types.d.ts').Folder} Folder */
/** @typedef {import('./folder-types.d.ts').Gathered} Gathered */
/** @typedef {import('./folder-types.d.ts').FileVerdicts} FileVerdicts */
/** @typedef {import('./folder-types.d.ts').FromFolder} FromFolder */
/** @typedef {import('./folder-types.d.ts').ToFolder} ToFolder */

import { failureAs, faultOf, messageOf } from './faults.js';
import { manifestOf } from './manifest.js';
import { plural, t } from './texts.js';

/** Names of files that want to be models, so that one that is none is worth a line. */
const MODEL_NAME = /\.(tflite|lite|tfl)$/i;
/** Files that are no models, of which it is told what they are. */
const MAX_OTHERS = 300;

/**
 * @param {{
 *   store: import('./store.js').Store<State>, module: () => WebAssembly.Module | null, say: (text: string) => void,
 *   leave: () => void, open: (file: File, path: string, inner: string | null, manifests: import('./folder-types.d.ts').Manifest[]) => void,
 * }} context
 */
export function createFolder({ store: { get, set }, module, say, leave, open }) {
  /** @type {Gathered | null} */
  let gathered = null;
  /** @type {Worker | null} */
  let worker = null;
  /** Counts runs: what an older one still brings is not wanted. */
  let run = 0;
  /** What is known so far; shown a few times a second. @type {Folder | null} */
  let known = null;
  let waiting = 0;

  /** Shows an empty table, before the files are known. @param {string} title */
  function begin(title) {
    halt();
    leave();
    gathered = null;
    known = blank(title, get().settings);
    set({ phase: 'folder', folder: known, file: { name: title || t('folder.files'), bytes: 0 } });
  }

  /** @param {Gathered} found */
  function show(found) {
    begin(found.title);
    gathered = found;
    void start();
  }

  async function start() {
    if (!gathered) return;
    halt();
    const { entries, isCut, title } = gathered;
    const mine = ++run;
    const { settings, folder } = get();
    const { sort, filter } = folder ?? blank(title, settings);
    known = { ...blank(title, settings), total: entries.length, isCut, sort, filter };
    for (const [index, entry] of entries.entries()) {
      known = { ...known, current: entry.path };
      share();
      const found = await judge(entry, settings);
      if (mine !== run) return;
      known = withFile(known, index, entry.path, found);
      share();
    }
    known = { ...known, current: null };
    share(true);
    end();
    say(outcome(known));
  }

  /** @param {import('./folder-types.d.ts').Entry} entry @param {Settings} settings @returns {Promise<FileVerdicts>} */
  async function judge(entry, settings) {
    try {
      const file = await entry.open();
      const name = entry.path.split('/').at(-1) ?? entry.path;
      return await ask({ kind: 'file', id: 0, file, name, settings: { ...settings, inner: null, resize: [] } });
    } catch (error) {
      return failed(failureAs('unreadable', messageOf(error)));
    }
  }

  /** @param {Extract<ToFolder, { kind: 'file' }>} question @returns {Promise<FileVerdicts>} */
  function ask(question) {
    return new Promise((resolve) => {
      const current = (worker ??= started(module()));
      current.onmessage = (/** @type {MessageEvent<FromFolder>} */ { data }) => {
        if (data.kind === 'done') resolve(JSON.parse(data.text));
        else {
          // After a fault of ours the core's memory is not to be trusted.
          if (data.failure.kind === 'crash') end();
          resolve(failed(data.failure));
        }
      };
      current.onerror = (event) => {
        event.preventDefault();
        end();
        resolve(failed(faultOf(event)));
      };
      current.postMessage(question);
    });
  }

  function end() {
    worker?.terminate();
    worker = null;
  }

  function halt() {
    run += 1;
    end();
    clearTimeout(waiting);
    waiting = 0;
  }

  /** Ends the work; what is known stays. */
  function stop() {
    halt();
    if (known?.current == null) return;
    known = { ...known, current: null };
    share(true);
  }

  /** @param {boolean} [now] */
  function share(now = false) {
    if (waiting && !now) return;
    clearTimeout(waiting);
    const put = () => {
      waiting = 0;
      const { folder } = get();
      if (known && folder) set({ folder: { ...known, sort: folder.sort, filter: folder.filter } });
    };
    if (now) put();
    else waiting = window.setTimeout(put, 60);
  }

  /** @param {import('./folder-types.d.ts').FolderRow} row */
  async function openRow(row) {
    const entry = gathered?.entries[row.entry];
    const { folder } = get();
    if (!entry || !folder) return;
    const manifest = manifestOf(row.path, folder.manifests);
    try {
      open(await entry.open(), row.path, row.inner, manifest ? [manifest] : []);
    } catch {
      // The file is gone: its line says so after another run.
      void start();
    }
  }

  return {
    begin, show, stop, openRow,
    /** Back to the table. */
    back() {
      const { folder } = get();
      if (!folder) return;
      leave();
      set({ phase: 'folder', file: { name: folder.title || t('folder.files'), bytes: 0 }, failure: null });
    },
    /** Another runtime means other verdicts. @param {State} state */
    follow(state) {
      if (state.phase === 'folder' && state.folder && gathered && keyOf(state.settings) !== keyOf((known ?? state.folder).settings)) void start();
    },
    /** Which run it is, for what takes its time before the files are known. */
    turn: () => run,
  };
}

/** @param {WebAssembly.Module | null} module */
function started(module) {
  const worker = new Worker(new URL('./folder-worker.js', import.meta.url), { type: 'module' });
  if (module) worker.postMessage({ kind: 'module', module });
  return worker;
}

/** @param {string} title @param {Settings} settings @returns {Folder} */
function blank(title, settings) {
  return {
    title, total: 0, done: 0, current: '', isCut: false, rows: [], more: 0, skipped: 0, others: [], manifests: [], settings,
    sort: { column: 'name', down: false }, filter: '',
  };
}

/** @param {Failure} failure @returns {FileVerdicts} */
function failed(failure) {
  return { rows: [{ name: '', inner: null, bytes: 0, verdict: null, failure }], more: 0, manifests: [], other: null };
}

/** @param {Folder} folder @param {number} entry @param {string} path @param {FileVerdicts} found @returns {Folder} */
function withFile(folder, entry, path, found) {
  const below = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  const manifests = found.manifests.map((one) => ({ ...one, path: found.rows.length > 0 ? `${path}!${one.path}` : `${below}${one.path}` }));
  const isOther = found.other !== null && !MODEL_NAME.test(path);
  const rows = isOther || found.other === null ? found.rows
    : [{ name: '', inner: null, bytes: 0, verdict: null, failure: found.other }];
  const lines = rows.map(({ name, inner, bytes, verdict, failure }) => ({ entry, inner, path: name ? `${path}!${name}` : path, bytes, verdict, failure }));
  const others = isOther && folder.others.length < MAX_OTHERS ? [...folder.others, { path, what: found.other?.message ?? '' }] : folder.others;
  return {
    ...folder, done: folder.done + 1, rows: [...folder.rows, ...lines], more: folder.more + found.more,
    skipped: folder.skipped + (isOther ? 1 : 0), others, manifests: [...folder.manifests, ...manifests],
  };
}

/** What decides the verdicts. @param {Settings} settings */
function keyOf({ runtime, planner, alignment, preserve_all_tensors, kernels, abi }) {
  return JSON.stringify([runtime, planner, alignment, preserve_all_tensors, kernels, abi]);
}

/** The table in one sentence. @param {Folder} folder */
export function outcome({ rows, skipped }) {
  const without = rows.filter((row) => !row.verdict || row.verdict.refused !== null).length;
  return [plural('folder.models', rows.length), without > 0 ? plural('folder.without', without) : '', skipped > 0 ? plural('folder.skipped', skipped) : '']
    .filter(Boolean).join(', ');
}
