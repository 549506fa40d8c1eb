// @ts-check
// What is looked at, as parameters of an address, and back: step, selection, part in sight, colours, settings. Only what
// differs from the start is written. Reading takes what it knows and passes over the rest; it never throws.

import { MODES } from './chart.js';
import { ABIS, ALIGNMENTS, KERNELS, PLANNERS } from './settings.js';
import { columnOf, settingsShown, stepAt } from './state.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').Settings} Settings */
/** @typedef {import('./types.d.ts').View} View */

/** Texts of a hostile link are cut here. */
const MAX_TEXT = 400;
/** More edits or inputs nobody makes by hand. */
const MAX_LIST = 500;
/** Names of files, and parameters within a parameter. */
const MAX_NAME = 200;
const MAX_BESIDE = 20_000;
/** More arenas no picture is of. */
const MAX_ARENAS = 10_000;
/** Roles and types are few, and sizes are short. */
const MAX_KINDS = 40;
const MAX_SIZE = 40;
const TABS = /** @type {const} */ (['chart', 'ops', 'tensors']);
/** Where no what-if is about the plan that the link carries. */
const NO_EDIT = '-';
const SAFE_RESIZE = /^(s\d+:)?t?\d+=[\dx,]*$/;

/** The view and the settings of a state. With names that are not kept, nothing that may hold one is written.
 * @param {State} state @param {import('./share.js').Names} names @returns {URLSearchParams} */
export function paramsOf(state, names) {
  const params = new URLSearchParams();
  const put = (/** @type {string} */ key, /** @type {string | number | null | undefined} */ value) => {
    if (value !== null && value !== undefined && value !== '') params.append(key, String(value));
  };
  const { doc, settings } = state;
  if (doc) {
    const column = columnOf(doc, state.step);
    if (column >= 0) put('step', column);
    // Several steps can stand in one column, or in none, where subgraphs are called.
    if (column < 0 || stepAt(doc, column) !== state.step) put('at', state.step);
    if (state.selected !== null) {
      put('sel', doc.report.buffers[state.selected]?.ref);
      const box = doc.notes.boxes[state.selected] ?? -1;
      if (box >= 0 && doc.notes.members[box]?.[0] !== state.selected) put('box', box);
    }
  }
  if (state.view) put('view', state.view.map((edge) => Number(edge.toPrecision(9))).join(','));
  if (state.mode !== 'role') put('mode', state.mode);
  if (state.tab !== 'chart') put('tab', state.tab);
  if (!state.gaps) put('gaps', 0);
  if (!state.bound) put('bound', 0);
  if (state.hex) put('hex', 1);
  if (names === 'kept') put('filter', state.filter);
  putFilters(state.filters, put);
  if (state.sort.column !== 'bytes' || !state.sort.down) put('sort', `${state.sort.column}${state.sort.down ? '-down' : ''}`);
  if (state.margin !== 0) put('margin', state.margin);
  putSettings(settingsShown(state), names, put);
  putPlanEdits(doc, settings, put);
  // A plan in a link has no other arenas, but its file may be opened again.
  const hasArenas = state.link !== null || ((doc?.report.model.subgraphs ?? 0) > 1 && settings.runtime === 'tflite');
  if (hasArenas) put('arena', state.arena);
  if (state.lay !== 'over') put('lay', state.lay);
  putBeside(state, names, put);
  return params;
}

/** In a plan file a what-if can have another target or another step; the file itself needs it as it was made.
 * @param {Doc | null} doc @param {Settings} settings @param {(key: string, value: string | number | null) => void} put */
function putPlanEdits(doc, settings, put) {
  const inPlan = doc?.plan_edits ?? [];
  const isOther = doc !== null && inPlan.join('\n') !== settings.edits.join('\n');
  if (isOther) for (const text of inPlan.length > 0 ? inPlan : [NO_EDIT]) put('pedit', text);
}

/** What the plan on screen is compared with: the same file with other settings, which are parameters of their own in one; or
 * another file, by its hash. @param {State} state @param {import('./share.js').Names} names @param {(key: string, value: string | number | null) => void} put */
function putBeside({ doc, before, absent }, names, put) {
  if (before === doc) return;
  const other = before ? { name: before.report.model.name, sha256: before.report.model.sha256 } : absent;
  if (before && other?.sha256 === doc?.report.model.sha256) {
    const beside = new URLSearchParams();
    const putIn = (/** @type {string} */ key, /** @type {string | number | null | undefined} */ value) => {
      if (value !== null && value !== undefined && value !== '') beside.append(key, String(value));
    };
    putSettings(before.settings, names, putIn);
    putPlanEdits(before, before.settings, putIn);
    put('beside', String(beside) || NO_EDIT);
  } else if (other) {
    put('other', other.sha256);
    if (names === 'kept') put('othername', other.name.slice(0, MAX_NAME));
  }
}

/** @param {State['filters']} filters @param {(key: string, value: string | number | null) => void} put */
function putFilters({ roles, types, least, most, alive, unshared }, put) {
  for (const role of roles) put('role', role);
  for (const type of types) put('type', type);
  put('least', least);
  put('most', most);
  if (alive) put('alive', 1);
  if (unshared) put('unshared', 1);
}

/** @param {Settings} settings @param {import('./share.js').Names} names @param {(key: string, value: string | number | null) => void} put */
function putSettings(settings, names, put) {
  if (settings.runtime !== 'tflite') put('runtime', settings.runtime);
  if (settings.planner !== 'runtime') put('planner', settings.planner);
  put('align', settings.alignment);
  if (settings.preserve_all_tensors) put('keep', 1);
  if (settings.kernels !== 'reference') put('kernels', settings.kernels);
  if (settings.abi !== 'ilp32') put('abi', settings.abi);
  put('budget', settings.budget);
  put('board', settings.board);
  for (const text of settings.resize) if (names === 'kept' || SAFE_RESIZE.test(text)) put('resize', text);
  if (settings.inner !== null && (names === 'kept' || /^#\d+$/.test(settings.inner))) put('inner', settings.inner);
  for (const text of settings.edits) put('edit', text);
}

/** The settings that parameters ask for, on top of those at the start. @param {URLSearchParams} params @param {Settings} start @returns {Settings} */
export function settingsIn(params, start) {
  const one = (/** @type {string} */ key, /** @type {readonly string[]} */ known, /** @type {string} */ otherwise) => {
    const value = params.get(key) ?? otherwise;
    return known.includes(value) ? value : otherwise;
  };
  const texts = (/** @type {string} */ key) => params.getAll(key).slice(0, MAX_LIST).map((text) => text.slice(0, MAX_TEXT));
  const alignment = whole(params.get('align'));
  /** @type {Settings} */
  const settings = {
    ...start,
    runtime: params.get('runtime') === 'tflm' ? 'tflm' : 'tflite',
    planner: one('planner', PLANNERS, 'runtime'),
    alignment: alignment !== null && ALIGNMENTS.includes(alignment) ? alignment : null,
    preserve_all_tensors: params.get('keep') === '1',
    kernels: one('kernels', KERNELS, 'reference'),
    abi: one('abi', ABIS, 'ilp32'),
    budget: whole(params.get('budget')) || null,
    board: params.get('board')?.slice(0, MAX_TEXT) ?? null,
    resize: texts('resize'),
    inner: params.get('inner')?.slice(0, MAX_TEXT) ?? null,
  };
  return { ...settings, edits: texts('edit') };
}

/** The same for a plan that came in a link. @param {URLSearchParams} params @param {Settings} start @returns {Settings} */
export function planSettingsIn(params, start) {
  const settings = { ...settingsIn(params, start), inner: null };
  if (!params.has('pedit')) return settings;
  const edits = params.getAll('pedit').filter((text) => text !== NO_EDIT);
  return { ...settings, edits: edits.slice(0, MAX_LIST).map((text) => text.slice(0, MAX_TEXT)) };
}

/** What parameters say of the view that needs no plan. @param {URLSearchParams} params @returns {Partial<State> & Pick<State, 'filters'>} */
export function viewIn(params) {
  const [column = '', order = ''] = (params.get('sort') ?? 'bytes-down').split('-');
  return {
    mode: MODES.find((mode) => mode === params.get('mode')) ?? 'role',
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'chart',
    lay: params.get('lay') === 'side' ? 'side' : 'over',
    arena: arenaIn(params),
    gaps: params.get('gaps') !== '0',
    bound: params.get('bound') !== '0',
    hex: params.get('hex') === '1',
    filter: (params.get('filter') ?? '').slice(0, MAX_TEXT),
    filters: {
      roles: params.getAll('role').slice(0, MAX_KINDS), types: params.getAll('type').slice(0, MAX_KINDS),
      least: (params.get('least') ?? '').slice(0, MAX_SIZE), most: (params.get('most') ?? '').slice(0, MAX_SIZE),
      alive: params.get('alive') === '1', unshared: params.get('unshared') === '1',
    },
    sort: { column: column.slice(0, 20), down: order === 'down' },
    margin: Math.min(1000, whole(params.get('margin')) ?? 0),
  };
}

/** @param {URLSearchParams} params */
function arenaIn(params) {
  const arena = whole(params.get('arena'));
  return arena !== null && arena < MAX_ARENAS ? arena : null;
}

/** With which settings the same file was beside the plan; `null` when it was not, or when what is open cannot be planned so: a plan
 * file holds what one runtime made of a model, so only its planner, what-ifs and, where it is named, alignment can be others.
 * @param {URLSearchParams} params @param {Settings} settings @param {Settings} start @param {boolean} isPlan @returns {Settings | null} */
export function besideIn(params, settings, start, isPlan) {
  const text = params.get('beside');
  if (text === null) return null;
  const inner = new URLSearchParams(text === NO_EDIT ? '' : text.slice(0, MAX_BESIDE));
  if (!isPlan) return { ...settingsIn(inner, start), inner: settings.inner };
  const beside = planSettingsIn(inner, start);
  const sameModel = /** @type {const} */ (['runtime', 'kernels', 'abi', 'preserve_all_tensors']).every((key) => beside[key] === settings[key]) && beside.resize.join() === settings.resize.join();
  const sameAlignment = beside.alignment === settings.alignment || beside.alignment !== null;
  if (!sameModel || !sameAlignment) return null;
  // What the plan's own planner is, is another one's by now.
  const isOwn = beside.planner === 'runtime' && settings.planner !== 'runtime';
  return isOwn ? { ...beside, planner: settings.runtime === 'tflite' ? 'tflite' : settings.preserve_all_tensors ? 'linear' : 'tflm' } : beside;
}

/** The other file that the plan was compared with. @param {URLSearchParams} params @returns {State['absent']} */
export function absentIn(params) {
  const sha256 = params.get('other') ?? '';
  return /^[0-9a-f]{64}$/.test(sha256) ? { sha256, name: (params.get('othername') ?? '').slice(0, MAX_NAME) } : null;
}

/** The step, selection and part in sight that parameters mean in a plan.
 * @param {URLSearchParams} params @param {Doc} doc @returns {{ step: number | null, selected: number | null, view: View | null }} */
export function placeIn(params, doc) {
  const count = doc.report.steps.length;
  const at = whole(params.get('at'));
  const column = whole(params.get('step'));
  const asked = at ?? (column === null ? null : stepAt(doc, column) ?? column);
  const box = whole(params.get('box'));
  const selected = doc.byRef.get(params.get('sel') ?? '') ?? (box === null ? undefined : doc.notes.members[box]?.[0]);
  const edges = (params.get('view') ?? '').split(',').map((edge) => (edge.trim() === '' ? NaN : Number(edge)));
  const isView = edges.length === 4 && edges.every(Number.isFinite);
  return {
    step: asked === null || count === 0 ? null : Math.min(asked, count - 1),
    selected: selected ?? null,
    view: isView ? /** @type {View} */ (edges) : null,
  };
}

/** A count; `null` for anything else. @param {string | null} text @returns {number | null} */
function whole(text) {
  if (text === null || !/^\d{1,16}$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}
