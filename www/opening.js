// @ts-check
// From dropped files, samples, pasted text and links to an analysed model on screen, and back from what was refused.

import { Chart, manifests as manifestsIn } from '../pkg/arenascope.js';
import { AnalysisFailed, Cancelled, Several } from './client.js';
import { askContrast } from './contrast.js';
import { failureAs, messageOf } from './faults.js';
import { NO_FILTERS, offered } from './filters.js';
import { asStated } from './stated.js';
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

  /** One file is opened; of two the second is laid over the first, or is the manifest that belongs beside it.
   * @param {File[]} dropped */
  async function openFiles([first, second]) {
    if (!first) return;
    if (second) {
      for (const [model, other] of /** @type {[File, File][]} */ ([[first, second], [second, first]])) {
        const beside = await manifestIn(other);
        if (beside) return openFile(model, { manifests: [beside] });
      }
    }
    await openFile(first);
    if (second && get().phase === 'ready') await comparing.withFile(second);
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
    // Dims and what-ifs are those of one model.
    set({ phase: 'loading', stage: 'reading', file: { name, bytes: size }, failure: null, manifests: [], settings: { ...get().settings, resize: [], edits: [] }, past: [], future: [], refusal: null });
  }

  /** @param {Partial<Settings>} patch */
  async function changeSettings(patch) {
    const had = get().settings;
    const settings = { ...had, ...patch };
    set(changed(get(), settings));
    await planAgain(settings);
    const failure = refusedWhatIf();
    if (!failure) return;
    if (patch.edits) {
      back({ settings: had, past: get().past.slice(0, -1) }, { key: 'whatif.refused', message: failure.message });
      return;
    }
    // Other options have other buffers and steps.
    const kept = { ...settings, edits: [] };
    set({ settings: kept });
    await planAgain(kept);
    set({ refusal: { key: 'whatif.dropped', message: failure.message } });
  }

  /** Takes the last change back, or makes it again. @param {boolean} isBack */
  async function stepSettings(isBack) {
    const was = get();
    const next = stepped(was, isBack);
    if (!next || was.phase !== 'ready') return;
    set(next);
    await planAgain(next.settings);
    const failure = refusedWhatIf();
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

  /** Why the core refuses a what-if, when it does and there is a plan to go back to. */
  function refusedWhatIf() {
    const { phase, failure, doc } = get();
    return phase === 'failed' && doc && failure && isOfWhatIf(failure) ? failure : null;
  }

  /** The plan that was there, with a word about why. @param {Partial<State>} patch @param {NonNullable<State['refusal']>} refusal */
  function back(patch, refusal) {
    goBack();
    set({ ...patch, replanning: false, refusal });
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
    if (phase === 'failed' && failure && isOfWhatIf(failure)) {
      // A link may ask for what does not fit; its plan is worth seeing all the same.
      await open(input.name, input.data, { ...settings, edits: [] }, arrived);
      set({ refusal: { key: 'whatif.refused', message: failure.message } });
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
    begin(name, data.length);
    await open(name, data, { ...get().settings, inner });
  }

  /** Back to the model that was on screen before. */
  function goBack() {
    const { doc, comparison } = get();
    tried = opened;
    if (!comparison) void comparing.refresh();
    if (doc) set({ phase: 'ready', failure: null, settings: doc.settings, file: { name: doc.report.model.name, bytes: doc.report.model.bytes } });
  }

  function cancel() {
    turn += 1;
    client()?.cancel();
    tried = opened;
    const { doc, folder, comparison } = get();
    if (doc && !comparison) void comparing.refresh();
    const name = doc?.report.model.name ?? null;
    if (!doc && folder) set({ phase: 'folder', stage: null, file: { name: folder.title, bytes: 0 } });
    else set(doc && name !== null ? { phase: 'ready', stage: null, settings: doc.settings, file: { name, bytes: doc.report.model.bytes } } : { phase: 'empty', stage: null, file: null });
  }

  /** Lets go of what is being opened; something else comes on screen. */
  function leave() {
    turn += 1;
    moving.stopPlaying();
    client()?.cancel();
    tried = opened;
    set({ stage: null, failure: null });
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
    input: () => (opened ? { ...opened, settings: get().settings } : null),
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

/** The step and the selection that a plan begins with: the peak, or, for the same model planned anew, the operation and the
 * tensor that were there. @param {Doc} doc @param {State | null} state @returns {{ step: number, selected: number | null }} */
function placeIn({ report, notes, byRef }, state) {
  if (!state?.doc) return { step: Math.max(0, notes.peak), selected: null };
  const [was, chosen] = [state.doc.report.steps[state.step], state.doc.report.buffers[state.selected ?? -1]];
  const same = was && was.op_index !== null ? report.steps.findIndex((step) => step.subgraph === was.subgraph && step.op_index === was.op_index) : -1;
  return { step: same >= 0 ? same : Math.max(0, Math.min(state.step, report.steps.length - 1)), selected: (chosen && byRef.get(chosen.ref)) ?? null };
}

/** Whether the core refuses a what-if, and nothing else. @param {Failure} failure */
function isOfWhatIf({ kind, message }) {
  return kind === 'bad-option' && message.startsWith('what-if ');
}

/** The part of the chart in sight, while the same steps stand below it. @param {State} state @param {Doc} doc */
function viewOf({ doc: before, view }, doc) {
  return before?.notes.columns.length === doc.notes.columns.length ? view : null;
}

/** @param {import('./client.js').Done} done @param {Settings} settings @returns {Doc} */
function docOf({ report, notes, micro, scene, manifests, json, csv, plan, what_if, base_plan, plan_edits }, settings) {
  const byRef = new Map(report.buffers.map((/** @type {{ ref: string }} */ buffer, /** @type {number} */ index) => [buffer.ref, index]));
  const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
  return {
    report: asStated(report, notes.source), notes, micro, scene, byRef, manifests: JSON.parse(manifests), planBytes: plan,
    what_if: JSON.parse(what_if), plan_edits, settings,
    get json() { return text(json); },
    get csv() { return text(csv); },
    get plan() { return text(plan); },
    get base_plan() { return base_plan && text(base_plan); },
  };
}
