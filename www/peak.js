// @ts-check
// The peak in one paragraph, what only waits at a step, and the largest tensors that share with nobody.

import { bufferLinks, stepLinks } from './details.js';
import { h } from './dom.js';
import { adaptive, both, percentAbove, signed } from './format.js';
import { shareWords, spanWords } from './explain.js';
import { rich, series } from './rich.js';
import { hasModel, overwrittenWords } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types-explain.d.ts').Needs} Needs */
/** @typedef {import('./types-explain.d.ts').Alive} Alive */
/** @typedef {import('./details.js').Actions} Actions */

/** More tensors of one kind than this are counted. */
const MAX_NAMED = 6;
const MAX_WAITING = 12;

/** Whether the step has nothing to do with it. @param {Alive} item */
function isWaiting(item) {
  return !item.read && !item.written && !item.scratch;
}

/** @param {Doc} doc @param {Needs} needs @param {Actions} actions */
export function peakPart(doc, needs, actions) {
  const used = needs.alive.filter((item) => !isWaiting(item));
  const waiting = needs.alive.filter(isWaiting);
  const named = (/** @type {Alive[]} */ list, /** @type {(item: Alive) => HTMLElement} */ words) => {
    const more = list.length - MAX_NAMED;
    return series([...list.slice(0, MAX_NAMED).map(words), ...(more > 0 ? [t('peak.more', { count: more })] : [])]);
  };
  const alive = (/** @type {import('./dom.js').Child[]} */ list) => rich('peak.alive', { op: atOp(doc, needs.step, actions), bytes: both(needs.live), list });
  if (!hasModel(doc)) {
    const words = (/** @type {Alive} */ item) => rich('peak.item', { ref: bufferLinks(doc, [item.buffer], actions), bytes: adaptive(item.bytes) });
    return h('div', { class: 'peaknote' }, h('h3', {}, t('peak.title')), h('p', {}, alive(named(needs.alive, words))), h('p', {}, arenaWords(doc, needs)));
  }
  return h('div', { class: 'peaknote' }, h('h3', {}, t('peak.title')), h('p', {},
    alive(named(used, (item) => usedWords(doc, item, actions))), ' ',
    waiting.length === 0 ? t('peak.nowait')
      : rich('peak.waits', { bytes: both(needs.waiting), list: named(waiting, (item) => waitingWords(doc, item, actions)) })),
  h('p', {}, arenaWords(doc, needs)));
}

/** The operation with its word: `op 14 CONV_2D`; a table's steps have names of their own. @param {Doc} doc @param {number} step @param {Actions} actions */
function atOp(doc, step, actions) {
  const isOp = (doc.report.steps[step]?.op_index ?? null) !== null;
  return [isOp ? t('peak.op') : null, stepLinks(doc, [step], actions)];
}

/** How the arena compares with what is alive at its peak. @param {Doc} doc @param {Needs} needs */
function arenaWords(doc, { live, arena, above, bound, optimal }) {
  const part = doc.micro ? '.head' : '';
  // Where tensors lie over each other the height says nothing of what is needed.
  const unsound = overwrittenWords(doc);
  if (unsound !== null || above < 0) return `${t(`peak.unsound${part}`, { arena: both(arena), bound: both(bound) })} ${unsound ?? ''}`.trim();
  if (above === 0) return t(`peak.exact${part}`, { arena: both(arena) });
  const higher = t(`peak.higher${part}`, { arena: both(arena), above: both(above), percent: percentAbove(arena, live) });
  const least = optimal === true || arena === bound ? t('peak.least') : t(optimal === false ? 'peak.beaten' : 'peak.bound', { bound: both(bound) });
  return `${higher} ${least}`;
}

/** @param {Doc} doc @param {Alive} item @param {Actions} actions */
function usedWords(doc, item, actions) {
  const how = item.read && item.written ? 'both' : item.written ? 'written' : item.read ? 'read' : 'scratch';
  return rich(`peak.${how}`, { ref: bufferLinks(doc, [item.buffer], actions), bytes: adaptive(item.bytes) });
}

/** @param {Doc} doc @param {Alive} item @param {Actions} actions */
function waitingWords(doc, item, actions) {
  const values = { ref: bufferLinks(doc, [item.buffer], actions), bytes: adaptive(item.bytes) };
  if (item.next !== null) return rich('peak.waiting', { ...values, op: stepLinks(doc, [item.next], actions) });
  const box = doc.notes.boxes[item.buffer] ?? -1;
  const roles = (box < 0 ? [item.buffer] : doc.notes.members[box] ?? []).map((member) => doc.report.buffers[member]?.role);
  const reason = roles.includes('output') ? 'output' : roles.includes('variable') ? 'state' : roles.includes('input') ? 'input'
    : doc.report.options.preserve_all_tensors ? 'preserved' : 'other';
  return rich('peak.kept', { ...values, reason: t(`peak.kept.${reason}`) });
}

/** What only waits while an operation runs, largest first. @param {Doc} doc @param {Needs} needs @param {Actions} actions */
export function waitingPart(doc, needs, actions) {
  const waiting = needs.alive.filter(isWaiting);
  if (waiting.length === 0) return h('p', { class: 'faint waiting' }, t('waiting.none'));
  const more = needs.alive.length < needs.count ? t('waiting.more.many') : waiting.length > MAX_WAITING ? t('peak.more', { count: waiting.length - MAX_WAITING }) : null;
  return h('div', { class: 'waiting' }, h('h3', {}, t('waiting.title', { bytes: both(needs.waiting) })),
    h('ul', {}, ...waiting.slice(0, MAX_WAITING).map((item) => h('li', {}, waitingWords(doc, item, actions))), more === null ? null : h('li', { class: 'faint' }, more)));
}

/** Bytes that begin and end between two steps. @param {Needs} needs */
export function movedWords({ born, freed }) {
  return born === null || freed === null ? null : t('details.moved.words', { born: signed(born), freed: freed === 0 ? '±0' : signed(-freed) });
}

/** The largest tensors of whose bytes nobody makes use at another time. @param {Doc} doc @param {Actions} actions */
export function unsharedPart(doc, actions) {
  const buffers = doc.notes.unshared.flatMap((box) => doc.notes.members[box]?.[0] ?? []);
  const one = (/** @type {number} */ index) => {
    const [first = -1, last = -1] = [doc.notes.first[index], doc.notes.last[index]];
    return h('li', {}, bufferLinks(doc, [index], actions), ' ', shareWords(doc.report.buffers[index]?.bytes ?? 0, doc.report.arena_bytes),
      first < 0 || last < 0 ? null : h('span', { class: 'faint' }, ' ', spanWords(doc, first, last)));
  };
  return [
    h('summary', {}, t('unshared.title')),
    h('p', { class: 'faint' }, buffers.length === 0 ? t('unshared.none') : t('unshared.note')),
    buffers.length === 0 ? null : h('ol', {}, ...buffers.map(one)),
  ];
}
