// @ts-check
// What surrounds the selected buffer, why it is alive, and where it lives when it is not in the arena: asked of the core,
// put into words here.

import { Cancelled } from './client.js';
import { bufferLinks, stepLinks } from './details.js';
import { h } from './dom.js';
import { adaptive, both, clean, exact } from './format.js';
import { rich } from './rich.js';
import { hasModel, stepsWords } from './state.js';
import { detailTerm, term } from './terms.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types-explain.d.ts').Surroundings} Surroundings */
/** @typedef {import('./types-explain.d.ts').Neighbour} Neighbour */
/** @typedef {import('./details.js').Actions} Actions */

/** Where the state keeps the answer to each question. */
const PLACES = /** @type {const} */ ({ needs: 'needs', surroundings: 'around', why: 'why' });
/** More neighbours on one side than this are counted. */
const MAX_NEIGHBOURS = 6;

/**
 * Keeps what is known of the selection and of the step up to date. One question at a time: while keys are held, steps pass
 * faster than answers come, and only the last one counts.
 * @param {{ get: () => State, set: (patch: Partial<State>) => void, ask: import('./types-micro.d.ts').Ask }} page
 */
export function createAsking({ get, set, ask }) {
  let isBusy = false;
  /** What was asked last, so that no question is asked twice. @type {{ doc: Doc | null, buffer: number | null, box: number, step: number | null }} */
  let asked = { doc: null, buffer: null, box: -1, step: null };

  /** @returns {Extract<import('./types-micro.d.ts').Question, { what: keyof typeof PLACES }> | null} */
  function next() {
    const { doc, selected, step, phase, stage } = get();
    // While another analysis is made, the core would answer for that one.
    if (!doc || phase !== 'ready' || stage !== null) return null;
    if (asked.doc !== doc) asked = { doc, buffer: null, box: -1, step: null };
    if (asked.step !== step && doc.report.steps.length > 0) {
      asked.step = step;
      return { what: 'needs', step };
    }
    if (selected !== null && asked.buffer !== selected) {
      asked.buffer = selected;
      return { what: 'surroundings', buffer: selected };
    }
    const box = selected === null ? -1 : doc.notes.boxes[selected] ?? -1;
    if (box >= 0 && asked.box !== box) {
      asked.box = box;
      return { what: 'why', box };
    }
    return null;
  }

  async function run() {
    if (isBusy) return;
    isBusy = true;
    for (let question = next(); question; question = next()) {
      const { doc } = get();
      try {
        const answer = JSON.parse(await ask(question));
        // It says of which analysis it is: the next one may have the same step and buffer.
        const value = answer === null ? null : { ...question, ...answer, of: doc };
        if (get().doc === doc) set({ [PLACES[question.what]]: value });
      } catch (error) {
        // Another model came in between, or there is no core yet: what is asked next will tell. A question that ended with
        // its worker is asked again, when this plan stays.
        if (error instanceof Cancelled) asked.doc = null;
      }
    }
    isBusy = false;
  }
  return () => { void run(); };
}

// ── around it ────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Doc} doc @param {Surroundings} around @param {Actions} actions */
export function aroundPart(doc, around, actions) {
  const rows = [
    row('above', sideList(doc, around.above, 'above', actions)),
    row('below', sideList(doc, around.below, 'below', actions)),
    row('gap', h('span', {}, gapWords(around))),
    row('padding', h('span', {}, paddingWords(doc, around))),
    around.over.length === 0 ? [] : row('over', bufferLinks(doc, around.over, actions)),
  ];
  return h('section', { class: 'about around' }, h('h3', {}, t('around.title')), h('dl', {}, ...rows.flat()));
}

/** @param {string} key @param {Node} words */
function row(key, words) {
  return [h('dt', {}, detailTerm(key, t(`around.${key}`))), h('dd', { class: `around-${key}` }, words)];
}

/** @param {Doc} doc @param {Neighbour[]} list @param {'above' | 'below'} side @param {Actions} actions */
function sideList(doc, list, side, actions) {
  const one = (/** @type {Neighbour} */ near) => {
    const who = near.buffer === null ? t(`around.edge.${side}`) : bufferLinks(doc, [near.buffer], actions);
    const words = near.between === 'nothing' ? t('around.touches') : t(`around.${near.between}`, { bytes: both(near.gap) });
    const between = side === 'above' && near.buffer === null && near.between === 'free' ? term('headroom', words) : words;
    const when = list.length < 2 || near.first === null || near.last === null ? null : h('span', { class: 'faint' }, ' ', spanWords(doc, near.first, near.last));
    return h('li', {}, who, ' ', between, when);
  };
  const more = list.length - MAX_NEIGHBOURS;
  return h('ul', { class: 'sides' }, ...list.slice(0, MAX_NEIGHBOURS).map(one), more > 0 ? h('li', { class: 'faint' }, t('around.more', { count: more })) : null);
}

/** Two steps, given by their places, as they are printed. @param {Doc} doc @param {number} from @param {number} to */
export function spanWords(doc, from, to) {
  const [first, last] = [doc.report.steps[from]?.step ?? from, doc.report.steps[to]?.step ?? to];
  return stepsWords(doc, first, last);
}

/** @param {Surroundings} around */
function gapWords({ free_below: below, free_above: above, is_padding: isPadding }) {
  const words = [below > 0 && !isPadding ? t('around.gap.below', { bytes: both(below) }) : null, above > 0 ? t('around.gap.above', { bytes: both(above) }) : null];
  return words.filter((word) => word !== null).join(' ') || t('around.gap.none');
}

/** @param {Doc} doc @param {Surroundings} around */
function paddingWords(doc, { rounding, free_below: below, is_padding: isPadding }) {
  const { alignment } = doc.report.options;
  const words = [rounding > 0 ? t('around.padding.rounding', { bytes: exact(rounding), alignment }) : null, isPadding ? t('around.padding.below', { bytes: exact(below), alignment }) : null];
  return words.filter((word) => word !== null).join(' ') || t('around.padding.none');
}

/** Who uses its bytes at other times: at first a number, then by name. @param {Doc} doc @param {number} count @param {Surroundings | null} around @param {Actions} actions */
export function sharersPart(doc, count, around, actions) {
  if (count === 0) return t('details.shares.none');
  if (!around) return t('details.shares.count', { count });
  return h('span', {}, bufferLinks(doc, around.sharers, actions, around.share_count), ' ', h('span', { class: 'faint' }, t('details.shares.when')));
}

// ── why ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Why a buffer is alive when it is, the first reason first. @param {Doc} doc @param {number} index @param {Surroundings | null} around @param {Actions} actions */
export function whyAlivePart(doc, index, around, actions) {
  const buffer = doc.report.buffers[index];
  if (!buffer || buffer.place === 'none' || buffer.place === 'file') return null;
  const causes = (doc.notes.causes[index] ?? []).map((cause) => causeWords(doc, cause, buffer.role, actions));
  if (hasModel(doc) && around && around.held_for !== null && around.until !== null) {
    causes.push(rich('around.held', { ref: bufferLinks(doc, [around.held_for], actions), op: stepLinks(doc, [around.until], actions) }));
  }
  if (causes.length === 0 && buffer.place === 'arena') causes.push(h('span', {}, t('cause.given')));
  if (causes.length === 0) return null;
  return h('section', { class: 'about' }, h('h3', {}, t('details.whyalive')), h('ul', { class: 'why' }, ...causes.map((words) => h('li', {}, words))));
}

/** Causes that read differently for the two runtimes. */
const BY_RUNTIME = new Set(['graph-input', 'variable', 'constant-folded']);

/** @param {Doc} doc @param {import('./types.d.ts').CauseNote} cause @param {string} role @param {Actions} actions */
function causeWords(doc, { kind, step, buffer }, role, actions) {
  const key = BY_RUNTIME.has(kind) ? `cause.${kind}.${doc.report.options.runtime}` : kind === 'kernel' ? `cause.kernel.${role === 'scratch' ? 'scratch' : 'temporary'}` : `cause.${kind}`;
  return rich(key, { op: step < 0 ? '?' : stepLinks(doc, [step], actions), ref: buffer < 0 ? '?' : bufferLinks(doc, [buffer], actions) });
}

/**
 * Where bytes are that are not in the arena, and why; and what is uncommon about them. Null: in the arena, as usual.
 * @param {Doc} doc @param {number} index
 */
export function whereWords(doc, index) {
  const buffer = doc.report.buffers[index];
  if (!buffer) return null;
  const { runtime } = doc.report.options;
  const { role, place, dtype } = buffer;
  const kinds = new Set((doc.notes.causes[index] ?? []).map(({ kind }) => kind));
  const count = dtype === 'int4' || dtype === 'uint4' ? 2 : dtype === 'int2' ? 4 : 0;
  const words = [
    role === 'variable' ? t(`where.variable.${runtime}`) : placeWords(place, dtype, runtime, kinds),
    doc.notes.sparse.includes(index) ? t('where.sparse') : null,
    count > 0 ? t('where.packed', { count }) : null,
  ];
  return words.filter((word) => word !== null).join(' ') || null;
}

/** @param {string} place @param {string | null} dtype @param {string} runtime @param {Set<string>} kinds */
function placeWords(place, dtype, runtime, kinds) {
  switch (place) {
    case 'heap':
      return t(dtype === 'string' ? 'where.string' : dtype === 'resource' ? 'where.resource' : dtype === 'variant' ? 'where.variant' : 'where.dynamic');
    case 'file': return t(`where.file.${runtime}`);
    case 'persistent': return t(kinds.has('constant-folded') ? 'where.folded' : `where.persistent.${runtime}`);
    case 'external': return t('where.external');
    case 'none': return t(kinds.has('never-used') ? 'where.none' : 'where.empty');
    default: return null;
  }
}

/** A size with its share of the arena. @param {number} bytes @param {number} arena */
export function shareWords(bytes, arena) {
  return t('peak.share', { bytes: adaptive(bytes), percent: arena > 0 ? Math.round((bytes / arena) * 100) : 0 });
}

/** A buffer in few words for announcements. @param {Doc} doc @param {number} index */
export function spoken(doc, index) {
  const buffer = doc.report.buffers[index];
  return buffer ? `${buffer.ref} ${clean(buffer.name)}` : '';
}
