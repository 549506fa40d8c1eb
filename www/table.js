// @ts-check
// All buffers as a table: sorted, filtered, virtual. Also the way through the plan for those who do not see it.

import { fill, h } from './dom.js';
import { clean, exact, grouped, offset, shapeText } from './format.js';
import { swatch } from './details.js';
import { COLUMNS as TERM_OF } from './terms.js';
import { countWords, createFilters, isAlive, isFilteredAnew, matching, NO_FILTERS } from './filters.js';
import { prepare } from './search.js';
import { nextSort, sorted, sortHeading } from './sorting.js';
import { clock } from './state.js';
import { t } from './texts.js';
import { createVirtualList } from './virtual.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {{ get: () => State, onSort: (sort: State['sort']) => void, onFilter: (patch: import('./filters.js').Patch) => void, onSelect: (buffer: number) => void }} Actions */

const ROW_PX = 30;

/** Columns: what they sort by; numbers start with the largest. @type {{ key: string, value: (b: BufferView) => string | number | null }[]} */
const COLUMNS = [
  { key: 'ref', value: (b) => b.subgraph * 1e9 + b.index },
  { key: 'name', value: (b) => b.name },
  { key: 'dtype', value: (b) => b.dtype },
  { key: 'shape', value: (b) => b.shape.reduce((product, dim) => product * dim, 1) },
  { key: 'bytes', value: (b) => b.bytes },
  { key: 'role', value: (b) => b.role },
  { key: 'place', value: (b) => b.place },
  { key: 'offset', value: (b) => b.offset },
  { key: 'first', value: (b) => b.first_step },
  { key: 'last', value: (b) => b.last_step },
  { key: 'shares', value: (b) => b.share_count },
];
const NUMBERS = new Set(['bytes', 'offset', 'first', 'last', 'shares']);

/** The buffers to show, in order. @param {BufferView[]} buffers @param {State['sort']} sort @param {(index: number) => boolean} fits */
export function arrange(buffers, sort, fits) {
  const indexes = buffers.flatMap((_, index) => (fits(index) ? [index] : []));
  const column = COLUMNS.find(({ key }) => key === sort.column);
  if (!column) return indexes;
  return sorted(indexes, (index) => column.value(/** @type {BufferView} */ (buffers[index])), sort.down);
}

/** @param {HTMLElement} root @param {Actions} actions */
export function createTable(root, actions) {
  const title = h('h2', {});
  const count = h('span', { class: 'faint', role: 'status' });
  const filter = h('input', {
    type: 'search', id: 'filter', oninput: () => actions.onFilter({ filter: filter.value }),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Enter' && rows.length > 0) cycle(event.shiftKey ? -1 : 1);
    },
  });
  /** Selects the next match. @param {number} by */
  const cycle = (by) => {
    const at = current?.selected === null || !current ? -1 : rows.indexOf(current.selected);
    const next = rows[(at + by + rows.length) % rows.length];
    if (next !== undefined) actions.onSelect(next);
  };
  const header = h('div', { class: 'row header', role: 'row' });
  const none = h('p', { class: 'empty', hidden: true });
  root.append(h('div', { class: 'head' }, title, count, filter));
  const filters = createFilters(root, actions.get, actions.onFilter);
  const grid = h('div', { class: 'grid', role: 'table' }, h('div', { role: 'rowgroup' }, header));
  root.append(grid, none);
  /** @type {State | null} */
  let current = null;
  /** @type {number[]} */
  let rows = [];
  const list = createVirtualList({
    parent: grid, rowHeight: ROW_PX, label: t('table.title'), role: 'rowgroup',
    render: (place) => row(current, rows[place] ?? 0, place, actions.onSelect),
  });

  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    root.hidden = !state.doc || state.phase !== 'ready';
    current = state;
    if (!state.doc || root.hidden) return;
    const { buffers } = state.doc.report;
    const worded = state.language !== before?.language || title.textContent === '';
    filters(state, before);
    if (state.doc !== before?.doc) prepare(buffers);
    const arranged = state.doc !== before?.doc || state.sort !== before?.sort || isFilteredAnew(state, before) || before?.phase !== 'ready';
    if (worded) {
      fill(title, t('table.title'));
      list.scroller.setAttribute('aria-label', t('table.title'));
      filter.placeholder = t('table.filter');
      filter.setAttribute('aria-label', t('table.filter'));
      grid.setAttribute('aria-label', t('table.title'));
    }
    if (worded || state.sort !== before?.sort || state.doc !== before?.doc) fill(header, ...COLUMNS.map(({ key }) => heading(key, state.sort, clock(state.doc), actions.onSort)));
    if (filter.value !== state.filter) filter.value = state.filter;
    if (arranged || worded) {
      const { fits, wrong } = matching(state);
      rows = arrange(buffers, state.sort, fits);
      count.textContent = countWords(buffers, rows);
      grid.setAttribute('aria-rowcount', String(rows.length + 1));
      filter.setAttribute('aria-invalid', String(wrong !== null));
      none.hidden = rows.length > 0;
      fill(none, wrong !== null ? wrong : state.filter.trim() === '' ? t('filters.none') : t('table.none', { filter: state.filter }), ' ',
        h('button', { type: 'button', class: 'quiet', onclick: () => actions.onFilter({ filter: '', filters: NO_FILTERS }) }, t('table.clear')));
    }
    if (arranged || worded || state.hex !== before?.hex || state.tab !== before?.tab) list.update(rows.length);
    else if (state.selected !== before?.selected || state.step !== before?.step) {
      list.touch((element, place) => mark(element, state, rows[place] ?? 0));
    }
    if (state.selected !== null && state.selected !== before?.selected) {
      const place = rows.indexOf(state.selected);
      if (place >= 0) list.reveal(place);
    }
  };
}

/** @param {string} key @param {State['sort']} sort @param {'scope' | 'step'} unit @param {(sort: State['sort']) => void} onSort */
function heading(key, sort, unit, onSort) {
  const title = key === 'first' || key === 'last' ? t(`col.${key}.note${unit === 'scope' ? '.scope' : ''}`) : null;
  return sortHeading(sort, key, t(`col.${key}`), { kind: 'c', title, term: TERM_OF[key], onSort: () => onSort(nextSort(sort, key, NUMBERS.has(key))) });
}

/** @param {State | null} state @param {number} index @param {number} place @param {(buffer: number) => void} onSelect */
function row(state, index, place, onSelect) {
  const buffer = state?.doc?.report.buffers[index];
  if (!state || !buffer) return h('div');
  const cell = (/** @type {string} */ key, /** @type {import('./dom.js').Child[]} */ ...content) =>
    h('span', { class: `cell c-${key}`, role: 'cell' }, ...content);
  const number = (/** @type {number | null} */ value) => (value === null ? '–' : grouped(value));
  const element = h('div', { class: 'row', role: 'row', 'aria-rowindex': String(place + 2), onclick: () => onSelect(index) },
  cell('ref', h('button', { type: 'button', class: 'ref' },
    swatch(buffer.place === 'arena' ? buffer.role : 'file'), buffer.ref)),
  cell('name', h('span', { title: clean(buffer.name) }, clean(buffer.name))),
  cell('dtype', buffer.dtype ?? '–'),
  cell('shape', shapeText(buffer.shape)),
  cell('bytes', buffer.bytes === null ? '?' : h('span', { title: exact(buffer.bytes) }, grouped(buffer.bytes))),
  cell('role', t(`role.${buffer.role}`)),
  cell('place', t(`place.${buffer.place}`)),
  cell('offset', buffer.offset === null ? '–' : offset(buffer.offset, state.hex)),
  cell('first', number(buffer.first_step)),
  cell('last', number(buffer.last_step)),
  cell('shares', buffer.share_count === 0 ? '–' : grouped(buffer.share_count)));
  mark(element, state, index);
  return element;
}

/** Shows whether a row's buffer is selected, and whether it is alive at this step. @param {HTMLElement} element @param {State} state @param {number} index */
function mark(element, state, index) {
  element.classList.toggle('alive', state.doc !== null && isAlive(state.doc, index, state.step));
  element.classList.toggle('chosen', index === state.selected);
  element.querySelector('button')?.setAttribute('aria-pressed', String(index === state.selected));
}
