// @ts-check
// The arena at this step and at the one before, as two strips of memory: what lies where, what is born, what ends.
// A piece stays the same element for as long as its buffer is alive, so that a step costs what it changes.

import { fill, h, setText } from './dom.js';
import { adaptive, clean, exact, offset, shapeText } from './format.js';
import { columnOf, stepName } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {{ alive(step: number): number[] }} Lookup */
/** What a piece shows besides its buffer. @typedef {{ born: boolean, dies: boolean, chosen: boolean }} Marks */
/** @typedef {{ element: HTMLElement, shown: string, share: number, letters: number, signs: number }} Piece */

/** More pieces than this in one strip nobody can tell apart. */
const MAX_PIECES = 400;
/** What a piece's edges, a letter of its name and a sign take of its width. */
const [EDGES_PX, LETTER_PX, SIGN_PX] = [8, 6.8, 11];

/** @param {HTMLElement} root @param {(buffer: number) => void} onSelect */
export function createNow(root, onSelect) {
  const now = createStrip('strip', onSelect);
  const last = createStrip('strip before', onSelect);
  const start = h('div', { class: 'strip first' });
  return (/** @type {State} */ state, /** @type {State | null} */ before, /** @type {Lookup} */ chart) => {
    const { doc } = state;
    if (!doc || state.phase !== 'ready') return;
    const same = before && before.doc === doc && before.step === state.step && before.selected === state.selected
      && before.hex === state.hex && before.phase === state.phase && before.language === state.language;
    if (same) return;
    if (before?.doc !== doc || before.hex !== state.hex || before.language !== state.language) {
      now.clear();
      last.clear();
      fill(start, h('span', { class: 'which' }, h('b', {}, t('now.before')), ' ', t('now.start')));
    }
    now.show(state, doc, state.step, chart, t('now.title'));
    if (state.step > 0) last.show(state, doc, state.step - 1, chart, t('now.before'));
    const second = state.step > 0 ? last.root : start;
    if (root.lastChild !== second) root.replaceChildren(now.root, second);
  };
}

/** @param {string} kind @param {(buffer: number) => void} onSelect */
function createStrip(kind, onSelect) {
  const [title, name, words] = [h('b'), h('span', { class: 'opname' }), h('span', { class: 'faint' })];
  const bar = h('div', { class: 'memory' });
  const root = h('div', { class: kind }, h('span', { class: 'which' }, title, ' ', name, words), bar);
  /** By the number of the box. @type {Map<number, Piece>} */
  const pieces = new Map();
  let width = 0;
  new ResizeObserver(() => {
    if (bar.clientWidth === width) return;
    width = bar.clientWidth;
    for (const piece of pieces.values()) narrow(piece, width);
  }).observe(bar);

  /** @param {State} state @param {Doc} doc @param {number} index @param {Lookup} chart @param {string} heading */
  function show(state, doc, index, chart, heading) {
    const step = doc.report.steps[index];
    root.hidden = !step;
    if (!step) return;
    const column = columnOf(doc, index);
    const boxes = column < 0 ? [] : chart.alive(column);
    setText(title, heading);
    setText(name, clean(stepName(step)));
    words.title = exact(step.live_bytes);
    setText(words, column < 0 ? t('now.other', { subgraph: step.subgraph })
      : t(boxes.length === 1 ? 'now.alive.one' : 'now.alive.many', { live: adaptive(step.live_bytes), count: boxes.length }));
    place(state, doc, step, boxes.slice(0, MAX_PIECES));
  }

  /** @param {State} state @param {Doc} doc @param {import('./types.d.ts').StepView} step @param {number[]} boxes */
  function place(state, doc, step, boxes) {
    const wanted = new Set(boxes);
    for (const [box, { element }] of pieces) {
      if (wanted.has(box)) continue;
      element.remove();
      pieces.delete(box);
    }
    const [born, dying] = [new Set(step.born), new Set(step.dies)];
    /** @type {ChildNode | null} */
    let next = bar.firstChild;
    for (const box of boxes) {
      const buffers = (doc.notes.members[box] ?? []).map((member) => doc.report.buffers[member]);
      const marks = {
        born: buffers.some((buffer) => born.has(buffer?.ref ?? '')), dies: buffers.some((buffer) => dying.has(buffer?.ref ?? '')),
        chosen: doc.notes.members[box]?.includes(state.selected ?? -1) ?? false,
      };
      const piece = pieces.get(box) ?? made(doc, box, buffers);
      if (!piece) continue;
      if (dress(piece, buffers, marks, state.hex)) narrow(piece, width);
      if (piece.element === next) next = next.nextSibling;
      else bar.insertBefore(piece.element, next);
    }
  }

  /** @param {Doc} doc @param {number} box @param {(BufferView | undefined)[]} buffers @returns {Piece | null} */
  function made(doc, box, buffers) {
    const [buffer, root] = [buffers[0], doc.notes.members[box]?.[0]];
    if (!buffer || root === undefined || buffer.offset === null) return null;
    const arena = doc.report.arena_bytes || 1;
    const share = (buffer.bytes ?? 0) / arena;
    const element = h('button', { type: 'button', onclick: () => onSelect(root) },
      h('span', { class: 'sign', 'aria-hidden': 'true' }), h('span', {}, buffer.ref));
    element.style.left = `${(buffer.offset / arena) * 100}%`;
    element.style.width = `${Math.max(0.15, share * 100)}%`;
    const piece = { element, shown: '', share, letters: buffer.ref.length, signs: 0 };
    pieces.set(box, piece);
    return piece;
  }

  return {
    root, show,
    /** Forgets all pieces: they would look or read differently. */
    clear() {
      pieces.clear();
      bar.replaceChildren();
    },
  };
}

/** Shows what became of a buffer; says whether anything did. @param {Piece} piece @param {(BufferView | undefined)[]} buffers @param {Marks} marks @param {boolean} hex */
function dress(piece, buffers, { born, dies, chosen }, hex) {
  const [buffer, ...others] = buffers;
  const shown = ['piece', `role-${buffer?.role}`, born ? 'born' : '', dies ? 'dies' : '', chosen ? 'chosen' : ''].join(' ');
  if (!buffer || piece.shown === shown) return false;
  piece.shown = shown;
  piece.signs = Number(born) + Number(dies);
  piece.element.className = shown;
  setText(piece.element.firstElementChild ?? piece.element, `${born ? '+' : ''}${dies ? '−' : ''}`);
  const marks = [born ? t('now.born') : null, dies ? t('now.dies') : null].filter(Boolean).join(', ');
  const title = `${buffer.ref} ${clean(buffer.name)}\n${shapeText(buffer.shape)} ${buffer.dtype ?? ''} ${exact(buffer.bytes ?? 0)}`
    + `\n${t('card.offset')} ${offset(buffer.offset ?? 0, hex)}`
    + (others.length ? `\n${t('card.shares', { refs: others.map((other) => other?.ref).join(', ') })}` : '') + (marks ? `\n${marks}` : '');
  piece.element.title = title;
  piece.element.setAttribute('aria-label', title.replace(/\n/g, ', '));
  return true;
}

/** @param {Piece} piece @param {number} width of the strip */
function narrow({ element, share, letters, signs }, width) {
  const room = share * width - EDGES_PX - signs * SIGN_PX;
  element.dataset.fit = width === 0 || room >= letters * LETTER_PX ? 'all' : room >= 0 ? 'sign' : 'none';
}
