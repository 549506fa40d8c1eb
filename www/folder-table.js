// @ts-check
// The verdicts on a folder of models as a table: sorted, filtered, virtual, saved as CSV.

import { coded, original } from './core-words.js';
import { fill, h } from './dom.js';
import { sentence } from './errors.js';
import { save, stemOf } from './export.js';
import { outcome } from './folder.js';
import { adaptive, clean, exact, grouped, percentAbove } from './format.js';
import { manifestOf, manifestWords } from './manifest.js';
import { rich } from './rich.js';
import { csvOf } from './folder-csv.js';
import { nextSort, sorted, sortHeading } from './sorting.js';
import { isEnglish, plural, t } from './texts.js';
import { createVirtualList } from './virtual.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./folder-types.d.ts').Folder} Folder */
/** @typedef {import('./folder-types.d.ts').FolderRow} Row */
/** @typedef {import('./folder-types.d.ts').Verdict} Verdict */
/** @typedef {{ folder: Folder, budget: number | null, isMicro: boolean }} Shown */
/**
 * @typedef {{
 *   onOpen: (row: Row) => void, onStop: () => void, onBack: () => void, onPatch: (patch: Partial<Folder>) => void, say: (text: string) => void,
 * }} Actions
 */

const ROW_PX = 32;

/**
 * Columns: when they are there, how wide, and what they sort by; numbers start with the largest.
 * @type {{ key: string, width: string, value: (row: Row, shown: Shown) => string | number | null, when?: (shown: Shown) => boolean }[]}
 */
const COLUMNS = [
  { key: 'name', width: 'minmax(var(--name, 220px), 3fr)', value: (row) => row.path },
  { key: 'fits', width: 'minmax(120px, 1fr)', value: (row, { budget }) => spare(row, budget), when: ({ budget }) => budget !== null },
  { key: 'set', width: '112px', value: ({ verdict }) => verdict?.set ?? null, when: ({ isMicro }) => isMicro },
  { key: 'minimum', width: '104px', value: ({ verdict }) => verdict?.minimum ?? null, when: ({ isMicro }) => isMicro },
  { key: 'planned', width: '112px', value: ({ verdict }) => verdict?.planned ?? null },
  { key: 'bound', width: '124px', value: ({ verdict }) => verdict?.bound ?? null },
  { key: 'optimal', width: 'minmax(150px, 0.8fr)', value: ({ verdict }) => (verdict ? verdict.planned - verdict.bound : null) },
  { key: 'peak', width: '104px', value: ({ verdict }) => verdict?.peak ?? null },
  { key: 'op', width: 'minmax(120px, 1fr)', value: ({ verdict }) => verdict?.peak_op ?? null },
  { key: 'remarks', width: '72px', value: ({ verdict }) => verdict?.warnings ?? null },
  { key: 'manifest', width: 'minmax(190px, 1.4fr)', value: (row, { folder }) => manifestOf(row.path, folder.manifests)?.arena ?? null, when: ({ folder }) => folder.manifests.length > 0 },
  { key: 'bytes', width: '104px', value: (row) => row.bytes },
];
const TEXTS = new Set(['name']);

/** @param {Shown} shown */
function columnsOf(shown) {
  return COLUMNS.filter(({ when }) => when?.(shown) ?? true);
}

/** Bytes left of the budget; null where nothing is known. @param {Row} row @param {number | null} budget */
function spare({ verdict }, budget) {
  return verdict === null || verdict.refused !== null || budget === null ? null : budget - verdict.set;
}

/** The rows to show, in order. @param {Shown} shown */
export function arrangeFolder(shown) {
  const { rows, sort, filter } = shown.folder;
  const wanted = filter.trim().toLowerCase();
  const found = rows.filter((row) => wanted === '' || row.path.toLowerCase().includes(wanted));
  const column = COLUMNS.find(({ key }) => key === sort.column);
  return column ? sorted(found, (row) => column.value(row, shown), sort.down) : found;
}

/** @param {HTMLElement} root @param {Actions} actions */
export function createFolderTable(root, actions) {
  const title = h('h1', {});
  const count = h('span', { class: 'faint', role: 'status' });
  const filter = h('input', { type: 'search', id: 'folder-filter', oninput: () => actions.onPatch({ filter: filter.value }) });
  const csv = h('button', {
    type: 'button', id: 'folder-csv',
    onclick: () => {
      if (!current) return;
      const name = `${stemOf(current.folder.title, 'models')}.arenas.csv`;
      save(name, new Blob([csvOf(rows, current.folder, current.budget)], { type: 'text/csv' }));
      actions.say(t('export.done', { name }));
    },
  });
  const back = h('button', { type: 'button', id: 'folder-leave', onclick: actions.onBack });
  const bar = h('progress', { max: '1' });
  const what = h('span', { class: 'what' });
  const stop = h('button', { type: 'button', id: 'folder-stop', onclick: actions.onStop });
  const progress = h('div', { class: 'working' }, bar, what, stop);
  const header = h('div', { class: 'row header', role: 'row' });
  const grid = h('div', { class: 'grid', role: 'table' }, h('div', { role: 'rowgroup' }, header));
  const none = h('p', { class: 'empty', hidden: true });
  const notes = h('div', { class: 'notes' });
  root.append(h('div', { class: 'head' }, title, count, h('span', { class: 'spacer' }), filter, csv, back), progress, grid, none, notes);
  /** @type {Shown | null} */
  let current = null;
  /** @type {Row[]} */
  let rows = [];
  const list = createVirtualList({
    parent: grid, rowHeight: ROW_PX, label: '', role: 'rowgroup',
    render: (place) => line(current, rows[place], place, actions.onOpen),
  });

  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    const { folder } = state;
    root.hidden = state.phase !== 'folder' || !folder;
    if (root.hidden || !folder) return;
    const isSame = before?.phase === 'folder' && before.folder === folder && before.language === state.language
      && before.settings === state.settings && before.doc === state.doc;
    if (isSame) return;
    current = { folder, budget: state.settings.budget, isMicro: folder.settings.runtime === 'tflm' };
    const columns = columnsOf(current);
    grid.style.setProperty('--columns', columns.map(({ width }) => width).join(' '));
    fill(title, folder.title ? t('folder.title', { name: clean(folder.title) }) : t('folder.files'));
    for (const [element, key] of /** @type {[HTMLElement, string][]} */ ([[csv, 'folder.csv'], [stop, 'load.cancel']])) element.textContent = t(key);
    back.hidden = state.doc === null;
    back.textContent = state.doc ? t('fail.back', { name: clean(state.doc.report.model.name) }) : '';
    filter.placeholder = t('folder.filter');
    filter.setAttribute('aria-label', t('folder.filter'));
    grid.setAttribute('aria-label', title.textContent ?? '');
    list.scroller.setAttribute('aria-label', title.textContent ?? '');
    if (filter.value !== folder.filter) filter.value = folder.filter;
    work(folder);
    rows = arrangeFolder(current);
    grid.setAttribute('aria-rowcount', String(rows.length + 1));
    grid.style.setProperty('--rows', String(rows.length));
    count.textContent = folder.current === null || rows.length < folder.rows.length ? t('folder.count', { shown: grouped(rows.length), all: grouped(folder.rows.length) }) : '';
    csv.toggleAttribute('disabled', rows.length === 0);
    heading(header, columns, folder.sort, (sort) => actions.onPatch({ sort }));
    const isEmpty = rows.length === 0;
    grid.hidden = isEmpty;
    none.hidden = !isEmpty || folder.current !== null;
    none.textContent = folder.rows.length === 0 ? t('folder.none') : t('table.none', { filter: folder.filter });
    if (!isEmpty) list.update(rows.length);
    remarks(notes, folder);
  };

  /** How far it is. @param {Folder} folder */
  function work(folder) {
    progress.hidden = folder.current === null;
    stop.hidden = progress.hidden;
    if (folder.total === 0) bar.removeAttribute('value');
    else {
      bar.max = folder.total;
      bar.value = folder.done;
    }
    bar.setAttribute('aria-label', t('folder.progress'));
    what.textContent = folder.total === 0 ? t('folder.listing')
      : t('folder.at', { done: grouped(folder.done), total: grouped(folder.total), name: clean(folder.current ?? '') });
  }
}

/** What the table does not show. @param {HTMLElement} root @param {Folder} folder */
function remarks(root, folder) {
  const wasOpen = root.querySelector('details')?.open ?? false;
  fill(root,
    folder.current === null ? h('p', { class: 'outcome' }, `${outcome(folder)}.`) : null,
    folder.current === null && folder.done < folder.total ? h('p', { class: 'unknown' }, t('folder.stopped', { done: grouped(folder.done), total: grouped(folder.total) })) : null,
    folder.isCut ? h('p', { class: 'unknown' }, t('folder.cut', { count: grouped(folder.total) })) : null,
    folder.more > 0 ? h('p', { class: 'unknown' }, plural('folder.more', folder.more)) : null,
    folder.others.length === 0 ? null : h('details', { class: 'others', open: wasOpen },
      h('summary', {}, plural('folder.others', folder.skipped)),
      h('ul', {}, ...folder.others.map(({ path, what }) => h('li', {}, h('b', {}, clean(path)), ' – ', isEnglish() ? sentence(clean(what)) : original(what))))));
}

/**
 * @param {HTMLElement} root @param {{ key: string }[]} columns @param {Folder['sort']} sort @param {(sort: Folder['sort']) => void} onSort
 */
function heading(root, columns, sort, onSort) {
  const key = JSON.stringify([columns.map((column) => t(`folder.${column.key}`)), sort]);
  // Drawn anew only when it says something else, so that the focus stays on a heading while files come in.
  if (root.dataset.drawn === key) return;
  root.dataset.drawn = key;
  const focus = document.activeElement?.id;
  fill(root, ...columns.map(({ key: name }) => sortHeading(sort, name, t(`folder.${name}`), {
    kind: 'f', id: `folder-by-${name}`, onSort: () => onSort(nextSort(sort, name, !TEXTS.has(name))),
  })));
  if (focus?.startsWith('folder-by-')) document.getElementById(focus)?.focus();
}

/** @param {Shown | null} shown @param {Row | undefined} row @param {number} place @param {(row: Row) => void} onOpen */
function line(shown, row, place, onOpen) {
  if (!shown || !row) return h('div');
  const columns = columnsOf(shown);
  const name = h('span', { class: 'cell f-name', role: 'cell' },
    h('button', { type: 'button', class: 'name', title: clean(row.path) }, clean(row.path)));
  const trouble = row.failure ? failureWords(row.failure) : row.verdict?.refused != null ? rich('folder.refused', { reason: original(row.verdict.refused) }) : null;
  const cells = trouble !== null || !row.verdict
    ? [h('span', { class: 'cell f-trouble', role: 'cell', 'aria-colspan': String(columns.length - 1), title: trouble?.textContent ?? '' }, trouble)]
    : columns.slice(1).map(({ key }) => h('span', { class: `cell f-${key}`, role: 'cell' }, cell(key, row, /** @type {Verdict} */ (row.verdict), shown)));
  return h('div', { class: 'row', role: 'row', 'aria-rowindex': String(place + 2), onclick: () => onOpen(row) }, name, ...cells);
}

/** @param {import('./types.d.ts').Failure} failure */
function failureWords(failure) {
  if (['unreadable', 'crash'].includes(failure.kind)) return h('span', {}, t(`folder.fail.${failure.kind}`));
  return isEnglish() ? h('span', {}, sentence(clean(failure.message))) : coded(`core.${failure.kind}`, failure.message);
}

/** @param {string} key @param {Row} row @param {Verdict} verdict @param {Shown} shown @returns {import('./dom.js').Child} */
function cell(key, row, verdict, { budget, folder }) {
  const bytes = (/** @type {number | null} */ value) => (value === null ? '–' : h('span', { title: adaptive(value) }, grouped(value)));
  switch (key) {
    case 'set': return bytes(verdict.set);
    case 'minimum': return bytes(verdict.minimum);
    case 'planned': return bytes(verdict.planned);
    case 'bound': return bytes(verdict.bound);
    case 'peak': return bytes(verdict.peak);
    case 'bytes': return bytes(row.bytes);
    case 'remarks': return verdict.warnings === 0 ? '–' : grouped(verdict.warnings);
    case 'op': return verdict.peak === null ? '–' : clean(`${verdict.peak_op ?? ''} ${verdict.peak_name}`.trim());
    case 'optimal':
      return verdict.optimal === true ? t('folder.yes')
        : verdict.bound === 0 ? '–' : t(verdict.optimal === false ? 'folder.no' : 'folder.maybe', { percent: percentAbove(verdict.planned, verdict.bound) });
    case 'fits': {
      const left = spare(row, budget) ?? 0;
      const words = t(left < 0 ? 'folder.short' : verdict.at_least ? 'folder.fits.least' : 'folder.left', { bytes: adaptive(Math.abs(left)) });
      return h('span', { class: left < 0 ? 'short' : 'fits', title: exact(Math.abs(left)) }, words);
    }
    case 'manifest': {
      const arena = manifestOf(row.path, folder.manifests)?.arena ?? null;
      if (arena === null) return '–';
      const words = verdict.minimum === null ? '' : ` ${manifestWords(arena, verdict.minimum)}`;
      return h('span', { class: verdict.minimum !== null && arena < verdict.minimum ? 'short' : '' }, `${grouped(arena)}${words}`);
    }
    default: return '';
  }
}
