// @ts-check
// Everything about the selected buffer, or about the operation at this step.

import { fill, h } from './dom.js';
import { aroundPart, sharersPart, whereWords, whyAlivePart } from './explain.js';
import { both, clean, exact, grouped, hex, shapeText, signed } from './format.js';
import { movedWords, peakPart, unsharedPart, waitingPart } from './peak.js';
import { clock, hasModel, stepName, stepsWords } from './state.js';
import { detailTerm, term, valueTerm } from './terms.js';
import { whyPart } from './why.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {{ onStep: (step: number) => void, onSelect: (buffer: number | null) => void, onWhatIf?: () => void }} Actions */

/** While steps or tensors pass quickly, every text is shown for so long at least: nobody reads faster, and drawing costs. */
const REST_MS = 90;

/** Longer lists end in a count. */
const MAX_LISTED = 40;

/** @param {HTMLElement} root @param {Actions} actions */
export function createDetails(root, actions) {
  const body = h('div', {});
  const needed = h('div', {});
  // An element of its own, so that it stays open or closed from step to step.
  const unshared = h('details', { class: 'about unshared', open: true, hidden: true });
  root.append(body, unshared);
  /** What is shown, and when it was drawn. @type {State | null} */
  let shown = null;
  let drawn = 0;
  /** @type {number | undefined} */
  let waiting;

  /** @param {State} state */
  function draw(state) {
    const before = shown;
    const { doc } = state;
    if (!doc) return;
    shown = state;
    drawn = performance.now();
    const isNew = !before || before.doc !== doc || before.phase !== state.phase || before.language !== state.language;
    if (isNew) fill(unshared, ...unsharedPart(doc, actions));
    unshared.hidden = state.selected !== null || doc.notes.members.length === 0;
    const needs = state.needs?.of === doc && state.needs.step === state.step ? state.needs : null;
    if (isNew || before.step !== state.step || before.needs !== state.needs) fill(needed, ...neededParts(doc, state.step, needs, actions));
    const same = !isNew && before.step === state.step && before.selected === state.selected && before.why === state.why && before.around === state.around;
    if (same) return;
    const { selected } = state;
    const around = state.around?.of === doc && state.around.buffer === selected ? state.around : null;
    const why = state.why?.of === doc && state.why.box === doc.notes.boxes[selected ?? -1] ? state.why : null;
    fill(body,
      ...(selected === null ? [] : [
        bufferPart(doc, selected, around, actions),
        around ? aroundPart(doc, around, actions) : null,
        whyAlivePart(doc, selected, around, actions),
        why ? whyPart(doc, why, actions) : null,
      ]),
      stepPart(doc, state.step, needed, actions),
      selected === null ? h('p', { class: 'hint faint' }, t('details.hint')) : null);
  }

  return (/** @type {State} */ state) => {
    window.clearTimeout(waiting);
    if (!state.doc || state.phase !== 'ready') {
      shown = null;
      return;
    }
    const isMoved = shown?.doc === state.doc && shown.language === state.language && (shown.step !== state.step || shown.selected !== state.selected);
    const rest = isMoved ? drawn + REST_MS - performance.now() : 0;
    if (rest <= 0) draw(state);
    else waiting = window.setTimeout(draw, rest, state);
  };
}

/** @param {Doc} doc @param {number} index @param {import('./types-explain.d.ts').Surroundings | null} around @param {Actions} actions */
function bufferPart(doc, index, around, actions) {
  const buffer = doc.report.buffers[index];
  if (!buffer) return null;
  const kind = buffer.role === 'temporary' ? 'temporary' : buffer.role === 'scratch' ? 'scratch'
    : buffer.role === 'buffer' ? 'buffer' : 'tensor';
  const isKnown = hasModel(doc);
  const stepsOf = (/** @type {number[][]} */ lists) => (isKnown ? stepsWith(lists, index) : []);
  const made = stepsOf(doc.notes.writes)[0] ?? -1;
  const [readers, used] = [stepsOf(doc.notes.reads), stepsOf(doc.notes.scratch)];
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
      ['held', around && around.rounding > 0 ? exact(around.held) : null],
      ['where', whereWords(doc, index)],
      ['offset', buffer.offset === null ? null : `${grouped(buffer.offset)} (${hex(buffer.offset)})`],
      ['alive', alive(doc, buffer)],
      ['made', made < 0 ? null : stepLinks(doc, [made], actions)],
      ['used', used.length ? stepLinks(doc, used, actions) : null],
      ['read', readers.length ? stepLinks(doc, readers, actions) : used.length || buffer.role === 'output' || !isKnown ? null : t('details.readers.none')],
      ['alias', alias === undefined ? null : bufferLinks(doc, [alias], actions)],
      ['shares', buffer.place !== 'arena' ? null : sharersPart(doc, buffer.share_count, around, actions)],
    ]),
    actions.onWhatIf ? h('button', { type: 'button', id: 'details-whatif', onclick: actions.onWhatIf }, t('details.whatif')) : null);
}

/** @param {Doc} doc @param {number} index @param {HTMLElement} needed @param {Actions} actions */
function stepPart(doc, index, needed, actions) {
  const step = doc.report.steps[index];
  if (!step) return null;
  const scope = step.op_index !== null && clock(doc) === 'scope' ? term('scope', t('details.scope', { scope: step.step })) : null;
  return h('section', { class: 'about step' },
    h('h2', {}, step.op_index === null ? clean(step.op) : t('details.op', { index: step.op_index }), scope === null ? null : ' · ', scope),
    step.op_index === null ? null : h('p', { class: 'title' }, clean(step.op)),
    needed,
    !doc.report.peak || doc.notes.peak === index ? null
      : h('button', { type: 'button', class: 'quiet', onclick: () => actions.onStep(doc.notes.peak) }, t('details.peak.go')));
}

/** What an operation does and needs; what the core is asked for comes a moment later. @param {Doc} doc @param {number} index @param {import('./types-explain.d.ts').Needs | null} needs @param {Actions} actions */
function neededParts(doc, index, needs, actions) {
  const step = doc.report.steps[index];
  if (!step) return [];
  const before = doc.report.steps[index - 1];
  const links = (/** @type {number[] | undefined} */ list) =>
    (list && list.length > 0 ? bufferLinks(doc, list, actions) : t('details.none'));
  const fromRefs = (/** @type {string[]} */ refs) => links(refs.map((reference) => doc.byRef.get(reference) ?? -1).filter((id) => id >= 0));
  const isPeak = doc.notes.peak === index;
  const isKnown = hasModel(doc);
  return [
    isPeak && needs ? peakPart(doc, needs, actions) : null,
    facts([
      ['live', both(step.live_bytes)],
      ['delta', before ? signed(step.live_bytes - before.live_bytes) : null],
      ['moved', needs ? movedWords(needs) : null],
      ['alone', isKnown ? both(doc.notes.alone[index] ?? 0) : null],
      ['waiting', needs && isKnown ? both(needs.waiting) : null],
      ['reads', isKnown ? links(doc.notes.reads[index]) : null],
      ['writes', isKnown ? links(doc.notes.writes[index]) : null],
      ['scratches', isKnown && doc.notes.scratch[index]?.length ? links(doc.notes.scratch[index]) : null],
      ['born', fromRefs(step.born)],
      ['dies', fromRefs(step.dies)],
    ]),
    needs && !isPeak && isKnown ? waitingPart(doc, needs, actions) : null,
  ];
}

/** @param {Doc} doc @param {BufferView} buffer */
function alive(doc, { first_step: first, last_step: last }) {
  if (first === null || last === null) return null;
  return stepsWords(doc, first, last);
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
export function stepsWith(lists, buffer) {
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
export function stepLinks(doc, steps, { onStep }) {
  const link = (/** @type {number} */ index) => {
    const step = doc.report.steps[index];
    return h('button', { type: 'button', class: 'ref', onclick: () => onStep(index) }, step ? clean(stepName(step)) : String(index));
  };
  return listed(steps.map(link), steps.length);
}

/** @param {Doc} doc @param {number[]} buffers @param {Actions} actions @param {number} [count] of all, when the list is cut already */
export function bufferLinks(doc, buffers, { onSelect }, count = buffers.length) {
  const link = (/** @type {number} */ index) => {
    const buffer = doc.report.buffers[index];
    return h('button', {
      type: 'button', class: 'ref', title: buffer ? clean(buffer.name) : '', onclick: () => onSelect(index),
    }, buffer ? swatch(buffer.place === 'arena' ? buffer.role : 'file') : null, buffer?.ref ?? String(index));
  };
  return listed(buffers.slice(0, MAX_LISTED).map(link), count);
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
