// @ts-check
// Which buffers the table and the chart show: by text, role, type, size, life and sharing; and the controls for it.

import { fill, h, refocus } from './dom.js';
import { adaptive, clean, grouped } from './format.js';
import { searchIn } from './search.js';
import { bytesFrom } from './settings.js';
import { clock } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {import('./types-explain.d.ts').Filters} Filters */
/** @typedef {{ filter?: string, filters?: Filters }} Patch */

/** @type {Filters} */
export const NO_FILTERS = { roles: [], types: [], least: '', most: '', alive: false, unshared: false };

/** Longer names of types and texts are cut in a chip. */
const MAX_CHIP = 24;

/** A size as it was typed: bytes, or `null` when it says nothing, or `NaN` when it is no size. @param {string} text */
function sizeOf(text) {
  if (text.trim() === '') return null;
  return /^\s*0+\s*$/.test(text) ? 0 : bytesFrom(text) ?? Number.NaN;
}

/** Whether anything is asked for. @param {Pick<State, 'filter' | 'filters'>} state */
export function isFiltering({ filter, filters }) {
  return filter.trim() !== '' || filters.roles.length > 0 || filters.types.length > 0 || filters.least.trim() !== '' || filters.most.trim() !== ''
    || filters.alive || filters.unshared;
}

/** The filters without the roles and types that a plan has none of: nothing on the page would show what hides its tensors.
 * @param {Filters} filters @param {Doc} doc @returns {Filters} */
export function offered(filters, { report: { buffers } }) {
  const roles = filters.roles.filter((name) => buffers.some(({ role }) => role === name));
  const types = filters.types.filter((name) => buffers.some(({ dtype }) => (dtype ?? '') === name));
  return roles.length === filters.roles.length && types.length === filters.types.length ? filters : { ...filters, roles, types };
}

/** What was found last: table and chart ask for the same. @type {{ of: Pick<State, 'doc' | 'filter' | 'filters' | 'step'>, found: { fits: (index: number) => boolean, wrong: string | null } } | null} */
let kept = null;

/** What the filters let through. A size that cannot be read filters nothing and is shown as wrong.
 * @param {Pick<State, 'doc' | 'filter' | 'filters' | 'step'>} state @returns {{ fits: (index: number) => boolean, wrong: string | null }} */
export function matching({ doc, filter, filters, step }) {
  const isKnown = kept !== null && kept.of.doc === doc && kept.of.filter === filter && kept.of.filters === filters && (!filters.alive || kept.of.step === step);
  if (kept && isKnown) return kept.found;
  const { fits, wrong } = searchIn(filter, doc?.report.buffers ?? []);
  const [least, most] = [sizeOf(filters.least), sizeOf(filters.most)];
  const low = least !== null && !Number.isNaN(least) ? least : null;
  const high = most !== null && !Number.isNaN(most) ? most : null;
  const isShown = (/** @type {BufferView} */ buffer, /** @type {number} */ index) => {
    if (!doc || !fits(index)) return false;
    if (filters.roles.length > 0 && !filters.roles.includes(buffer.role)) return false;
    if (filters.types.length > 0 && !filters.types.includes(buffer.dtype ?? '')) return false;
    if (low !== null && (buffer.bytes === null || buffer.bytes < low)) return false;
    if (high !== null && (buffer.bytes === null || buffer.bytes > high)) return false;
    if (filters.alive && !isAlive(doc, index, step)) return false;
    return !filters.unshared || (buffer.place === 'arena' && buffer.share_count === 0);
  };
  const flags = Uint8Array.from(doc?.report.buffers ?? [], (buffer, index) => Number(isShown(buffer, index)));
  kept = { of: { doc, filter, filters, step }, found: { wrong, fits: (index) => flags[index] === 1 } };
  return kept.found;
}

/** Whether a buffer keeps bytes of the arena at a step. @param {Doc} doc @param {number} index @param {number} step */
export function isAlive(doc, index, step) {
  const [first = -1, last = -1] = [doc.notes.first[index], doc.notes.last[index]];
  return doc.report.buffers[index]?.place === 'arena' && first >= 0 && first <= step && step <= last;
}

/** Whether two states show different buffers. @param {State} state @param {State | null} before */
export function isFilteredAnew(state, before) {
  return !before || state.filter !== before.filter || state.filters !== before.filters || (state.filters.alive && state.step !== before.step);
}

/** One flag for each box: whether one of its buffers is let through. Empty when everything is. @param {State} state */
export function brightBoxes(state) {
  if (!state.doc || !isFiltering(state)) return new Uint8Array();
  const { fits } = matching(state);
  return Uint8Array.from(state.doc.notes.members, (members) => Number(members.some(fits)));
}

/** How many are shown and how large they are together: the visitor's own choice, so no figure of the core's.
 * @param {BufferView[]} buffers @param {number[]} rows */
export function countWords(buffers, rows) {
  let bytes = 0;
  let unknown = 0;
  for (const row of rows) {
    const size = buffers[row]?.bytes ?? null;
    if (size === null) unknown += 1;
    else bytes += size;
  }
  const values = { shown: grouped(rows.length), all: grouped(buffers.length), bytes: adaptive(bytes), unknown: grouped(unknown) };
  return t(unknown > 0 ? 'filters.count.unknown' : 'filters.count', values);
}

/**
 * The controls above the table.
 * @param {HTMLElement} root @param {() => State} get @param {(patch: Patch) => void} onChange
 */
export function createFilters(root, get, onChange) {
  const controls = h('div', { class: 'filters', role: 'group' });
  const active = h('div', { class: 'active', role: 'group', hidden: true });
  root.append(controls, active);
  const change = (/** @type {Partial<Filters>} */ patch) => onChange({ filters: { ...get().filters, ...patch } });

  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    if (!state.doc) return;
    const isNew = state.doc !== before?.doc || state.language !== before?.language || before?.phase !== 'ready';
    if (isNew) {
      controls.setAttribute('aria-label', t('filters.title'));
      active.setAttribute('aria-label', t('filters.active'));
      fill(controls, ...choices(state, get, change));
    }
    if (!isNew && state.filters === before.filters && state.filter === before.filter) return;
    press(controls, state.filters);
    const focus = active.contains(document.activeElement) ? 'filter' : undefined;
    active.hidden = !isFiltering(state);
    fill(active, ...(active.hidden ? [] : chips(state, onChange, change)));
    refocus(focus);
  };
}

/** The choices: what the model has of roles and types, sizes, life, sharing. @param {State} state @param {() => State} get @param {(patch: Partial<Filters>) => void} change */
function choices(state, get, change) {
  const buffers = state.doc?.report.buffers ?? [];
  const set = (/** @type {'roles' | 'types'} */ kind, /** @type {(buffer: BufferView) => string} */ of, /** @type {(name: string) => string} */ word) => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const buffer of buffers) counts.set(of(buffer), (counts.get(of(buffer)) ?? 0) + 1);
    if (counts.size < 2) return null;
    const names = [...counts].sort(([a, many], [b, more]) => more - many || a.localeCompare(b));
    return h('span', { class: 'set', role: 'group', 'aria-label': t(`filters.${kind}`) }, h('span', { class: 'faint' }, t(`filters.${kind}`)),
      ...names.map(([name, count]) => chip(`${kind}-${name}`, word(name), () => {
        const chosen = get().filters[kind];
        change({ [kind]: chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name] });
      }, count)));
  };
  const size = (/** @type {'least' | 'most'} */ kind) => {
    const field = h('input', {
      type: 'text', id: `filter-${kind}`, autocomplete: 'off', value: state.filters[kind], placeholder: t('filters.size.none'), 'aria-label': t(`filters.${kind}.label`),
      oninput: () => change({ [kind]: field.value }),
    });
    return h('label', {}, h('span', { class: 'faint' }, t(`filters.${kind}`)), field);
  };
  return [
    set('roles', (buffer) => buffer.role, (name) => t(`role.${name}`)),
    set('types', (buffer) => buffer.dtype ?? '', (name) => (name === '' ? t('word.none') : clean(name))),
    h('span', { class: 'set', role: 'group', 'aria-label': t('filters.size') }, h('span', { class: 'faint' }, t('filters.size')), size('least'), size('most'),
      h('span', { class: 'wrong', id: 'filter-wrong', role: 'status' })),
    h('span', { class: 'set' },
      chip('alive', t(`filters.alive.${clock(state.doc)}`), () => change({ alive: !get().filters.alive })),
      chip('unshared', t('filters.unshared'), () => change({ unshared: !get().filters.unshared }), null, t('filters.unshared.note'))),
  ];
}

/** @param {string} id @param {string} words @param {() => void} onclick @param {number | null} [count] @param {string | null} [title] */
function chip(id, words, onclick, count = null, title = null) {
  return h('button', { type: 'button', class: 'chip', 'data-filter': id, 'aria-pressed': 'false', title, onclick }, words,
    count === null ? null : h('span', { class: 'faint' }, ` ${grouped(count)}`));
}

/** Shows on the controls what is chosen. @param {HTMLElement} controls @param {Filters} filters */
function press(controls, filters) {
  const pressed = new Set([...filters.roles.map((name) => `roles-${name}`), ...filters.types.map((name) => `types-${name}`),
    ...(filters.alive ? ['alive'] : []), ...(filters.unshared ? ['unshared'] : [])]);
  for (const button of controls.querySelectorAll('button')) button.setAttribute('aria-pressed', String(pressed.has(button.dataset['filter'] ?? '')));
  const wrong = [];
  for (const field of controls.querySelectorAll('input')) {
    const text = field.id === 'filter-least' ? filters.least : filters.most;
    if (field.value !== text) field.value = text;
    const isWrong = Number.isNaN(sizeOf(text));
    field.setAttribute('aria-invalid', String(isWrong));
    if (isWrong) wrong.push(text.trim());
  }
  const words = controls.querySelector('#filter-wrong');
  if (words) words.textContent = wrong.length === 0 ? '' : t('filters.wrong', { text: clean(wrong.join(', ')) });
}

/** What is asked for, each with its own way out, and one for all. @param {State} state @param {(patch: Patch) => void} onChange @param {(patch: Partial<Filters>) => void} change */
function chips({ filter, filters, doc }, onChange, change) {
  const item = (/** @type {string} */ words, /** @type {() => void} */ remove) => {
    const short = words.length > MAX_CHIP * 2 ? `${words.slice(0, MAX_CHIP * 2)}…` : words;
    return h('button', { type: 'button', class: 'chip removable', title: words, 'aria-label': t('filters.remove', { filter: words }), onclick: remove }, short, h('span', { 'aria-hidden': 'true' }, ' ×'));
  };
  const of = (/** @type {'roles' | 'types'} */ kind, /** @type {(name: string) => string} */ word) => filters[kind].map((name) =>
    item(t(`filters.${kind}.chip`, { name: word(name) }), () => change({ [kind]: filters[kind].filter((other) => other !== name) })));
  return [
    filter.trim() === '' ? null : item(t('filters.text.chip', { text: clean(filter.trim()) }), () => onChange({ filter: '' })),
    ...of('roles', (name) => t(`role.${name}`)),
    ...of('types', (name) => (name === '' ? t('word.none') : clean(name))),
    filters.least.trim() === '' ? null : item(t('filters.least.chip', { size: clean(filters.least.trim()) }), () => change({ least: '' })),
    filters.most.trim() === '' ? null : item(t('filters.most.chip', { size: clean(filters.most.trim()) }), () => change({ most: '' })),
    filters.alive ? item(t(`filters.alive.${clock(doc)}`), () => change({ alive: false })) : null,
    filters.unshared ? item(t('filters.unshared'), () => change({ unshared: false })) : null,
    h('button', { type: 'button', class: 'quiet', id: 'clear-filters', onclick: () => onChange({ filter: '', filters: NO_FILTERS }) }, t('filters.clear')),
  ];
}
