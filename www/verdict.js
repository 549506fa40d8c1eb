// @ts-check
// The answer in one line: what arena to set, and the figures behind it.

import { difference } from './compare-words.js';
import { fill, h, refocus } from './dom.js';
import { microHint } from './contrast.js';
import { adaptive, both, clean, exact, grouped, percentAbove } from './format.js';
import { sizeToSet } from './micro.js';
import { term } from './terms.js';
import { atWords, changedBeside, clock, hasModel, isHeadAlone, isMade, overwrittenWords, stepName } from './state.js';
import { plural, t } from './texts.js';
import { madeWhatIf, whatIfVerdict } from './whatif-words.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Report} Report */

/** What changes many times a second and is not spoken of here. @type {Set<keyof State>} */
const MOVING = new Set(['around', 'needs', 'filters', 'step', 'view', 'selected', 'picked', 'why', 'moment', 'playing', 'filter', 'sort', 'tab', 'mode', 'gaps', 'bound', 'hex']);

/**
 * @param {HTMLElement} root
 * @param {{ onPeak: () => void, onWarnings: () => void, onCopy: (text: string) => void, compare: import('./compare-words.js').Actions, onMicro: () => void, onContrast: () => void, onDecode: () => void, onWhatIf: () => void }} actions
 */
export function createVerdict(root, actions) {
  /** @type {State | null} */
  let shown = null;
  return (/** @type {State} */ state) => {
    root.hidden = state.phase !== 'ready' || !state.doc;
    if (!state.doc || !changedBeside(MOVING, state, shown)) return;
    shown = state;
    const focus = root.contains(document.activeElement) ? document.activeElement?.id : undefined;
    fill(root, h('div', { class: 'answer' }, headline(state.doc.report, state, actions.onCopy), fit(state.doc, state.settings.budget)), unsound(state.doc, actions), facts(state.doc, actions), microHint(state, actions),
      madeWhatIf(state), whatIfVerdict(state, actions.onWhatIf), difference(state, actions.compare));
    refocus(focus);
  };
}

/** The one number to use, with the margin of this many percent. @param {Report} report @param {import('./types-micro.d.ts').Micro | null} micro @param {number} [margin] */
export function arenaToSet(report, micro, margin = 0) {
  return sizeToSet(micro, margin)?.bytes ?? report.minimum_arena_bytes ?? report.arena_bytes;
}

/** @param {Report} report @param {State} state @param {(text: string) => void} onCopy */
function headline(report, state, onCopy) {
  const bytes = arenaToSet(report, state.doc?.micro ?? null, state.margin);
  if (bytes === 0) {
    return h('div', { class: 'headline' },
      h('span', { class: 'label' }, t('verdict.nothing')), h('p', { class: 'faint' }, t('verdict.nothing.note')));
  }
  const label = state.doc ? labelOf(state.doc) : '';
  return h('div', { class: 'headline' },
    h('span', { class: 'label' }, term(state.doc?.micro ? 'minimum' : 'arena', label)),
    h('button', { type: 'button', class: 'number', title: t('verdict.copy'), onclick: () => onCopy(String(bytes)) },
      grouped(bytes), h('span', { class: 'unit' }, ' B')),
    bytes < 1024 ? null : h('span', { class: 'adaptive' }, adaptive(bytes)));
}

/** What the number is. @param {import('./types.d.ts').Doc} doc */
export function labelOf(doc) {
  if (doc.report.micro?.refusal) return t('verdict.refused');
  if (doc.report.options.runtime !== 'tflm') return t('verdict.arena');
  return t(isHeadAlone(doc) ? 'verdict.head' : 'verdict.set');
}

/** What cannot be told of a plan without its model; `null` when nothing is missing. @param {import('./types.d.ts').Doc} doc */
export function aloneWords(doc) {
  const words = [isMade(doc) ? t('verdict.made', { runtime: t(`set.runtime.${doc.report.options.runtime}`) }) : '', isHeadAlone(doc) ? t('verdict.head.note') : ''];
  return words.filter(Boolean).join(' ') || null;
}

/** A plan that loses what is alive, before its figures are believed. @param {import('./types.d.ts').Doc} doc @param {{ onWarnings: () => void }} actions */
function unsound(doc, { onWarnings }) {
  const words = overwrittenWords(doc);
  return words === null ? null : h('button', { type: 'button', class: 'fit short', id: 'overwritten', onclick: onWarnings }, words);
}

/** Whether it fits the arena the user has. @param {import('./types.d.ts').Doc} doc @param {number | null} budget */
function fit({ report, micro }, budget) {
  if (budget === null || report.micro?.refusal) return null;
  const spare = budget - arenaToSet(report, micro);
  return h('span', { class: spare < 0 ? 'fit short' : 'fit', title: exact(Math.abs(spare)) },
    term('budget', t(spare < 0 ? 'verdict.short' : 'verdict.fits', { budget: adaptive(budget), bytes: adaptive(Math.abs(spare)) })));
}

/** @param {import('./types.d.ts').Doc} doc @param {{ onPeak: () => void, onWarnings: () => void }} actions */
function facts(doc, { onPeak, onWarnings }) {
  const { report } = doc;
  const { arena_bytes: arena, lower_bound_bytes: bound } = report;
  const alone = aloneWords(doc);
  const unknown = report.buffers.filter((buffer) => buffer.bytes === null && buffer.place !== 'none').length;
  const count = report.warnings.length;
  return h('div', { class: 'facts' },
    report.minimum_arena_bytes === null ? null : fact(term('head', t('verdict.planned')), arena),
    report.persistent_bytes > 0 ? fact(term(report.options.runtime === 'tflm' ? 'tail' : 'persistent', t('verdict.tail')), report.persistent_bytes) : null,
    report.heap_bytes ? fact(term('heap', t('verdict.heap')), report.heap_bytes) : null,
    report.used_bytes === null ? null : fact(term('used', t('verdict.used')), report.used_bytes),
    report.stack ? fact(term('stack', t('verdict.stack')), report.stack.arena_bytes, t('verdict.stack.note', { step: report.stack.step })) : null,
    fact(term('bound', t('verdict.bound')), bound, boundWords(doc)),
    report.peak ? h('button', { type: 'button', class: 'fact link', id: 'peak', 'data-term': 'peak', onclick: onPeak, title: `${t('verdict.peak.explain')}: ${exact(report.peak.live_bytes)}` },
      h('span', { class: 'label' }, t('verdict.peak')),
      h('span', { class: 'value' }, adaptive(report.peak.live_bytes)),
      h('span', { class: 'note' }, atWords(report.peak))) : null,
    fact(t('verdict.model'), report.model.bytes,
      t('verdict.model.note', { ops: grouped(report.model.ops), tensors: grouped(report.model.tensors) })),
    unknown > 0 ? h('p', { class: 'unknown' }, term('dynamic', plural('verdict.unknown', unknown))) : null,
    alone === null ? null : h('p', { class: 'fact note', id: 'plan-alone' }, alone),
    report.options.runtime === 'tflite' && hasModel(doc) ? h('p', { class: 'fact note xnnpack' }, t('verdict.xnnpack')) : null,
    count > 0 ? h('button', { type: 'button', class: 'fact link warn', onclick: onWarnings },
      h('span', { class: 'label' }, '⚠'), h('span', { class: 'value' }, plural('verdict.warnings', count))) : null);
}

/** How the plan stands to its lower bound. @param {import('./types.d.ts').Doc} doc */
export function boundWords({ report: { arena_bytes: arena, lower_bound_bytes: bound, optimal }, notes }) {
  if (notes.overwritten) return t('verdict.bound.unsound');
  // Alignment and the lives themselves can keep every plan above the bytes alive at once.
  if (arena > bound && optimal === true) return t('verdict.bound.proven', { arena: adaptive(arena) });
  if (arena > bound && bound > 0) return t('verdict.bound.above', { percent: percentAbove(arena, bound) });
  return optimal === true || (arena === bound && bound > 0) ? t('verdict.bound.met') : null;
}

/** @param {Node | string} label @param {number} bytes @param {string | null} [note] */
function fact(label, bytes, note = null) {
  return h('span', { class: 'fact', title: exact(bytes) },
    h('span', { class: 'label' }, label),
    h('span', { class: 'value' }, adaptive(bytes)),
    note === null ? null : h('span', { class: 'note' }, note));
}

/** One sentence for those who cannot see the picture. @param {import('./types.d.ts').Doc} doc */
export function summary(doc) {
  const { report } = doc;
  const count = doc.notes.members.length;
  if (!report.peak || count === 0) return t('chart.summary.empty');
  const step = report.steps[doc.notes.peak];
  const unsound = overwrittenWords(doc);
  return (unsound === null ? '' : `${unsound} `) + t(clock(doc) === 'scope' ? 'chart.summary.scope' : 'chart.summary', {
    count: grouped(count),
    steps: grouped(report.steps.length),
    arena: both(report.arena_bytes),
    step: report.peak.step,
    op: clean(step ? stepName(step) : report.peak.op ?? ''),
    peak: both(report.peak.live_bytes),
  });
}
