// @ts-check
// The page's state at its start, what is remembered between visits, and small questions about the state.

import { clean, exact } from './format.js';
import { browserLanguage, plural, t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */

const REMEMBERED = 'arenascope.view';

/** @type {State} */
const INITIAL = {
  phase: 'empty',
  file: null,
  stage: null,
  failure: null,
  choices: [],
  doc: null,
  folder: null,
  manifests: [],
  settings: {
    runtime: 'tflite',
    planner: 'runtime',
    alignment: null,
    preserve_all_tensors: false,
    kernels: 'reference',
    abi: 'ilp32',
    budget: null,
    board: null,
    resize: [],
    inner: null,
    edits: [],
  },
  boards: [],
  margin: 0,
  moment: null,
  contrast: null,
  step: 0,
  selected: null,
  before: null,
  comparison: null,
  absent: null,
  arena: null,
  lay: 'over',
  picked: null,
  why: null,
  around: null,
  needs: null,
  view: null,
  mode: 'role',
  gaps: true,
  bound: true,
  hex: false,
  playing: false,
  theme: 'system',
  language: 'en',
  tab: 'chart',
  sort: { column: 'bytes', down: true },
  filter: '',
  filters: { roles: [], types: [], least: '', most: '', alive: false, unshared: false },
  letters: true,
  link: null,
  trouble: null,
  names: 'kept',
  past: [],
  future: [],
  replanning: false,
  refusal: null,
};

/** What the visitor chose about the view, and nothing about models, stays in this browser. @returns {State} */
export function initialState() {
  try {
    const kept = JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}');
    const theme = ['light', 'dark', 'system'].includes(kept.theme) ? kept.theme : INITIAL.theme;
    const language = ['en', 'zh'].includes(kept.language) ? kept.language : browserLanguage();
    return { ...INITIAL, theme, language, letters: kept.letters !== false, hex: kept.hex === true, names: isNames(kept.names) ? kept.names : 'kept' };
  } catch {
    return INITIAL;
  }
}

/** @param {State} state @param {State} before */
export function remember(state, before) {
  const { theme, letters, hex, language, names } = state;
  if (theme === before.theme && language === before.language && letters === before.letters && hex === before.hex && names === before.names) return;
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify({ theme, letters, hex, language, names }));
  } catch {
    // A browser that keeps nothing loses nothing but this choice.
  }
}

/** The settings without any choice made. @returns {import('./types.d.ts').Settings} */
export function initialSettings() {
  return INITIAL.settings;
}

/** @param {unknown} value @returns {value is import('./share.js').Names} */
function isNames(value) {
  return value === 'kept' || value === 'hashed' || value === 'dropped';
}

/** The chart's column of a step; −1 when another arena is in use. @param {Doc} doc @param {number} step */
export function columnOf(doc, step) {
  return doc.notes.columns[step] ?? -1;
}

/** The step at a column of the chart; the first one, when several run there. @param {Doc} doc @param {number} column */
export function stepAt(doc, column) {
  const step = doc.notes.columns.indexOf(column);
  return step < 0 ? null : step;
}

/** Whether the page is dark now. @param {State} state */
export function isDark(state) {
  return state.theme === 'dark' || (state.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/** How the steps of a model are counted: TFLite-Micro's printed numbers are allocation scopes, not positions of operations.
 * @param {Doc | null} doc @returns {'scope' | 'step'} */
export function clock(doc) {
  return doc?.micro ? 'scope' : 'step';
}

/** A step, or the first and the last of several, as they are printed: `steps 3 to 6`. @param {Doc} doc @param {number} first @param {number} last */
export function stepsWords(doc, first, last) {
  return first === last ? t(`card.${clock(doc)}`, { first }) : t(`card.${clock(doc)}s`, { first, last });
}

/** What an operation is called in texts: `14 CONV_2D`. @param {import('./types.d.ts').StepView} step */
export function stepName(step) {
  return step.op_index === null ? step.op : `${step.op_index} ${step.op}`;
}

/** Where something is: `op 14 CONV_2D`, or a step that is no operation by its own name. @param {{ op: string | null, op_index: number | null }} at */
export function atWords({ op, op_index: index }) {
  if (index === null) return op === null ? t('verdict.peak.outside') : clean(op);
  return t('verdict.peak.at', { op: index, name: clean(op ?? '') });
}

/** The settings as the plan on screen has them: one without its model stays with the runtime that it was planned for.
 * @param {Pick<State, 'doc' | 'settings'>} state */
export function settingsShown({ doc, settings }) {
  if (!doc || !isMade(doc)) return settings;
  const { runtime, kernels, abi } = doc.report.options;
  return { ...settings, runtime, kernels: kernels ?? settings.kernels, abi: abi ?? settings.abi };
}

/** Whether the model is there: a table or a plan says when its buffers live, not what reads and writes them. @param {Doc} doc */
export function hasModel({ report }) {
  return report.model.subgraphs > 0;
}

/** Whether a plan came without its model and says for which runtime it was made. @param {Doc} doc */
export function isMade(doc) {
  return !hasModel(doc) && ['tflite', 'tflm'].includes(doc.notes.source?.runtime ?? '');
}

/** Whether only the planned part of TFLite-Micro's arena is known, because the model is not. @param {Doc} doc */
export function isHeadAlone(doc) {
  return doc.report.options.runtime === 'tflm' && !hasModel(doc) && doc.report.minimum_arena_bytes === null;
}

/** That the plan overwrites what is alive: what, where, when; `null` for a sound one. @param {Doc} doc */
export function overwrittenWords({ report, notes }) {
  const found = notes.overwritten;
  if (!found) return null;
  const name = (/** @type {number} */ index) => {
    const buffer = report.buffers[index];
    return clean(`${buffer?.ref ?? ''} ${buffer?.name ?? ''}`.trim());
  };
  const step = report.steps[found.step];
  const words = t(step ? 'overwritten.at' : 'overwritten.before', {
    op: step ? atWords(step) : '', writer: name(found.writer), victim: name(found.victim), bytes: exact(found.bytes),
  });
  return found.count > 1 ? `${words} ${plural('overwritten.more', found.count - 1)}` : words;
}

/** Whether anything but these parts of the state is another than before. @param {Set<keyof State>} parts @param {State} state @param {State | null} before */
export function changedBeside(parts, state, before) {
  return !before || /** @type {(keyof State)[]} */ (Object.keys(state)).some((key) => !parts.has(key) && state[key] !== before[key]);
}
