// @ts-check
// From dropped files, samples, pasted text and links to an analysed model on screen, and back from what was refused.

import { Chart, manifests as manifestsIn } from '../pkg/arenascope.js';
import { AnalysisFailed, Cancelled, Several } from './client.js';
import { askContrast } from './contrast.js';
import { docOf, placeIn, viewOf } from './document.js';
import { failureAs, messageOf } from './faults.js';
import { NO_FILTERS, offered } from './filters.js';
import { breathe } from './store.js';
import { t } from './texts.js';
import { changed, sameSettings, stepped, untouched } from './undo.js';
import { resultWords } from './whatif-words.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').Settings} Settings */
/** @typedef {import('./types.d.ts').Failure} Failure */
/** @typedef {{ name: string, data: Uint8Array }} Input */
/**
 * @typedef {{
 *   store: import('./store.js').Store<State>, chart: ReturnType<typeof import('./chart.js').createChart>,
 *   moving: ReturnType<typeof import('./moving.js').createMoving>, comparing: ReturnType<typeof import('./comparing.js').createComparing>,
 *   client: () => ReturnType<typeof import('./client.js').createClient> | null, ask: import('./types-micro.d.ts').Ask, say: (text: string) => void,
 * }} Context
 */

/** A longer file is no manifest of a wake-word model. */
const MAX_MANIFEST_BYTES = 64 << 10;

/** @param {Context} context */
export function createOpening({ store, chart, moving, comparing, client, ask, say }) {
  const { get, set } = store;
  /** What is on screen, kept so that another runtime can be asked about it. @type {Input | null} */
  let opened = null;
  /** What was tried last: it may have been refused, and another runtime may take it. @type {Input | null} */
  let tried = null;
  /** Counts what was begun or cancelled, so that what came of an earlier one is let go. */
  let turn = 0;
  /** What belongs to the model on screen and comes back with it when another one is not opened after all.
   * @type {Pick<State, 'manifests' | 'past' | 'future'> | null} */
  let aside = null;
  /** The second of two files, while one of several models in the first is being chosen. @type {File | null} */
  let second = null;

  /** One file is opened; of two the second is laid over the first, or is the manifest that belongs beside it.
   * @param {File[]} dropped */
  async function openFiles([first, other]) {
    if (!first) return;
    if (other) {
      for (const [model, beside] of /** @type {[File, File][]} */ ([[first, other], [other, first]])) {
        const manifest = await manifestIn(beside);
        if (manifest) return openFile(model, { manifests: [manifest] });
      }
    }
    await openFile(first);
    if (!other) return;
    if (get().phase === 'ready') await comparing.withFile(other);
    else if (get().phase === 'choosing') second = other;
  }

  /** @param {File} file @param {{ inner?: string | null, manifests?: State['manifests'] }} [how] which model of several, and what lay beside it */
  async function openFile(file, { inner = null, manifests = [] } = {}) {
    begin(file.name, file.size);
    set({ manifests });
    try {
      await open(file.name, new Uint8Array(await file.arrayBuffer()), { ...get().settings, inner });
    } catch (error) {
      fail(failureAs('unreadable', messageOf(error)));
    }
  }

  /** @param {string} name */
  async function openSample(name) {
    begin(name, 0);
    try {
      await open(name, await fetchSample(name), { ...get().settings, inner: null });
    } catch (error) {
      fail(failureAs('unreadable', messageOf(error)));
    }
  }

  /** @param {string} name @param {number} size */
  function begin(name, size) {
    turn += 1;
    performance.mark('open:begin');
    moving.stopPlaying();
    client()?.cancel();
    second = null;
    const { phase, settings, manifests, past, future } = get();
    if (phase === 'ready') aside = { manifests, past, future };
    // Dims and what-ifs are those of one model.
    set({ phase: 'loading', stage: 'reading', file: { name, bytes: size }, failure: null, manifests: [], settings: { ...settings, resize: [], edits: [] }, past: [], future: [], refusal: null, replanning: false });
  }

  /** @param {Partial<Settings>} patch */
  async function changeSettings(patch) {
    const had = get().settings;
    const settings = { ...had, ...patch };
    set(changed(get(), settings));
    await planAgain(settings);
    const failure = refused(settings);
    if (!failure) return;
    if (patch.edits) {
      back({ settings: had, past: get().past.slice(0, -1) }, { key: 'whatif.refused', message: failure.message });
      return;
    }
    if (settings.edits.length === 0) return;
    // Other options have other buffers and steps.
    const kept = { ...settings, edits: [] };
    set({ settings: kept });
    await planAgain(kept);
    if (get().phase === 'ready') set({ refusal: { key: 'whatif.dropped', message: failure.message } });
  }

  /** Takes the last change back, or makes it again. @param {boolean} isBack */
  async function stepSettings(isBack) {
    const was = get();
    const next = stepped(was, isBack);
    if (!next || was.phase !== 'ready') return;
    set(next);
    await planAgain(next.settings);
    const failure = refused(next.settings);
    if (failure) back({ settings: was.settings, past: was.past, future: was.future }, { key: 'whatif.refused', message: failure.message });
    else if (get().doc?.settings === next.settings) say(t(isBack ? 'whatif.undone' : 'whatif.redone', { result: resultWords(/** @type {Doc} */ (get().doc)) }));
  }

  /** Plans what is on screen with other settings. @param {Settings} settings */
  async function planAgain(settings) {
    if (!tried || !['ready', 'failed'].includes(get().phase)) return;
    moving.stopPlaying();
    set({ replanning: true, refusal: null });
    await open(tried.name, tried.data, settings);
    if (get().settings === settings) set({ replanning: false });
    const { doc } = get();
    if (doc?.settings === settings && doc.what_if) say(resultWords(doc));
  }

  /** Why the core refuses these settings, when it does and there is a plan to go back to. @param {Settings} asked */
  function refused(asked) {
    const { phase, failure, doc, settings } = get();
    return phase === 'failed' && doc && settings === asked ? failure : null;
  }

  /** The plan that was there, with a word about why. @param {Partial<State>} patch @param {NonNullable<State['refusal']>} refusal */
  function back(patch, refusal) {
    goBack();
    set({ ...patch, refusal });
    say(t(refusal.key, { message: refusal.message }));
  }

  /** The file's own plan as it would be without any change, and then the changed one again. */
  async function layUntouched() {
    const { settings, doc } = get();
    if (!tried || !doc?.what_if) return;
    if (get().before) comparing.end();
    set({ replanning: true });
    await open(tried.name, tried.data, untouched(settings));
    if (get().doc === doc) return;
    comparing.keep();
    await open(tried.name, tried.data, settings);
    set({ replanning: false });
  }

  /** `arrived` is called before the model is drawn. @param {string} name @param {Uint8Array} data @param {Settings} settings @param {() => void} [arrived] */
  async function open(name, data, settings, arrived) {
    const worker = client();
    if (!worker) return;
    const mine = ++turn;
    tried = { name, data };
    const again = opened?.data === data && get().phase === 'ready';
    const isSameModel = opened?.data === data && get().doc?.settings.inner === settings.inner;
    set({ file: { name, bytes: data.length }, stage: 'analysing' });
    try {
      const done = await worker.analyse({ name, bytes: data, settings }, (stage) => {
        if (!again) set({ stage });
      });
      // Each of these takes a few frames' time with a large model, so others may run between them.
      await breathe();
      const doc = docOf(done, settings);
      const picture = new Chart(done.scene);
      await breathe();
      if (mine !== turn) {
        picture.free();
        worker.drop(done.id);
        return;
      }
      chart.show(picture);
      opened = tried;
      aside = null;
      set({ settings });
      const { step, selected } = placeIn(doc, again ? get() : null);
      // What was looked for in one model may be nowhere in another.
      set(isSameModel ? { filters: offered(get().filters, doc) } : { filter: '', filters: NO_FILTERS, arena: get().arena === null ? null : 0 });
      set({ phase: 'ready', stage: null, doc, step, selected, view: again ? viewOf(get(), doc) : null, failure: null, moment: null, contrast: null, comparison: null, picked: null, file: { name, bytes: data.length } });
      arrived?.();
      void comparing.refresh();
      await store.settle();
      void askContrast(get, ask, data, (known) => set({ contrast: known }));
      performance.measure('open', 'open:begin');
      say(t('chart.title'));
    } catch (error) {
      if (error instanceof Cancelled) return;
      if (error instanceof Several) {
        set({ phase: 'choosing', stage: null, choices: error.names });
        return;
      }
      if (!(error instanceof AnalysisFailed)) throw error;
      fail(error.failure);
    }
  }

  /** Opens what was on screen before, or came in a link; what is on screen stays when that is refused. Whether it worked.
   * @param {Input} input @param {Settings} settings @param {() => void} arrived */
  async function reopen(input, settings, arrived) {
    const { doc, file, settings: had } = get();
    const isSame = opened?.data === input.data && get().phase === 'ready';
    if (!isSame) begin(input.name, input.data.length);
    await open(input.name, input.data, settings, arrived);
    const { phase, failure } = get();
    if (phase === 'failed' && failure && settings.edits.length > 0) {
      // A link may ask for what does not fit; its plan is worth seeing all the same.
      await open(input.name, input.data, { ...settings, edits: [] }, arrived);
      if (get().phase === 'ready') set({ refusal: { key: 'whatif.refused', message: failure.message } });
    }
    if (opened?.data === input.data && get().phase === 'ready') return true;
    if (doc && get().phase === 'failed') {
      tried = opened;
      set({ phase: 'ready', failure: null, file, settings: had });
    }
    return false;
  }

  /** Back to the page without a model, or to the table of a folder. */
  function close() {
    client()?.cancel();
    moving.stopPlaying();
    turn += 1;
    opened = tried = null;
    const { folder } = get();
    set({ phase: folder ? 'folder' : 'empty', file: folder && { name: folder.title, bytes: 0 }, manifests: [], stage: null, failure: null, doc: null, before: null, comparison: null, picked: null, selected: null, view: null });
  }

  /** @param {string} inner */
  async function openInner(inner) {
    if (!tried) return;
    const { name, data } = tried;
    const other = second;
    begin(name, data.length);
    await open(name, data, { ...get().settings, inner });
    if (other && get().phase === 'ready' && opened?.data === data) await comparing.withFile(other);
  }

  /** The model on screen with all that is its own, when another one does not come after all. */
  function own() {
    const { doc, past } = get();
    const mine = aside ?? {};
    aside = second = null;
    // A change that was refused is none that could be taken back.
    const isUndone = doc && past.length > 0 && sameSettings(/** @type {Settings} */ (past.at(-1)), doc.settings);
    return { replanning: false, ...(isUndone ? { past: past.slice(0, -1) } : {}), ...mine };
  }

  /** Back to the model that was on screen before. */
  function goBack() {
    const { doc, comparison } = get();
    tried = opened;
    comparing.abandon();
    if (!comparison) void comparing.refresh();
    if (doc) set({ ...own(), phase: 'ready', failure: null, settings: doc.settings, file: { name: doc.report.model.name, bytes: doc.report.model.bytes } });
  }

  function cancel() {
    turn += 1;
    client()?.cancel();
    tried = opened;
    comparing.abandon();
    const { doc, folder, comparison } = get();
    if (doc && !comparison) void comparing.refresh();
    const name = doc?.report.model.name ?? null;
    if (!doc && folder) set({ phase: 'folder', stage: null, file: { name: folder.title, bytes: 0 } });
    else set(doc && name !== null ? { ...own(), phase: 'ready', stage: null, settings: doc.settings, file: { name, bytes: doc.report.model.bytes } } : { phase: 'empty', stage: null, file: null });
  }

  /** Lets go of what is being opened; something else comes on screen. */
  function leave() {
    turn += 1;
    moving.stopPlaying();
    client()?.cancel();
    tried = opened;
    comparing.abandon();
    set({ ...own(), stage: null, failure: null });
  }

  /** @param {Failure} failure */
  function fail(failure) {
    set({ phase: 'failed', stage: null, failure });
  }

  /** Opens another version of the model, laid over the one on screen. @param {string} name @param {Uint8Array} data */
  function openBeside(name, data) {
    if (!get().before) comparing.keep();
    moving.stopPlaying();
    set({ settings: { ...get().settings, planner: 'runtime', edits: [] }, past: [], future: [] });
    void open(name, data, get().settings);
  }

  /** Samples that the tour opened before. @type {Map<string, Uint8Array>} */
  const samples = new Map();

  /** Opens a sample with settings of its own; what is on screen stays until it is there. @param {string} name @param {Settings} settings */
  async function openForTour(name, settings) {
    moving.stopPlaying();
    if (get().phase !== 'ready') begin(name, 0);
    set({ manifests: [], past: [], future: [], refusal: null });
    try {
      const data = samples.get(name) ?? await fetchSample(name);
      samples.set(name, data);
      if (opened?.data === data && get().phase === 'ready' && sameSettings(get().settings, settings)) return;
      client()?.cancel();
      await open(name, data, settings);
    } catch (error) {
      fail(failureAs('unreadable', messageOf(error)));
    }
  }

  /** What the reader has, to come back to. */
  function hold() {
    return { opened, tried, state: get() };
  }

  /** @param {ReturnType<typeof hold>} held */
  async function restore({ opened: before, tried: last, state }) {
    moving.stopPlaying();
    client()?.cancel();
    const { settings, margin, filter, filters, sort, mode, gaps, bound, tab, moment, manifests, before: beside, phase, file, failure, past, future } = state;
    set({ settings, margin, sort, mode, gaps, bound, tab, moment, manifests, before: beside, past, future, refusal: null });
    if (before) {
      await open(before.name, before.data, settings);
      const { step, selected, view } = state;
      if (get().phase === 'ready') set({ step, selected, view, moment, filter, filters });
    } else {
      [opened, tried] = [null, last];
      set({ doc: null, selected: null, view: null, phase: 'empty', file: null });
    }
    if (phase === 'folder' || (phase === 'failed' && !before)) set({ phase, file, failure, stage: null });
  }

  /** @param {string} text */
  function openText(text) {
    const data = new TextEncoder().encode(text);
    begin(t('paste.name'), data.length);
    void open(t('paste.name'), data, { ...get().settings, inner: null });
  }

  return {
    openFiles, openFile, open, openSample, openText, openInner, openBeside, changeSettings, goBack, cancel, leave, fail, openForTour, hold, restore, reopen, close,
    stepSettings, layUntouched,
    /** The bytes of what is on screen. */
    bytes: () => opened?.data ?? null,
    /** What the plan on screen was made from, as the worker takes it. */
    shown() {
      const { doc } = get();
      return opened && doc ? { name: opened.name, bytes: opened.data, settings: doc.settings } : null;
    },
    /** What is on screen, to open it again. */
    input() {
      const { settings, past, future } = get();
      return opened ? { ...opened, settings, past, future } : null;
    },
  };
}

/** @param {string} name */
async function fetchSample(name) {
  const response = await fetch(new URL(`./samples/${name}`, import.meta.url));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The manifest of a wake-word model, if a file is one. @param {File} file */
async function manifestIn(file) {
  if (file.size > MAX_MANIFEST_BYTES || !/\.json$/i.test(file.name)) return null;
  try {
    /** @type {State['manifests']} */
    const [found] = JSON.parse(manifestsIn(new Uint8Array(await file.arrayBuffer()), file.name));
    return found ?? null;
  } catch {
    // What cannot be read is said when it is opened.
    return null;
  }
}
