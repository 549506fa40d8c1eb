// @ts-check
// The arena at this step and at the one before, as two strips of memory: what lies where, what is born, what ends.

import { fill, h } from './dom.js';
import { adaptive, clean, exact, offset, shapeText } from './format.js';
import { columnOf, stepName } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {{ alive(step: number): number[] }} Lookup */

/** More pieces than this in one strip nobody can tell apart. */
const MAX_PIECES = 400;

/** @param {HTMLElement} root @param {(buffer: number) => void} onSelect */
export function createNow(root, onSelect) {
  return (/** @type {State} */ state, /** @type {State | null} */ before, /** @type {Lookup} */ chart) => {
    const { doc } = state;
    if (!doc || state.phase !== 'ready') return;
    const same = before && before.doc === doc && before.step === state.step && before.selected === state.selected
      && before.hex === state.hex && before.phase === state.phase && before.language === state.language;
    if (same) return;
    const previous = state.step > 0 ? state.step - 1 : null;
    fill(root,
      strip(state, doc, state.step, chart, onSelect, true),
      previous === null
        ? h('div', { class: 'strip first' }, h('span', { class: 'which' }, h('b', {}, t('now.before')), ' ', t('now.start')))
        : strip(state, doc, previous, chart, onSelect, false));
  };
}

/**
 * @param {State} state @param {Doc} doc @param {number} index @param {Lookup} chart
 * @param {(buffer: number) => void} onSelect @param {boolean} isNow
 */
function strip(state, doc, index, chart, onSelect, isNow) {
  const step = doc.report.steps[index];
  if (!step) return h('div');
  const column = columnOf(doc, index);
  const boxes = column < 0 ? [] : chart.alive(column);
  const bar = h('div', { class: 'memory' });
  const arena = doc.report.arena_bytes || 1;
  for (const box of boxes.slice(0, MAX_PIECES)) bar.append(piece(state, doc, step, box, arena, onSelect) ?? '');
  const words = column < 0 ? t('now.other', { subgraph: step.subgraph })
    : t(boxes.length === 1 ? 'now.alive.one' : 'now.alive.many', { live: adaptive(step.live_bytes), count: boxes.length });
  return h('div', { class: isNow ? 'strip' : 'strip before' },
    h('span', { class: 'which' },
      h('b', {}, isNow ? t('now.title') : t('now.before')), ' ',
      h('span', { class: 'opname' }, clean(stepName(step))),
      h('span', { class: 'faint', title: exact(step.live_bytes) }, words)),
    bar);
}

/**
 * @param {State} state @param {Doc} doc @param {import('./types.d.ts').StepView} step @param {number} box
 * @param {number} arena @param {(buffer: number) => void} onSelect
 */
function piece(state, doc, step, box, arena, onSelect) {
  const members = doc.notes.members[box] ?? [];
  const root = members[0];
  const buffer = root === undefined ? undefined : doc.report.buffers[root];
  if (root === undefined || !buffer || buffer.offset === null) return null;
  const refs = members.map((member) => doc.report.buffers[member]?.ref ?? '');
  const born = refs.some((reference) => step.born.includes(reference));
  const dies = refs.some((reference) => step.dies.includes(reference));
  const size = buffer.bytes ?? 0;
  const marks = [born ? t('now.born') : null, dies ? t('now.dies') : null].filter(Boolean).join(', ');
  const names = refs.filter((reference) => reference !== buffer.ref);
  const title = `${buffer.ref} ${clean(buffer.name)}\n${shapeText(buffer.shape)} ${buffer.dtype ?? ''} ${exact(size)}`
    + `\n${t('card.offset')} ${offset(buffer.offset, state.hex)}`
    + (names.length ? `\n${t('card.shares', { refs: names.join(', ') })}` : '') + (marks ? `\n${marks}` : '');
  const element = h('button', {
    type: 'button', title, 'aria-label': title.replace(/\n/g, ', '),
    class: ['piece', `role-${buffer.role}`, born ? 'born' : '', dies ? 'dies' : '', members.includes(state.selected ?? -1) ? 'chosen' : ''].join(' '),
    onclick: () => onSelect(root),
  }, h('span', { class: 'sign', 'aria-hidden': 'true' }, `${born ? '+' : ''}${dies ? '−' : ''}`), h('span', {}, buffer.ref));
  element.style.left = `${(buffer.offset / arena) * 100}%`;
  element.style.width = `${Math.max(0.15, (size / arena) * 100)}%`;
  return element;
}
