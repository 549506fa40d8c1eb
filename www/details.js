// @ts-check
// Everything about the selected buffer, or about the operation at this step.

import { fill, h } from './dom.js';
import { adaptive, both, clean, grouped, hex, shapeText, signed } from './format.js';
import { stepName } from './state.js';
import { detailTerm, valueTerm } from './terms.js';
import { whereWords } from './where.js';
import { whyPart } from './why.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {{ onStep: (step: number) => void, onSelect: (buffer: number | null) => void }} Actions */

/** Longer lists end in a count. */
const MAX_LISTED = 40;

/** @param {HTMLElement} root @param {Actions} actions */
export function createDetails(root, actions) {
  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    const { doc } = state;
    if (!doc || state.phase !== 'ready') return;
    const same = before && before.doc === doc && before.step === state.step && before.selected === state.selected && before.why === state.why
      && before.phase === state.phase && before.language === state.language;
    if (same) return;
    const buffer = state.selected === null ? undefined : doc.report.buffers[state.selected];
    fill(root, buffer ? bufferPart(doc, buffer, state.selected ?? 0, actions) : null, buffer && state.why ? whyPart(doc, state.why, actions) : null, stepPart(doc, state.step, actions),
      buffer ? null : h('p', { class: 'hint faint' }, t('details.hint')));
  };
}

/** @param {Doc} doc @param {BufferView} buffer @param {number} index @param {Actions} actions */
function bufferPart(doc, buffer, index, actions) {
  const kind = buffer.role === 'temporary' ? 'temporary' : buffer.role === 'scratch' ? 'scratch'
    : buffer.role === 'buffer' ? 'buffer' : 'tensor';
  const made = stepsWith(doc.notes.writes, index)[0] ?? -1;
  const readers = stepsWith(doc.notes.reads, index);
  const used = stepsWith(doc.notes.scratch, index);
  const causes = (doc.notes.causes[index] ?? []).map((cause) => causeWords(doc, cause));
  const alias = buffer.alias_of === null ? undefined : doc.byRef.get(buffer.alias_of);
  return h('section', { class: 'about' },
    h('div', { class: 'head' },
      h('h2', {}, detailTerm(kind, t(`details.${kind}`, { index: buffer.index }))),
      h('button', { type: 'button', class: 'quiet', onclick: () => actions.onSelect(null), 'aria-label': t('details.unselect') }, '×')),
    h('p', { class: 'title', title: clean(buffer.name) }, swatch(buffer.role), clean(buffer.name) || buffer.ref),
    facts([
      ['shape', shapeText(buffer.shape)],
      ['type', buffer.dtype],
      ['bytes', buffer.bytes === null ? t('details.bytes.unknown') : both(buffer.bytes)],
      ['role', valueTerm(buffer.role, t(`role.${buffer.role}`))],
      ['place', valueTerm(buffer.place, t(`place.${buffer.place}`))],
      ['where', whereWords(buffer, doc.report.options.runtime)],
      ['offset', buffer.offset === null ? null : `${grouped(buffer.offset)} (${hex(buffer.offset)})`],
      ['alive', alive(buffer)],
      ['made', made < 0 ? null : stepLinks(doc, [made], actions)],
      ['read', readers.length ? stepLinks(doc, readers, actions) : used.length ? stepLinks(doc, used, actions)
        : buffer.role === 'output' ? null : t('details.readers.none')],
      ['alias', alias === undefined ? null : bufferLinks(doc, [alias], actions)],
      ['shares', buffer.place !== 'arena' ? null : buffer.share_count === 0 ? t('details.shares.none')
        : t('details.shares.count', { count: buffer.share_count })],
    ]),
    causes.length === 0 ? null : h('h3', {}, t('details.whyalive')),
    causes.length === 0 ? null : h('ul', { class: 'why' }, ...causes.map((words) => h('li', {}, words))));
}

/** @param {Doc} doc @param {number} index @param {Actions} actions */
function stepPart(doc, index, actions) {
  const step = doc.report.steps[index];
  if (!step) return null;
  const before = doc.report.steps[index - 1];
  const { peak } = doc.report;
  const links = (/** @type {number[] | undefined} */ list) =>
    (list && list.length > 0 ? bufferLinks(doc, list, actions) : t('details.none'));
  const fromRefs = (/** @type {string[]} */ refs) => links(refs.map((reference) => doc.byRef.get(reference) ?? -1).filter((id) => id >= 0));
  return h('section', { class: 'about' },
    h('h2', {}, step.op_index === null ? clean(step.op) : t('details.op', { index: step.op_index })),
    step.op_index === null ? null : h('p', { class: 'title' }, clean(step.op)),
    facts([
      ['live', both(step.live_bytes)],
      ['delta', before ? signed(step.live_bytes - before.live_bytes) : null],
      ['reads', links(doc.notes.reads[index])],
      ['writes', links(doc.notes.writes[index])],
      ['scratches', doc.notes.scratch[index]?.length ? links(doc.notes.scratch[index]) : null],
      ['born', fromRefs(step.born)],
      ['dies', fromRefs(step.dies)],
    ]),
    !peak ? null : doc.notes.peak === index
      ? h('div', { class: 'peaknote' }, h('p', {}, t('details.peak', { bytes: both(peak.live_bytes) }), ' ', t('details.peak.tensors')), peakList(doc, peak, actions))
      : h('button', { type: 'button', class: 'quiet', onclick: () => actions.onStep(doc.notes.peak) }, t('details.peak.go')));
}

/** The largest of what makes the peak. @param {Doc} doc @param {import('./types.d.ts').PeakView} peak @param {Actions} actions */
function peakList(doc, peak, actions) {
  const row = (/** @type {string} */ reference) => {
    const index = doc.byRef.get(reference);
    const buffer = index === undefined ? undefined : doc.report.buffers[index];
    if (index === undefined || !buffer) return null;
    return h('li', {}, bufferLinks(doc, [index], actions), ' ', adaptive(buffer.bytes ?? 0), h('span', { class: 'faint' }, ` · ${Math.round(((buffer.bytes ?? 0) / peak.live_bytes) * 100)} %`));
  };
  return h('ol', {}, ...peak.tensors.slice(0, 6).map(row));
}

/** @param {Doc} doc @param {import('./types.d.ts').CauseNote} cause */
function causeWords(doc, { kind, step, buffer }) {
  const at = doc.report.steps[step];
  return t(`cause.${kind}`, { op: at ? clean(stepName(at)) : '?', ref: doc.report.buffers[buffer]?.ref ?? '?' });
}

/** @param {BufferView} buffer */
function alive({ first_step: first, last_step: last }) {
  if (first === null || last === null) return null;
  return first === last ? t('card.step', { first }) : t('card.steps', { first, last });
}

/** @param {[string, string | Node | null][]} rows */
function facts(rows) {
  const list = h('dl', {});
  for (const [key, value] of rows) {
    if (value !== null) list.append(h('dt', {}, detailTerm(key, t(`details.${key}`))), h('dd', {}, value));
  }
  return list;
}

/** For each list of the notes, the steps of each buffer: made when first asked for. @type {WeakMap<number[][], Map<number, number[]>>} */
const found = new WeakMap();

/** The steps whose list names a buffer. @param {number[][]} lists @param {number} buffer */
function stepsWith(lists, buffer) {
  let steps = found.get(lists);
  if (!steps) {
    steps = new Map();
    for (const [step, list] of lists.entries()) {
      for (const one of new Set(list)) {
        const known = steps.get(one);
        if (known) known.push(step);
        else steps.set(one, [step]);
      }
    }
    found.set(lists, steps);
  }
  return steps.get(buffer) ?? [];
}

/** @param {Doc} doc @param {number[]} steps @param {Actions} actions */
function stepLinks(doc, steps, { onStep }) {
  const link = (/** @type {number} */ index) => {
    const step = doc.report.steps[index];
    return h('button', { type: 'button', class: 'ref', onclick: () => onStep(index) }, step ? clean(stepName(step)) : String(index));
  };
  return listed(steps.map(link), steps.length);
}

/** @param {Doc} doc @param {number[]} buffers @param {Actions} actions */
export function bufferLinks(doc, buffers, { onSelect }) {
  const link = (/** @type {number} */ index) => {
    const buffer = doc.report.buffers[index];
    return h('button', {
      type: 'button', class: 'ref', title: buffer ? clean(buffer.name) : '', onclick: () => onSelect(index),
    }, buffer ? swatch(buffer.place === 'arena' ? buffer.role : 'file') : null, buffer?.ref ?? String(index));
  };
  return listed(buffers.slice(0, MAX_LISTED).map(link), buffers.length);
}

/** @param {HTMLElement[]} links @param {number} count */
function listed(links, count) {
  const shown = links.slice(0, MAX_LISTED);
  return h('span', { class: 'refs' }, ...shown, count > shown.length ? `+${count - shown.length}` : null);
}

/** A small sample of a role's colour and pattern. @param {string} role */
export function swatch(role) {
  return h('span', { class: `swatch role-${role}`, 'aria-hidden': 'true' });
}
