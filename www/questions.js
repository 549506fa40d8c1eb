// @ts-check
// What people ask of a model, in their own words: a list that leads to the answer, scrolls there and points at it.

import { showFile } from './about.js';
import { closeDialog, showDialog } from './dialogs.js';
import { h } from './dom.js';
import { adaptive, exact, percentAbove } from './format.js';
import { placeOf, bringIntoSight } from './spotlight.js';
import { hasModel, initialState, stepName } from './state.js';
import { t } from './texts.js';
import { arenaToSet, labelOf } from './verdict.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/**
 * @typedef {{
 *   store: import('./store.js').Store<State>, spotlight: ReturnType<typeof import('./spotlight.js').createSpotlight>, say: (text: string) => void,
 *   changeSettings: (patch: Partial<State['settings']>) => Promise<void>, goToPeak: () => void, selectBuffer: (buffer: number) => void,
 *   beside: (patch: Partial<State['settings']>) => Promise<void>, decode: () => void, contrast: () => void,
 * }} Page
 */
/** `go` leads to the element with the answer; nothing: a dialog answers. `known` is what can be said at once. */
/** @typedef {{ id: string, needsModel?: boolean, known?: (state: State, doc: Doc) => string | null, go: (page: Page, doc: Doc) => Promise<string | null> | string | null }} Question */

/** So long an answer that must be worked out is waited for. */
const PATIENCE_MS = 20_000;
/** So long the page may still grow above an answer. */
const SETTLE_MS = 3000;

/** @type {{ group: string, questions: Question[] }[]} */
export const GROUPS = [
  { group: 'size', questions: [
    { id: 'set', known: sizeKnown, go: (page) => (page.store.get().doc?.micro ? '#verdict .headline' : '#verdict') },
    { id: 'missing', go: (page) => { page.decode(); return null; } },
    { id: 'board', needsModel: true, known: fitKnown, go: toBoard },
    { id: 'fails', needsModel: true, go: async (page) => { await micro(page); return '#micro .words'; } },
    { id: 'memories', needsModel: true, go: async (page) => { await micro(page); return '#micro .apart'; } },
  ] },
  { group: 'why', questions: [
    { id: 'peak', known: peakKnown, go: toPeak },
    { id: 'valid', go: toValid },
    { id: 'state', known: stateKnown, go: (page, doc) => filtered(page, doc, 'variable') },
    { id: 'device', needsModel: true, go: toDevice },
    { id: 'runtimes', needsModel: true, go: (page) => { page.contrast(); return null; } },
  ] },
  { group: 'better', questions: [
    { id: 'shrink', known: boundKnown, go: () => panel('improve', '#improve .advice') },
    { id: 'plan', go: () => panel('improve', '#improve .planners') },
    { id: 'inputs', needsModel: true, go: async (page) => { await tflite(page); return panel('resize', '#resize .inputs'); } },
    { id: 'types', known: floatKnown, go: (page, doc) => filtered(page, doc, 'float') },
    { id: 'whole', needsModel: true, known: remarksKnown, go: (page) => { showFile(page.store.get()); return null; } },
  ] },
];

// ── what is known at once ────────────────────────────────────────────────────────────────────────────────────────

/** @param {State} state @param {Doc} doc */
function sizeKnown({ contrast }, doc) {
  const { report, micro } = doc;
  if (micro) return micro.margins[0] ? exact(micro.margins[0].bytes) : t('ask.refused');
  if (report.options.runtime === 'tflm') return `${labelOf(doc)} ${exact(arenaToSet(report, null))}`;
  const other = contrast?.set ?? null;
  return `TFLite ${exact(report.arena_bytes)}${other === null ? '' : `; TFLite Micro ${exact(other)}`}`;
}

/** @param {State} state @param {Doc} doc */
function fitKnown({ settings }, { micro }) {
  if (settings.budget === null || !micro?.fit) return t('ask.board.choose');
  const { budget, short } = micro.fit;
  return t(short > 0 ? 'ask.board.short' : 'ask.board.fits', { budget: adaptive(budget), bytes: adaptive(short) });
}

/** @param {State} _ @param {Doc} doc */
function peakKnown(_, { report, notes }) {
  const step = report.steps[notes.peak];
  return report.peak && step ? `${adaptive(report.peak.live_bytes)}, ${stepName(step)}` : null;
}

/** @param {State} _ @param {Doc} doc */
function stateKnown(_, { report }) {
  const count = report.buffers.filter((buffer) => buffer.role === 'variable').length;
  return count === 0 ? t('ask.state.none') : t('ask.state.some', { count });
}

/** @param {State} _ @param {Doc} doc */
function boundKnown(_, { report: { arena_bytes: arena, lower_bound_bytes: bound }, notes }) {
  if (notes.overwritten) return t('verdict.bound.unsound');
  return arena > bound && bound > 0 ? t('ask.bound.above', { percent: percentAbove(arena, bound) }) : t('ask.bound.met');
}

/** @param {State} _ @param {Doc} doc */
function floatKnown(_, { report }) {
  return report.buffers.some((buffer) => buffer.place === 'arena' && buffer.dtype?.startsWith('float')) ? null : t('ask.types.none');
}

/** @param {State} _ @param {Doc} doc */
function remarksKnown(_, { report }) {
  return report.warnings.length === 0 ? t('ask.whole.clean') : t('ask.whole.remarks', { count: report.warnings.length });
}

// ── the ways ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Page} page */
async function micro({ store, changeSettings }) {
  if (store.get().settings.runtime !== 'tflm') await changeSettings({ runtime: 'tflm' });
}

/** @param {Page} page */
async function tflite({ store, changeSettings }) {
  if (store.get().settings.runtime !== 'tflite') await changeSettings({ runtime: 'tflite' });
}

/** @param {Page} page */
async function toBoard(page) {
  if (page.store.get().settings.budget === null) return '#board';
  await micro(page);
  return '#micro .board';
}

/** @param {Page} page */
function toPeak(page) {
  page.store.set({ selected: null, tab: 'chart' });
  page.goToPeak();
  return '#details .peaknote';
}

/** The selected tensor, or the largest at the peak. @param {Page} page @param {Doc} doc */
function toValid(page, doc) {
  const { selected } = page.store.get();
  const largest = doc.byRef.get(doc.report.peak?.tensors[0] ?? '');
  page.store.set({ tab: 'chart' });
  if (selected === null && largest !== undefined) page.selectBuffer(largest);
  return '#details .about';
}

/** The device's plan is kept, and the one of a PC laid beside it. @param {Page} page */
async function toDevice(page) {
  await micro(page);
  const { settings } = page.store.get();
  if (settings.abi === 'lp64') await page.changeSettings({ abi: 'ilp32' });
  await page.beside({ abi: 'lp64', kernels: 'reference' });
  return '#verdict .difference';
}

/** The table of those alone; the search says it when there are none. @param {Page} page @param {Doc} doc @param {'variable' | 'float'} what */
function filtered({ store }, { report: { buffers } }, what) {
  const { filters: none } = initialState();
  const types = [...new Set(buffers.flatMap(({ dtype }) => (dtype?.startsWith(what) ? [dtype] : [])))];
  const isState = what === 'variable' && buffers.some(({ role }) => role === what);
  const filters = isState ? { ...none, roles: [what] } : types.length > 0 ? { ...none, types } : none;
  store.set({ filters, filter: filters === none ? what : '', mode: isState ? 'role' : 'type', sort: { column: 'bytes', down: true }, tab: 'tensors' });
  return '#tensors';
}

/** @param {string} id @param {string} place */
function panel(id, place) {
  const found = document.getElementById(id);
  if (found instanceof HTMLDetailsElement) found.open = true;
  return place;
}

// ── the list ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Page} page */
export function createQuestions(page) {
  /** @param {Question} question */
  async function follow(question) {
    closeDialog();
    const { doc } = page.store.get();
    if (!doc) return;
    const selector = await question.go(page, doc);
    if (selector === null) return;
    page.store.flush();
    const found = await awaited(selector);
    if (!found) return;
    keepInSight(selector);
    page.spotlight.flash(placeOf(selector));
    if (found instanceof HTMLElement) {
      if (found.tabIndex < 0) found.tabIndex = -1;
      found.focus({ preventScroll: true });
      page.say(found.innerText.replace(/\s+/g, ' ').slice(0, 240));
    }
  }

  return function show() {
    const state = page.store.get();
    const { doc } = state;
    if (!doc || state.phase !== 'ready') return;
    const isModel = hasModel(doc);
    const item = (/** @type {Question} */ question) => {
      const known = question.known?.(state, doc) ?? null;
      return h('li', {}, h('button', { type: 'button', id: `ask-${question.id}`, onclick: () => { void follow(question); } },
        h('span', {}, t(`ask.${question.id}`)), known === null ? null : h('span', { class: 'faint' }, known)));
    };
    showDialog(t('ask.title'), h('div', { class: 'questions' }, ...GROUPS.map(({ group, questions }) => h('section', {}, h('h3', {}, t(`ask.group.${group}`)),
      h('ul', {}, ...questions.filter(({ needsModel }) => isModel || !needsModel).map(item))))));
    document.querySelector('.questions button')?.closest('button')?.focus();
  };
}

/** Scrolls to an answer, and again while what is above it still grows, until the reader moves. It may be drawn anew meanwhile. @param {string} selector */
function keepInSight(selector) {
  const kinds = ['wheel', 'touchmove', 'keydown', 'pointerdown'];
  const until = performance.now() + SETTLE_MS;
  let seen = NaN;
  const look = () => {
    const rect = document.querySelector(selector)?.getBoundingClientRect();
    const at = rect ? Math.round(rect.top + window.scrollY) : NaN;
    if (performance.now() > until || !rect) stop();
    // Only what moved on the page is followed: a scrolled page is the reader's wish.
    else if (at !== seen) bringIntoSight(rect);
    seen = at;
  };
  const timer = window.setInterval(look, 100);
  const stop = () => {
    window.clearInterval(timer);
    for (const kind of kinds) window.removeEventListener(kind, stop, { capture: true });
  };
  for (const kind of kinds) window.addEventListener(kind, stop, { capture: true, passive: true });
  look();
}

/** Waits until an answer is on the page. @param {string} selector */
async function awaited(selector) {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = document.querySelector(selector);
    if (found && found.getBoundingClientRect().height > 0) return found;
    if (performance.now() > until) return null;
    await new Promise((resolve) => { setTimeout(resolve, 40); });
  }
}
