// @ts-check
// The choice of a board: its kernels, struct sizes and memory come with it. And what is known of the board's memory.

import { h } from './dom.js';
import { adaptive, both, exact } from './format.js';
import { mark } from './terms.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Settings} Settings */
/** @typedef {import('./types-micro.d.ts').Board} Board */

/** @param {State} state @returns {Board | null} */
export function chosenBoard({ boards, settings }) {
  return boards.find((board) => board.id === settings.board) ?? null;
}

/** What a board means for the settings; `null` lets go of it. @param {Board | null} board @returns {Partial<Settings>} */
export function settingsOf(board) {
  if (!board) return { board: null, budget: null };
  return { runtime: 'tflm', board: board.id, kernels: board.kernels, abi: board.abi, budget: board.budget };
}

/** @param {State} state @param {(patch: Partial<Settings>) => void} onChange */
export function boardChoice(state, onChange) {
  if (state.boards.length === 0) return null;
  const chosen = chosenBoard(state);
  const select = h('select', {
    id: 'board', 'aria-label': t('board.label'), title: t('board.label'),
    onchange: () => onChange(settingsOf(state.boards.find((board) => board.id === select.value) ?? null)),
  },
    h('option', { value: '', selected: chosen === null }, t('board.none')),
    ...state.boards.map((board) => h('option', { value: board.id, selected: board === chosen },
      t('board.option', { name: board.name, ram: adaptive(board.ram) }))));
  return select;
}

/**
 * Whether the arena fits, by how much, what cannot be placed, and where the figures come from.
 * @param {State} state @param {import('./types.d.ts').Doc} doc
 * @param {{ onStep: (step: number) => void, onSelect: (buffer: number) => void }} actions
 */
export function boardWords(state, doc, { onStep, onSelect }) {
  const board = chosenBoard(state);
  const { micro, report } = doc;
  const fit = micro?.fit;
  if (!micro) return null;
  const apart = micro.apart ? h('span', { class: 'apart faint' }, ` ${apartWords(board, micro.apart)} `, mark('apart')) : null;
  if (!fit) return apart ? h('p', {}, apart) : null;
  const spare = fit.budget - fit.needed;
  const where = board && board.budget === fit.budget ? board.name : t('board.own');
  const step = fit.step === null ? undefined : report.steps[fit.step];
  const buffer = fit.buffer === null ? undefined : report.buffers[fit.buffer];
  const first = spare < 0 && step && buffer ? h('button', {
    type: 'button', class: 'ref', onclick: () => { onStep(fit.step ?? 0); onSelect(fit.buffer ?? 0); },
  }, t('board.first', { op: step.op_index === null ? step.op : `${step.op_index} ${step.op}`, ref: buffer.ref, bytes: exact(buffer.bytes ?? 0) })) : null;
  return h('p', { class: 'board' },
    h('b', { class: spare < 0 ? 'short' : 'fits' },
      t(spare < 0 ? 'board.short' : 'board.fits', { where, bytes: both(Math.abs(spare)), budget: adaptive(fit.budget) })),
    ' ', mark('board'), ' ', first, ' ',
    board ? h('span', { class: 'faint' }, memoryWords(board)) : null,
    apart);
}

/** @param {Board} board */
function memoryWords(board) {
  const block = board.block === null ? t('board.block.unknown') : t('board.block', { block: adaptive(board.block) });
  return t('board.memory', { ram: adaptive(board.ram), block, source: board.source });
}

/** Head and tail in different memories. @param {Board | null} board @param {[number, number]} apart */
function apartWords(board, [persistent, other]) {
  const external = board?.external ?? null;
  if (external === null) return t('board.apart', { persistent: exact(persistent), other: exact(other) });
  const internal = board && persistent <= board.budget && other <= external;
  return t(internal ? 'board.external' : 'board.external.short', {
    external: adaptive(external), persistent: exact(persistent), other: exact(other),
  });
}
