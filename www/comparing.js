// @ts-check
// Keeps a plan and lays what is on screen beside it: the choice of what to compare, the core's answer, and the way back.

import { Cancelled } from './client.js';
import { closeDialog, showDialog } from './dialogs.js';
import { failureCard } from './errors.js';
import { clean } from './format.js';
import { breathe } from './store.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types-compare.d.ts').Comparison} Comparison */
/** @typedef {import('./types-compare.d.ts').Input} Input */
/**
 * @typedef {{
 *   store: import('./store.js').Store<State>, chart: ReturnType<typeof import('./chart.js').createChart>,
 *   ask: import('./types-micro.d.ts').Ask, say: (text: string) => void, onChoose: () => void,
 *   opening: () => {
 *     input: () => Input | null, open: (name: string, data: Uint8Array, settings: import('./types.d.ts').Settings) => Promise<void>,
 *     openFile: (file: File) => Promise<void>, changeSettings: (patch: Partial<import('./types.d.ts').Settings>) => Promise<void>, goBack: () => void,
 *   },
 * }} Context
 */

/** @param {Context} context */
export function createComparing({ store, chart, ask, say, onChoose, opening }) {
  const { get, set } = store;
  /** What the kept plan was made from, so that the two can change places. @type {Input | null} */
  let kept = null;
  /** Grows with every question, so that late answers are dropped. */
  let turn = 0;
  /** Whether another plan is being made to lay over the kept one. */
  let isTrying = false;

  /** Lays a plan beside the one on screen, or none; `input` is what it was made from. @param {Doc | null} before @param {Input | null} [input] */
  function restore(before, input = null) {
    kept = before ? input : null;
    set({ before, comparison: null, picked: null, ...(before ? { absent: null } : {}) });
    void refresh();
  }

  /** Keeps the plan on screen to lay others beside it. */
  function keep() {
    const { doc } = get();
    if (!doc) return;
    restore(doc, opening().input());
    set({ view: null });
    say(t('compare.kept', { name: clean(doc.report.model.name) }));
  }

  function end() {
    isTrying = false;
    restore(null);
    set({ view: null });
    say(t('compare.ended'));
  }

  /** Asks the core again; whenever one of the two plans is another one. */
  async function refresh() {
    const mine = ++turn;
    const { doc, before } = get();
    if (doc !== before) isTrying = false;
    if (!doc || !before) {
      chart.picture()?.set_before(undefined, undefined);
      set({ comparison: null });
      return;
    }
    try {
      const found = comparisonOf(JSON.parse(await ask({ what: 'compare', before: before.jsonBytes, after: doc.jsonBytes })), before, doc);
      // Both take a few frames' time with large models.
      await breathe();
      if (mine !== turn || get().doc !== doc || get().before !== before) return;
      chart.picture()?.set_before(before.scene, found.columns ?? undefined);
      set({ comparison: found });
    } catch (error) {
      // Whatever ended the question asks again when it is done.
      if (!(error instanceof Cancelled)) throw error;
    }
  }

  /** What is on screen beside the same with other settings. @param {Partial<import('./types.d.ts').Settings>} patch */
  function withSettings(patch) {
    return attempt(() => opening().changeSettings(patch));
  }

  /** What is on screen beside another file. @param {File} file */
  function withFile(file) {
    return attempt(() => opening().openFile(file));
  }

  /** The other plan does not come: there is nothing to compare. */
  function abandon() {
    if (!isTrying) return;
    isTrying = false;
    restore(null);
  }

  /** Keeps the plan on screen and makes another one; when that fails the first one stays. @param {() => Promise<void>} make */
  async function attempt(make) {
    const { settings } = get();
    keep();
    isTrying = true;
    await make();
    const { phase, failure, file } = get();
    if (phase === 'ready') isTrying = false;
    if (phase !== 'failed' || !failure) return;
    end();
    set({ settings });
    opening().goBack();
    showDialog(t('compare.failed'), failureCard(failure, file?.name ?? '', { back: null, onBack: () => {}, onOpen: () => { closeDialog(); onChoose(); } }));
  }

  /** The two plans change places. */
  async function swap() {
    const [was, now, { doc }] = [kept, opening().input(), get()];
    if (!was || !doc) return;
    restore(doc, now);
    // Each has changes of its own to take back.
    set({ past: was.past ?? [], future: was.future ?? [], refusal: null });
    await opening().open(was.name, was.data, was.settings);
    say(t('compare.swapped'));
  }

  return {
    keep, end, abandon, restore, refresh, swap, withSettings, withFile,
    toggle: () => (get().before ? end() : keep()),
    canSwap: () => kept !== null,
    /** What the kept plan was made from. */
    kept: () => kept,
  };
}

/**
 * The core's answer with look-ups both ways.
 * @param {import('./types-compare.d.ts').ComparisonValue} value @param {Doc} before @param {Doc} doc @returns {Comparison}
 */
function comparisonOf({ rows, steps, ...rest }, before, doc) {
  /** @type {Comparison} */
  const found = { ...rest, rows: [], toBefore: new Map(), toAfter: new Map(), stepToBefore: new Map(), stepToAfter: new Map(), columns: null };
  for (let at = 0; at < rows.length; at += 3) {
    const [old = -1, now = -1, signs = 0] = [rows[at], rows[at + 1], rows[at + 2]];
    found.rows.push({ before: old, after: now, signs });
    if (old < 0 || now < 0) continue;
    found.toBefore.set(now, old);
    found.toAfter.set(old, now);
  }
  for (let at = 0; at < steps.length; at += 2) {
    const [old = 0, now = 0] = [steps[at], steps[at + 1]];
    found.stepToBefore.set(now, old);
    found.stepToAfter.set(old, now);
  }
  found.columns = columnsOf(found, before, doc);
  return found;
}

/** Where the columns of the earlier chart stand in the later one; null when nothing moves. @param {Comparison} found @param {Doc} before @param {Doc} doc */
function columnsOf({ stepToAfter, same_model: same }, before, doc) {
  const ticks = before.notes.columns.reduce((most, column) => Math.max(most, column), -1) + 1;
  const columns = new Int32Array(ticks).fill(-1);
  for (const [old, now] of stepToAfter) {
    const [from = -1, to = -1] = [before.notes.columns[old], doc.notes.columns[now]];
    if (from >= 0 && to >= 0 && columns[from] === -1) columns[from] = to;
  }
  // A longer model goes on counting behind the shorter one's end.
  const last = columns.findLastIndex((column) => column >= 0);
  for (let column = last + 1; !same && last >= 0 && column < ticks; column += 1) columns[column] = (columns[last] ?? 0) + column - last;
  return columns.every((to, from) => to === from) ? null : columns;
}
