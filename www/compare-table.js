// @ts-check
// Every tensor of two plans, before and after: sorted, filtered, virtual; and the figures above it.

import { countWords, figureTable } from './compare-words.js';
import { fill, h } from './dom.js';
import { fileName, save } from './export.js';
import { clean, exact, grouped, offset } from './format.js';
import { nextSort, sorted, sortHeading } from './sorting.js';
import { t } from './texts.js';
import { createVirtualList } from './virtual.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {import('./types-compare.d.ts').Row} Row */
/** @typedef {{ onPick: (row: Row) => void, csv: () => Promise<string>, say: (text: string) => void }} Actions */
/** @typedef {{ row: Row, old: BufferView | undefined, now: BufferView | undefined }} Pair */

const ROW_PX = 30;
const SIGNS = ['offset', 'size', 'life', 'place'];

/** Columns and what they sort by. @type {Record<string, (pair: Pair) => string | number | null>} */
const COLUMNS = {
  ref: ({ old, now }) => { const one = now ?? old; return one ? one.subgraph * 1e9 + one.index : null; },
  name: ({ old, now }) => (now ?? old)?.name ?? '',
  bytes: ({ old, now }) => (now ?? old)?.bytes ?? null,
  offset: ({ old, now }) => (now ?? old)?.offset ?? null,
  life: ({ old, now }) => (now ?? old)?.first_step ?? null,
  what: ({ row }) => kinds(row).length,
};

/** What changed, by key. @param {Row} row */
function kinds({ before, after, signs }) {
  if (before < 0) return ['added'];
  if (after < 0) return ['gone'];
  return SIGNS.filter((_, bit) => (signs >> bit) & 1);
}

/** @param {HTMLElement} root @param {Actions} actions */
export function createCompareTable(root, actions) {
  const title = h('h2', {});
  const counts = h('span', { class: 'faint', id: 'compare-counts' });
  const shown = h('span', { class: 'faint', role: 'status', id: 'compare-shown' });
  const only = h('input', { type: 'checkbox', id: 'compare-only', checked: true, onchange: () => arrange() });
  const onlyWords = h('span', {});
  const csv = h('button', { type: 'button', id: 'compare-csv', onclick: () => { void saveCsv(); } });
  const ghosts = h('p', { class: 'faint ghosts' });
  const figures = h('div', { class: 'scroll', role: 'region', tabindex: '0' });
  const header = h('div', { class: 'row header', role: 'row' });
  const grid = h('div', { class: 'grid', role: 'table' }, h('div', { role: 'rowgroup' }, header));
  const none = h('p', { class: 'empty', hidden: true });
  root.append(h('div', { class: 'head' }, title, counts), ghosts, figures,
    h('div', { class: 'head' }, h('label', { class: 'check' }, only, onlyWords), shown, h('span', { class: 'spacer' }), csv), grid, none);
  let sort = { column: 'what', down: true };
  /** @type {State | null} */
  let current = null;
  /** @type {Pair[]} */
  let all = [];
  /** @type {Pair[]} */
  let rows = [];
  const list = createVirtualList({ parent: grid, rowHeight: ROW_PX, label: t('compare.tensors'), role: 'rowgroup', render: (place) => rowOf(rows[place], place, current, actions.onPick) });

  function arrange() {
    const wanted = only.checked ? all.filter(({ row }) => kinds(row).length > 0) : all;
    rows = sorted(wanted, COLUMNS[sort.column] ?? (() => 0), sort.down);
    shown.textContent = t('compare.shown', { shown: grouped(rows.length), all: grouped(all.length) });
    none.hidden = rows.length > 0;
    grid.hidden = rows.length === 0;
    grid.style.setProperty('--rows', String(rows.length));
    grid.setAttribute('aria-rowcount', String(rows.length + 1));
    list.update(rows.length);
  }

  function head() {
    const heading = (/** @type {string} */ key) => sortHeading(sort, key, t(`compare.col.${key}`), { kind: 'd', id: `sort-${key}`, onSort: () => order(key) });
    fill(header, ...Object.keys(COLUMNS).map(heading));
  }

  /** @param {string} column */
  function order(column) {
    sort = nextSort(sort, column, column === 'bytes' || column === 'what');
    head();
    arrange();
    document.getElementById(`sort-${column}`)?.focus();
  }

  async function saveCsv() {
    if (!current?.doc) return;
    const name = fileName(current.doc, 'csv', 'compare');
    save(name, new Blob([await actions.csv()], { type: 'text/csv' }));
    actions.say(t('export.done', { name }));
  }

  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    const { doc, comparison } = state;
    root.hidden = !doc || !comparison || !state.before || state.phase !== 'ready';
    const isOther = comparison !== before?.comparison;
    current = state;
    if (root.hidden || !doc || !comparison) return;
    const isWorded = state.language !== before?.language || title.textContent === '';
    if (isWorded || isOther || state.lay !== before?.lay) ghosts.textContent = t(state.lay === 'over' ? 'compare.ghosts' : 'compare.beside');
    if (isWorded) {
      title.textContent = t('compare.section');
      onlyWords.textContent = t('compare.only');
      csv.textContent = t('compare.csv');
      none.textContent = t('compare.none');
      figures.setAttribute('aria-label', t('compare.section'));
      grid.setAttribute('aria-label', t('compare.tensors'));
      list.scroller.setAttribute('aria-label', t('compare.tensors'));
      head();
    }
    if (isWorded || isOther) {
      counts.textContent = countWords(comparison.counts);
      figureTable(figures, state);
      if (isOther) all = comparison.rows.map((row) => ({ row, old: state.before?.report.buffers[row.before], now: doc.report.buffers[row.after] }));
      arrange();
    } else if (state.hex !== before?.hex || before?.phase !== 'ready') list.update(rows.length);
    else if (state.selected !== before?.selected || state.picked !== before?.picked) {
      list.touch((element, place) => mark(element, rows[place], state));
      const place = rows.findIndex(({ row }) => isChosen(row, state));
      if (place >= 0) list.reveal(place);
    }
  };
}

/** @param {Row} row @param {State} state */
function isChosen({ before, after }, { selected, picked }) {
  return selected !== null ? after === selected : picked !== null && before === picked;
}

/** @param {HTMLElement} element @param {Pair | undefined} pair @param {State} state */
function mark(element, pair, state) {
  const chosen = pair !== undefined && isChosen(pair.row, state);
  element.classList.toggle('chosen', chosen);
  element.querySelector('button')?.setAttribute('aria-pressed', String(chosen));
}

/** `a → b`, or one of them where both are the same. @param {string | null} a @param {string | null} b */
function change(a, b) {
  const [old, now] = [a ?? '–', b ?? '–'];
  return old === now ? [now] : [h('span', { class: 'faint' }, old), ' → ', now];
}

/** @param {Pair | undefined} pair @param {number} place @param {State | null} state @param {(row: Row) => void} onPick */
function rowOf(pair, place, state, onPick) {
  if (!pair || !state) return h('div');
  const { row, old, now } = pair;
  const cell = (/** @type {string} */ key, /** @type {import('./dom.js').Child[]} */ ...content) => h('span', { class: `cell d-${key}`, role: 'cell' }, ...content);
  const both = (/** @type {(buffer: BufferView) => string | null} */ of) => change(old ? of(old) : null, now ? of(now) : null);
  const life = (/** @type {BufferView} */ { first_step: first, last_step: last }) => (first === null || last === null ? null : `${first}–${last}`);
  const name = clean((now ?? old)?.name ?? '');
  const kind = kinds(row);
  const element = h('div', { class: 'row', role: 'row', 'aria-rowindex': String(place + 2), onclick: () => onPick(row) },
    cell('ref', h('button', { type: 'button', class: 'ref' }, ...both((buffer) => buffer.ref))),
    cell('name', h('span', { title: name }, name)),
    cell('bytes', h('span', { title: [old?.bytes, now?.bytes].map((bytes) => (bytes === null || bytes === undefined ? '–' : exact(bytes))).join(' → ') },
      ...both(({ bytes }) => (bytes === null ? '?' : grouped(bytes))))),
    cell('offset', ...both((buffer) => (buffer.offset === null ? t(`place.${buffer.place}`) : offset(buffer.offset, state.hex)))),
    cell('life', ...both(life)),
    cell('what', kind.length === 0 ? t('compare.what.same') : kind.map((one) => t(`compare.what.${one}`)).join(', ')));
  mark(element, pair, state);
  return element;
}
