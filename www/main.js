// @ts-check
// Starts the core, holds the state, and wires views to actions.

import init, { boards, Chart } from '../pkg/arenascope.js';
import { createChart, MODES } from './chart.js';
import { AnalysisFailed, Cancelled, createClient, Several } from './client.js';
import { createDetails } from './details.js';
import { showDialog, warningList } from './dialogs.js';
import { byId, setText } from './dom.js';
import { listenForFiles } from './files.js';
import { clean } from './format.js';
import { helpSheet, listenToKeys } from './keys.js';
import { createMoving } from './moving.js';
import { createNow } from './now.js';
import { workOffline } from './offline.js';
import { createOps } from './ops.js';
import { createPanels } from './panels.js';
import { createSettings } from './settings.js';
import { sharedOf } from './share.js';
import { showSharing } from './sharing.js';
import { createStart } from './start.js';
import { askContrast, showContrast } from './contrast.js';
import { showDecoder } from './decoder.js';
import { showMeasure } from './measure.js';
import { createMicro } from './micro.js';
import { initialState, remember } from './state.js';
import { createStore } from './store.js';
import { createTable, nextSort } from './table.js';
import { createTabs } from './tabs.js';
import { speak, t } from './texts.js';
import { createTools } from './tools.js';
import { createVerdict } from './verdict.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').Settings} Settings */
/** @typedef {import('./types.d.ts').Failure} Failure */

const store = createStore(initialState());
const { get, set } = store;

/** @typedef {{ name: string, data: Uint8Array }} Input */
/** What is on screen, kept so that another runtime can be asked about it. @type {Input | null} */
let opened = null;
/** What was tried last: it may have been refused, and another runtime may take it. @type {Input | null} */
let tried = null;
/** @type {ReturnType<typeof createClient> | null} */
let client = null;
/** The core, for workers of its own. @type {WebAssembly.Module | null} */
let core = null;

const chart = createChart(byId('chart'), get, {
  onView: (view) => set({ view }),
  onPick(buffer, step) {
    if (step !== null) moving.goTo(step);
    set({ selected: buffer });
  },
  onPatch: set,
  onPlay: () => moving.togglePlay(),
});
const moving = createMoving({ get, set, chart, say });
const { goTo, goToPeak, togglePlay, stopPlaying, selectFromTable, neighbour, moveView, focusColumn } = moving;
const files = listenForFiles((dropped) => { void openFiles(dropped); });

const views = {
  start: createStart(byId('start'), { onChoose: files.choose, onSample: openSample, onCancel: cancel, onBack: goBack, onInner: (inner) => { void openInner(inner); }, onDecode: () => showDecoder(get(), ask) }),
  verdict: createVerdict(byId('verdict'), { onPeak: goToPeak, onWarnings: showWarnings, onCopy: copy, onCompare: compare, onMicro: () => { void changeSettings({ runtime: 'tflm' }); }, onContrast: contrast, onDecode: () => showDecoder(get(), ask) }),
  micro: createMicro(byId('micro'), {
    onPatch: set, onCopy: copy, onStep: goTo, onSelect: (selected) => set({ selected }),
    onDecode: () => showDecoder(get(), ask), onMeasure: () => showMeasure(get(), ask, copy, (selected) => set({ selected })),
    onContrast: contrast,
  }),
  settings: createSettings(byId('settings'), (patch) => { void changeSettings(patch); }),
  ops: createOps(byId('ops'), goTo),
  now: createNow(byId('now'), (selected) => set({ selected })),
  details: createDetails(byId('details'), { onStep: goTo, onSelect: (selected) => set({ selected }) }),
  table: createTable(byId('tensors'), {
    onSort: (column) => set({ sort: nextSort(get().sort, column) }),
    onFilter: (filter) => set({ filter }),
    onSelect: selectFromTable,
  }),
  panels: createPanels(byId('more'), {
    get, bytes: () => opened?.data ?? null, module: () => core, say,
    onSettings: (patch) => { void changeSettings(patch); },
    onSelect: selectFromTable,
    onBeside: openBeside,
  }),
  tabs: createTabs(byId('tabs'), (tab) => set({ tab })),
  tools: createTools(byId('tools'), { get, chart, onHelp: showHelp, onShare: () => showSharing(get(), say), onCompare: compare, onTheme: (theme) => set({ theme }), onLanguage: (language) => set({ language }), say }),
};

/** @type {State | null} */
let drawn = null;
store.subscribe((state) => {
  const before = drawn;
  drawn = state;
  if (state.language !== before?.language) word(state.language);
  byId('work').hidden = state.phase !== 'ready';
  document.documentElement.dataset.theme = state.theme;
  document.documentElement.dataset.phase = state.phase;
  document.body.dataset.tab = state.tab;
  const name = state.file ? clean(state.file.name) : null;
  setText(byId('open'), name ?? t('open.none'));
  document.title = name ? `${name} – Arenascope` : 'Arenascope';
  views.start(state);
  views.verdict(state);
  views.micro(state, before, chart);
  views.settings(state, before);
  views.tabs(state);
  views.tools(state, before);
  views.ops(state, before);
  chart.render(state, before);
  views.now(state, before, chart);
  views.details(state, before);
  views.table(state, before);
  views.panels(state, before);
  if (before) remember(state, before);
  if (state.doc && (state.selected !== before?.selected || state.doc !== before?.doc)) askWhy(state.doc, state.selected);
});

/** Speaks another language, in what `index.html` holds too. @param {State['language']} language */
function word(language) {
  speak(language);
  /** @type {[string, (element: HTMLElement, text: string) => void][]} */
  const places = [['text', setText], ['label', (element, text) => element.setAttribute('aria-label', text)], ['title', (element, text) => element.setAttribute('title', text)]];
  for (const [name, put] of places) {
    for (const element of document.querySelectorAll(`[data-${name}]`)) {
      if (element instanceof HTMLElement) put(element, t(element.dataset[name] ?? ''));
    }
  }
}

/** @param {Doc} doc @param {number | null} selected */
function askWhy(doc, selected) {
  if (get().why) set({ why: null });
  const box = selected === null ? -1 : doc.notes.boxes[selected] ?? -1;
  if (box >= 0) client?.why(box);
}

// ── opening ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** One file is opened; of two the second is laid over the first. @param {File[]} dropped */
async function openFiles([first, second]) {
  if (!first) return;
  await openFile(first);
  if (!second || get().phase !== 'ready') return;
  if (get().before) compare();
  compare();
  await openFile(second);
}

/** @param {File} file */
async function openFile(file) {
  begin(file.name, file.size);
  try {
    await open(file.name, new Uint8Array(await file.arrayBuffer()), { ...get().settings, inner: null });
  } catch (error) {
    fail({ kind: 'unreadable', message: String(error instanceof Error ? error.message : error), path: null, offset: null, hint: null });
  }
}

/** @param {string} name */
async function openSample(name) {
  begin(name, 0);
  try {
    const response = await fetch(new URL(`./samples/${name}`, import.meta.url));
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    await open(name, new Uint8Array(await response.arrayBuffer()), { ...get().settings, inner: null });
  } catch (error) {
    fail({ kind: 'unreadable', message: String(error instanceof Error ? error.message : error), path: null, offset: null, hint: null });
  }
}

/** @param {string} name @param {number} size */
function begin(name, size) {
  performance.mark('open:begin');
  stopPlaying();
  client?.cancel();
  // Dims are those of one model's inputs.
  set({ phase: 'loading', stage: 'reading', file: { name, bytes: size }, failure: null, settings: { ...get().settings, resize: [] } });
}

/** @param {Partial<Settings>} patch */
async function changeSettings(patch) {
  const settings = { ...get().settings, ...patch };
  set({ settings });
  if (tried && ['ready', 'failed'].includes(get().phase)) {
    stopPlaying();
    await open(tried.name, tried.data, settings);
  }
}

/** @param {string} name @param {Uint8Array} data @param {Settings} settings */
async function open(name, data, settings) {
  if (!client) return;
  tried = { name, data };
  const again = opened?.data === data && get().phase === 'ready';
  set({ file: { name, bytes: data.length }, stage: client ? 'analysing' : 'starting' });
  try {
    const done = await client.analyse({ name, bytes: data, settings }, (stage) => {
      if (!again) set({ stage });
    });
    const doc = docOf(done);
    const { before } = get();
    chart.show(new Chart(done.scene));
    chart.picture()?.set_before(before?.scene);
    opened = tried;
    set({ settings });
    const step = again ? Math.min(get().step, doc.report.steps.length - 1) : Math.max(0, doc.notes.peak);
    const selected = again && get().selected !== null && (get().selected ?? 0) < doc.report.buffers.length ? get().selected : null;
    set({ phase: 'ready', stage: null, doc, step: Math.max(0, step), selected, view: null, failure: null, moment: null, contrast: null, changes: changes(), file: { name, bytes: data.length } });
    store.flush();
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

/** @param {{ report: string, notes: string, csv: string, plan: string, micro: string, scene: string }} done @returns {Doc} */
function docOf({ report, notes, csv, plan, micro, scene }) {
  const parsed = JSON.parse(report);
  const byRef = new Map(parsed.buffers.map((/** @type {{ ref: string }} */ buffer, /** @type {number} */ index) => [buffer.ref, index]));
  return { report: parsed, notes: JSON.parse(notes), json: report, csv, plan, micro: JSON.parse(micro), scene, byRef };
}

/** Opens the plan that the address carries, if it carries one. */
async function openLink() {
  if (!location.hash.startsWith('#p=')) return;
  begin('', 0);
  const shared = await sharedOf(location.hash);
  if (!shared) {
    fail({ kind: 'damaged', message: t('share.broken'), path: null, offset: null, hint: t('share.broken.hint') });
    return;
  }
  const name = JSON.parse(shared.plan).name || 'plan';
  await open(String(name), new TextEncoder().encode(shared.plan), { ...get().settings, inner: null });
  const { doc } = get();
  if (!doc || get().phase !== 'ready') return;
  goTo(shared.step);
  const selected = shared.selected === null ? undefined : doc.notes.members[shared.selected]?.[0];
  const mode = MODES.find((one) => one === shared.mode);
  set({ selected: selected ?? null, mode: mode ?? get().mode });
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
  const { doc } = get();
  tried = opened;
  if (doc) set({ phase: 'ready', failure: null, file: { name: doc.report.model.name, bytes: doc.report.model.bytes } });
}

function cancel() {
  client?.cancel();
  tried = opened;
  const { doc } = get();
  const name = doc?.report.model.name ?? null;
  set(doc && name !== null ? { phase: 'ready', stage: null, file: { name, bytes: doc.report.model.bytes } } : { phase: 'empty', stage: null, file: null });
}

/** @param {Failure} failure */
function fail(failure) {
  set({ phase: 'failed', stage: null, failure });
}

/** Keeps the plan on screen to lay others beside it, or lets go of the one that was kept. */
function compare() {
  const { doc, before } = get();
  const kept = before ? null : doc;
  chart.picture()?.set_before(kept?.scene);
  set({ before: kept, changes: changes(), view: null });
  say(kept ? t('compare.kept', { name: clean(kept.report.model.name) }) : t('compare.ended'));
}

/** Opens another version of the model, laid over the one on screen. @param {string} name @param {Uint8Array} data */
function openBeside(name, data) {
  if (!get().before) compare();
  stopPlaying();
  set({ settings: { ...get().settings, planner: 'runtime' } });
  void open(name, data, get().settings);
}

/** @returns {import('./types.d.ts').Changes | null} */
function changes() {
  const counts = chart.picture()?.changes();
  if (!counts) return null;
  const [same = 0, moved = 0, changed = 0, added = 0, removed = 0] = counts;
  return { same, moved, changed, added, removed };
}

listenToKeys({
  step: (by) => goTo(get().step + by),
  end: (last) => goTo(last ? Number.MAX_SAFE_INTEGER : 0),
  play: togglePlay,
  peak: goToPeak,
  neighbour,
  pan: (right, up) => moveView((picture, view) => picture.pan(view, right, up)),
  zoom: (steps, zoomBytes) => moveView((picture, view) => picture.zoom(view, steps, focusColumn(view), zoomBytes, 0.5)),
  fit: () => set({ view: null }),
  fitSelection() {
    const { doc, selected } = get();
    const box = doc && selected !== null ? doc.notes.boxes[selected] ?? -1 : -1;
    if (box >= 0) moveView((picture) => picture.around(box));
  },
  mode: (index) => set({ mode: MODES[index] ?? 'role' }),
  toggle: (what) => set({ [what]: !get()[what] }),
  table() {
    set({ tab: 'tensors' });
    store.flush();
    byId('tensors').scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    byId('filter').focus({ preventScroll: true });
  },
  share: () => showSharing(get(), say),
  compare,
  filter: () => byId('filter').focus(),
  open: files.choose,
  help: showHelp,
  escape: () => set({ selected: null }),
  letters: () => get().letters,
  ready: () => get().phase === 'ready',
});

// ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Tells screen readers. @param {string} text */
function say(text) {
  setText(byId('live'), text);
}

/** @param {string} text */
function copy(text) {
  navigator.clipboard.writeText(text).then(() => say(t('verdict.copied')), () => say(text));
}

function showHelp() {
  showDialog(t('tool.help'), helpSheet(get().letters, (letters) => set({ letters })));
}

/** @type {import('./types-micro.d.ts').Ask} */
function ask(question) {
  return client ? client.ask(question) : Promise.reject(new Error(t('load.starting')));
}

function contrast() {
  if (opened) void showContrast(ask, opened.data);
}

function showWarnings() {
  const { doc } = get();
  if (!doc) return;
  showDialog(t('warnings.title'), warningList(doc.report.warnings, (reference) => {
    const selected = doc.byRef.get(reference);
    if (selected !== undefined) set({ selected });
    /** @type {HTMLDialogElement} */ (byId('dialog')).close();
  }));
}

// ── start ────────────────────────────────────────────────────────────────────────────────────────────────────────

byId('open').addEventListener('click', files.choose);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', chart.repaint);
document.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const isField = event.target instanceof HTMLInputElement;
  if (isField || text.trim() === '') return;
  const data = new TextEncoder().encode(text);
  begin(t('paste.name'), data.length);
  void open(t('paste.name'), data, { ...get().settings, inner: null });
});
window.addEventListener('hashchange', () => { void openLink(); });
set({});

try {
  const module = await WebAssembly.compileStreaming(fetch(new URL('../pkg/arenascope_bg.wasm', import.meta.url)));
  await init({ module_or_path: module });
  core = module;
  client = createClient(module, (why) => set({ why: why === null ? null : JSON.parse(why) }));
  set({ boards: JSON.parse(boards()) });
  document.documentElement.dataset.ready = 'true';
  void workOffline();
  await openLink();
} catch (error) {
  fail({ kind: 'start', message: String(error instanceof Error ? error.message : error), path: null, offset: null, hint: null });
}
