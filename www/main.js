// @ts-check
// Starts the core, holds the state, and wires views to actions.

import init, { boards, warm_up } from '../pkg/arenascope.js';
import { createBeside } from './beside.js';
import { createAddress } from './address.js';
import { createChart, MODES } from './chart.js';
import { createClient } from './client.js';
import { showChoice } from './compare-choice.js';
import { createCompareTable } from './compare-table.js';
import { createComparing } from './comparing.js';
import { createDetails } from './details.js';
import { createAsking } from './explain.js';
import { closeDialog, showDialog, warningList } from './dialogs.js';
import { bringTo, byId, setText, wasKeyboard } from './dom.js';
import { failureAs, messageOf } from './faults.js';
import { listenForFiles } from './files.js';
import { createFolder } from './folder.js';
import { createFolderTable } from './folder-table.js';
import { clean } from './format.js';
import { createFrom } from './from.js';
import { helpSheet, listenToKeys } from './keys.js';
import { createManifest } from './manifest.js';
import { createMoving } from './moving.js';
import { createNow } from './now.js';
import { workOffline } from './offline.js';
import { createOpening } from './opening.js';
import { createOps } from './ops.js';
import { createPanels } from './panels.js';
import { createQuestions } from './questions.js';
import { createSettings } from './settings.js';
import { copyLink, showSharing } from './sharing.js';
import { createStart } from './start.js';
import { showContrast } from './contrast.js';
import { showDecoder } from './decoder.js';
import { showMeasure } from './measure.js';
import { createMicro } from './micro.js';
import { initialState, remember } from './state.js';
import { listenForPrint } from './print.js';
import { createStore, whenIdle } from './store.js';
import { createTable } from './table.js';
import { createTabs } from './tabs.js';
import { createSpotlight } from './spotlight.js';
import { explainTerms } from './terms.js';
import { speak, t } from './texts.js';
import { createTools } from './tools.js';
import { createTour } from './tour.js';
import { createVerdict } from './verdict.js';
import { listenToUndo } from './whatif.js';

/** @typedef {import('./types.d.ts').State} State */

const store = createStore(initialState());
const { get, set } = store;

/** @type {ReturnType<typeof createClient> | null} */
let client = null;
/** The core, for workers of its own. @type {WebAssembly.Module | null} */
let core = null;

const chart = createChart(byId('chart'), get, {
  onView: (view) => set({ view }),
  onPick(buffer, step) {
    if (step !== null) moving.goTo(step);
    set({ selected: buffer, picked: null });
  },
  onHover: (box) => beside.hover(box),
  onPatch: set,
  onPlay: () => moving.togglePlay(),
});
const moving = createMoving({ get, set, chart, say });
const { goTo, goToPeak, togglePlay, selectFromTable, neighbour, moveView, focusColumn } = moving;
const comparing = createComparing({ store, chart, ask, say, opening: () => opening, onChoose: () => files.choose() });
const beside = createBeside({ chart, get, set, goTo, say });
const opening = createOpening({ store, chart, moving, comparing, client: () => client, ask, say });
const { openInner, openBeside, changeSettings, stepSettings, goBack, cancel, fail } = opening;
const refreshTerm = explainTerms(say);
const spotlight = createSpotlight();
const tour = createTour({ store, chart, opening, spotlight, say });
const compare = () => showChoice(get(), { onKeep: comparing.keep, onEnd: comparing.end, onSettings: (patch) => { void comparing.withSettings(patch); }, onFile: (file) => { void comparing.withFile(file); } });
const address = createAddress({ store, chart, comparing, opening, tour, say });
const questions = createQuestions({
  store, spotlight, say, changeSettings, goToPeak, selectBuffer: selectFromTable, beside: comparing.withSettings, contrast, decode: () => showDecoder(get(), ask),
});
const folder = createFolder({
  store, module: () => core, say, leave: opening.leave,
  open: (file, _path, inner, manifests) => { void opening.openFile(file, { inner, manifests }); },
});
const files = listenForFiles({
  onListing(title) {
    tour.leave();
    folder.begin(title);
    const turn = folder.turn();
    return () => folder.turn() === turn;
  },
  onGathered(found) {
    tour.leave();
    // One is opened, two are compared; more are judged in a table.
    if (found.isFolder || found.entries.length > 2) folder.show(found);
    else void Promise.all(found.entries.map((entry) => entry.open())).then(opening.openFiles);
  },
});

const askMore = createAsking({ get, set, ask });

const views = {
  start: createStart(byId('start'), { onChoose: files.choose, onFolder: files.chooseFolder, onSample: opening.openSample, onTour: () => { void tour.start(); }, onCancel: cancel, onBack: goBack, onInner: (inner) => { void openInner(inner); }, onDecode: () => showDecoder(get(), ask) }),
  verdict: createVerdict(byId('verdict'), { onPeak: explainPeak, onWarnings: showWarnings, onCopy: copy, compare: { onLay: (lay) => set({ lay }), onSwap: () => { void comparing.swap(); }, onEnd: endComparing, canSwap: comparing.canSwap }, onMicro: () => { void changeSettings({ runtime: 'tflm' }); }, onContrast: contrast, onDecode: () => showDecoder(get(), ask), onWhatIf: whatIf }),
  micro: createMicro(byId('micro'), {
    onPatch: set, onCopy: copy, onStep: goTo, onSelect: (selected) => set({ selected }),
    onDecode: () => showDecoder(get(), ask), onMeasure: () => showMeasure(get(), ask, copy, (selected) => set({ selected })),
    onContrast: contrast,
  }),
  settings: createSettings(byId('settings'), (patch) => { void changeSettings(patch); }),
  ops: createOps(byId('ops'), goTo),
  now: createNow(byId('now'), (selected) => set({ selected })),
  details: createDetails(byId('details'), { onStep: goTo, onSelect: (selected) => (selected === null ? set({ selected }) : selectFromTable(selected)), onWhatIf: whatIf }),
  table: createTable(byId('tensors'), {
    get,
    onSort: (sort) => set({ sort }),
    onFilter: set,
    onSelect: selectFromTable,
  }),
  comparison: createCompareTable(byId('comparison'), {
    onPick: ({ before, after }) => beside.pick(before, after), say,
    csv: () => ask({ what: 'compare-csv', before: get().before?.jsonBytes ?? new Uint8Array(), after: get().doc?.jsonBytes ?? new Uint8Array() }),
  }),
  panels: createPanels(byId('more'), {
    get, bytes: opening.bytes, module: () => core, say,
    onSettings: changeSettings,
    onSelect: selectFromTable,
    onBeside: openBeside,
    onStep: (back) => { void stepSettings(back); },
    onLay: () => { void opening.layUntouched(); },
    onArena: (arena) => set({ arena }),
  }),
  folder: createFolderTable(byId('folder'), {
    onOpen: (row) => { void folder.openRow(row); }, onStop: folder.stop, onBack: goBack, say,
    onPatch: (patch) => { const { folder: shown } = get(); if (shown) set({ folder: { ...shown, ...patch } }); },
  }),
  manifest: createManifest(byId('manifest'), { onMicro: () => { void changeSettings({ runtime: 'tflm' }); } }),
  from: createFrom(byId('from'), { onOpen: files.choose, onPatch: set }),
  tabs: createTabs(byId('tabs'), (tab) => set({ tab })),
  tools: createTools(byId('tools'), { get, chart, onHelp: showHelp, onQuestions: questions, onShare: share, onCompare: compare, onTheme: (theme) => set({ theme }), onLanguage: (language) => set({ language }), ask, say }),
};

// Groups, each in a task of its own when a model is opened: first what everyone looks at.
store.subscribe((state, before) => {
  if (state.language !== before?.language) word(state.language);
  byId('work').hidden = state.phase !== 'ready';
  document.documentElement.dataset.theme = state.theme;
  document.body.dataset.tab = state.tab;
  const name = state.file ? clean(state.file.name) : null;
  setText(byId('open'), name ?? t('open.none'));
  document.title = name ? `${name} – Arenascope` : 'Arenascope';
  byId('folder-back').hidden = !state.folder || state.phase === 'folder';
  folder.follow(state);
  views.folder(state, before);
  views.manifest(state);
  views.start(state);
  views.verdict(state);
  views.micro(state, before, chart);
  document.body.dataset.micro = String(!byId('micro').hidden);
  views.settings(state, before);
  views.tabs(state);
  views.tools(state, before);
  beside.render(state);
  // Before the chart: it decides how much room the chart has.
  views.now(state, before, chart);
  chart.render(state, before);
});
store.subscribe((state, before) => {
  views.ops(state, before);
  views.details(state);
});
store.subscribe((state, before) => {
  views.comparison(state, before);
  views.table(state, before);
});
store.subscribe((state, before) => {
  tour.render(state, before);
  refreshTerm();
  views.panels.render(state, before);
  views.from(state, before);
  address.follow(state, before);
  if (before) remember(state, before);
  document.documentElement.dataset.phase = state.phase;
  askMore();
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
    bringTo(byId('tensors'));
    byId('filter').focus({ preventScroll: true });
  },
  copyLink: () => { void copyLink(get(), say, share); },
  compare: comparing.toggle,
  whatIf,
  filter: () => byId('filter').focus(),
  open: files.choose,
  folder: files.chooseFolder,
  help: showHelp,
  questions,
  escape: () => set({ selected: null, picked: null }),
  cancel: () => (['loading', 'choosing'].includes(get().phase) ? cancel : null),
  letters: () => get().letters,
  ready: () => get().phase === 'ready',
});

/** Shows what makes the peak. */
function explainPeak() {
  set({ selected: null, tab: 'chart' });
  goToPeak();
  store.flush();
  // On a narrow page the details stand below the chart.
  if (byId('details').getBoundingClientRect().top > innerHeight - 80) byId('details').scrollIntoView({ block: 'start' });
  byId('details').scrollTop = 0;
}

listenToUndo((back) => { void stepSettings(back); }, () => get().phase === 'ready');

// ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Tells screen readers. @param {string} text */
function say(text) {
  setText(byId('live'), text);
}

/** @param {string} text */
function copy(text) {
  navigator.clipboard.writeText(text).then(() => say(t('verdict.copied')), () => say(text));
}

function share() {
  showSharing(get(), say, (names) => set({ names }));
}

function whatIf() {
  if (get().phase === 'ready') views.panels.openWhatIf();
}

function showHelp() {
  showDialog(t('tool.help'), helpSheet(get().letters, (letters) => set({ letters }), () => {
    closeDialog();
    void tour.start();
  }));
}

/** @type {import('./types-micro.d.ts').Ask} */
function ask(question) {
  return client ? client.ask(question) : Promise.reject(new Error(t('load.starting')));
}

function endComparing() {
  comparing.end();
  // The button that was pressed is gone.
  if (wasKeyboard()) byId('compare').focus();
}

function contrast() {
  const bytes = opening.bytes();
  if (bytes) void showContrast(ask, bytes);
}

function showWarnings() {
  const { doc } = get();
  if (!doc) return;
  showDialog(t('warnings.title'), warningList(doc.report.warnings, (reference) => {
    const selected = doc.byRef.get(reference);
    if (selected !== undefined) set({ selected });
    closeDialog();
  }));
}

/** Draws what nobody sees while the page waits for a model, so that its first picture is as quick as the next ones. @param {number} rounds */
function warm(rounds) {
  whenIdle(() => {
    if (get().phase === 'ready') return;
    warm_up();
    if (rounds > 1) warm(rounds - 1);
  });
}

// ── start ────────────────────────────────────────────────────────────────────────────────────────────────────────

listenForPrint(byId('print'), { get, chart });
byId('open').addEventListener('click', files.choose);
byId('open-folder').addEventListener('click', files.chooseFolder);
byId('folder-back').addEventListener('click', folder.back);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { chart.repaint(); beside.repaint(); });
document.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  // In a field, or while a dialog is open, the text is meant for that.
  const isField = event.target instanceof Element && event.target.closest('input, textarea, dialog') !== null;
  if (isField || text.trim() === '' || document.querySelector('dialog[open]')) return;
  tour.leave();
  opening.openText(text);
});
byId('more').addEventListener('toggle', () => tour.look(), { capture: true });
set({});

try {
  const module = await WebAssembly.compileStreaming(fetch(new URL('../pkg/arenascope_bg.wasm', import.meta.url)));
  await init({ module_or_path: module });
  core = module;
  client = createClient(module, opening.shown);
  set({ boards: JSON.parse(boards()) });
  document.documentElement.dataset.ready = 'true';
  void workOffline();
  warm(3);
  await address.begin();
} catch (error) {
  fail(failureAs('start', messageOf(error)));
}
