// @ts-check
// The guided tour: opens samples, moves to what it speaks of, points at it and says it. The reader's model, settings and
// view are kept, and put back at the end.

import { fill, h } from './dom.js';
import { initialState } from './state.js';
import { bringIntoSight } from './spotlight.js';
import { t } from './texts.js';
import { STEPS } from './tour-steps.js';

/** @typedef {import('./types.d.ts').State} State */
/**
 * @typedef {{
 *   store: import('./store.js').Store<State>, chart: ReturnType<typeof import('./chart.js').createChart>,
 *   opening: ReturnType<typeof import('./opening.js').createOpening>, spotlight: ReturnType<typeof import('./spotlight.js').createSpotlight>,
 *   say: (text: string) => void,
 * }} Context
 */

/** Between two corners of the window the card takes the one that hides less; this far from the edges. */
const EDGE_PX = 16;
/** As wide as the page's own phone layout. */
const NARROW_PX = 760;

/** @param {Context} context */
export function createTour({ store, chart, opening, spotlight, say }) {
  const { get, set } = store;
  const parts = {
    progress: h('span', { class: 'faint' }), title: h('h2', { id: 'tour-title' }), text: h('p', { id: 'tour-text' }), task: h('p', { class: 'task' }),
    end: h('button', { type: 'button', id: 'tour-end', class: 'quiet', onclick: () => { void end(); } }, '×'),
    back: h('button', { type: 'button', id: 'tour-back', onclick: () => { void go(at - 1); } }),
    next: h('button', { type: 'button', id: 'tour-next', class: 'primary', onclick: next }),
    bar: h('div', { class: 'bar', 'aria-hidden': 'true' }, h('div')),
  };
  const card = h('section', { id: 'tour', role: 'dialog', 'aria-labelledby': 'tour-title', hidden: true },
    parts.bar, h('div', { class: 'head' }, parts.progress, parts.end), parts.title, parts.text, parts.task,
    h('div', { class: 'buttons' }, parts.back, parts.next));
  document.body.append(card);

  let at = -1;
  /** Grows with each move, so that a slow one does not overtake a later one. */
  let turn = 0;
  /** @type {ReturnType<typeof opening.hold> | null} */
  let held = null;
  /** @type {Record<string, string | number>} */
  let figures = {};
  let isDone = false;
  /** What the reader had is coming back. */
  let isEnding = false;
  /** @type {string | null} */
  let from = null;

  function next() {
    void (at + 1 < STEPS.length ? go(at + 1) : end());
  }

  async function start() {
    if (held) return;
    from = document.activeElement?.id || null;
    held = opening.hold();
    document.documentElement.dataset.tour = 'on';
    await go(0);
    parts.next.focus();
  }

  /** @param {number} index */
  async function go(index) {
    const step = STEPS[index];
    if (!step || !held) return;
    const mine = ++turn;
    at = index;
    const { settings, filters } = initialState();
    spotlight.on(null);
    delete card.dataset.step;
    set({ before: null, comparison: null, picked: null, filters, filter: '', mode: 'role', gaps: true, bound: true, tab: 'chart', margin: 0, moment: null });
    await opening.openForTour(step.sample, { ...settings, ...step.settings });
    const { doc } = get();
    if (mine !== turn || !held || !doc) return;
    set({ selected: null, view: null, step: Math.max(0, doc.notes.peak), moment: null, ...step.view?.(doc) });
    store.flush();
    if (step.panel) openPanel(step.panel);
    figures = step.figures?.(doc, chart) ?? {};
    isDone = false;
    word();
    card.hidden = false;
    await shown(() => step.place(doc, chart) !== null);
    if (mine !== turn || !held) return;
    settle();
    card.dataset.step = step.id;
    say([parts.progress, parts.title, parts.text, parts.task].map((part) => part.textContent).filter(Boolean).join('. '));
  }

  /** Scrolls to the target, rings it, and puts the card where it hides none of it. */
  function settle() {
    const step = STEPS[at];
    if (!step) return;
    const place = () => {
      const { doc } = get();
      return doc && isOf(step, doc) ? step.place(doc, chart) : null;
    };
    const isNarrow = window.innerWidth <= NARROW_PX;
    document.body.style.paddingBottom = isNarrow ? `${card.offsetHeight}px` : '';
    const rect = place();
    if (rect) bringIntoSight(rect, isNarrow ? card.offsetHeight : 0);
    spotlight.on(place);
    corner(isNarrow ? null : place());
  }

  /** @param {DOMRect | null} rect */
  function corner(rect) {
    const { offsetWidth: width, offsetHeight: height } = card;
    const [right, bottom] = [window.innerWidth - width - EDGE_PX, window.innerHeight - height - EDGE_PX];
    const hidden = (/** @type {[number, number]} */ [x, y]) => (rect
      ? Math.max(0, Math.min(x + width, rect.right) - Math.max(x, rect.left)) * Math.max(0, Math.min(y + height, rect.bottom) - Math.max(y, rect.top)) : 0);
    /** @type {[number, number][]} */
    const corners = [[right, bottom], [EDGE_PX, bottom], [right, EDGE_PX], [EDGE_PX, EDGE_PX]];
    const [x, y] = corners.reduce((best, one) => (hidden(one) < hidden(best) ? one : best));
    card.style.left = `${x}px`;
    card.style.top = `${y}px`;
  }

  function word() {
    const step = STEPS[at];
    if (!step) return;
    fill(parts.progress, t('tour.progress', { at: at + 1, count: STEPS.length }));
    fill(parts.title, t(`tour.${step.id}`));
    fill(parts.text, t(`tour.${step.id}.text`, figures));
    parts.task.hidden = !step.done;
    parts.task.classList.toggle('done', isDone);
    if (step.done) fill(parts.task, h('b', {}, isDone ? `✓ ${t('tour.done')}` : t('tour.try')), ' ', t(`tour.${step.id}.task`));
    fill(parts.back, t('tour.back'));
    fill(parts.next, t(at + 1 < STEPS.length ? 'tour.next' : 'tour.finish'));
    parts.end.setAttribute('aria-label', t('tour.end'));
    parts.end.title = t('tour.end');
    if (at === 0 && document.activeElement === parts.back) parts.next.focus();
    parts.back.disabled = at === 0;
    card.style.setProperty('--done', String((at + 1) / STEPS.length));
  }

  /** Away with the card; what was on screen stays. */
  function leave() {
    const was = held;
    if (!was) return null;
    held = null;
    turn += 1;
    at = -1;
    card.hidden = true;
    delete card.dataset.step;
    delete document.documentElement.dataset.tour;
    document.body.style.paddingBottom = '';
    spotlight.on(null);
    set({ settings: was.state.settings });
    if (location.hash === '#tour') history.replaceState(null, '', location.pathname + location.search);
    return was;
  }

  /** The end: what the reader had comes back. */
  async function end() {
    const was = leave();
    if (!was) return;
    isEnding = true;
    try {
      await opening.restore(was);
    } finally {
      isEnding = false;
    }
    store.flush();
    window.scrollTo({ top: 0, behavior: 'instant' });
    (document.getElementById(from ?? '') ?? document.getElementById('tour-start') ?? document.getElementById('open'))?.focus();
    say(t('tour.ended'));
  }

  document.addEventListener('keydown', (event) => {
    if (!held || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const isField = event.target instanceof HTMLElement && event.target.matches('input:not([type=radio], [type=checkbox], [type=range]), select, textarea');
    const act = event.key === 'Escape' ? () => { void end(); }
      : isField || !get().letters ? null
        : event.code === 'KeyN' ? next : event.code === 'KeyB' ? () => { void go(at - 1); } : null;
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }, { capture: true });
  window.addEventListener('resize', () => { if (held) settle(); });

  return {
    start, leave, end,
    /** Whether what is on screen is not the reader's. */
    isOn: () => held !== null || isEnding,
    /** @param {State} state @param {State | null} before */
    render(state, before) {
      if (!held) return;
      const step = STEPS[at];
      const { doc } = state;
      if (step?.done && doc && isOf(step, doc) && !isDone && !card.hidden && card.dataset.step === step.id && step.done(state, doc)) {
        isDone = true;
        word();
        say(t('tour.done'));
      }
      if (before && state.language !== before.language) {
        word();
        settle();
      }
      spotlight.later();
    },
    /** A panel was opened or closed. */
    look() { this.render(get(), get()); },
  };
}

/** Whether the model on screen is that of a step. @param {import('./tour-steps.js').TourStep} step @param {import('./types.d.ts').Doc} doc */
function isOf(step, doc) {
  return doc.report.model.name === step.sample;
}

/** @param {string} id */
function openPanel(id) {
  const panel = document.getElementById(id);
  if (panel instanceof HTMLDetailsElement) panel.open = true;
}

/** Waits until something is there; panels fill themselves a little later. @param {() => boolean} isThere */
async function shown(isThere) {
  const until = performance.now() + 3000;
  while (!isThere() && performance.now() < until) await new Promise((resolve) => { setTimeout(resolve, 30); });
  // The picture is measured after it was laid out.
  await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
}
