// @ts-check
// The kept plan in a chart of its own beside the one on screen: the same axes, zoom and step, and the same tensor marked.

import { createChart } from './chart.js';
import { how } from './compare-words.js';
import { fill, h } from './dom.js';
import { both, clean } from './format.js';
import { stepName } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types-compare.d.ts').Comparison} Comparison */

/**
 * @param {{ chart: ReturnType<typeof createChart>, get: () => State, set: (patch: Partial<State>) => void, goTo: (step: number) => void, say: (text: string) => void }} page
 */
export function createBeside({ chart, get, set, goTo, say }) {
  const [titleBefore, titleAfter] = [h('div', { class: 'panetitle' }), h('div', { class: 'panetitle', hidden: true })];
  const room = h('div', { class: 'room', role: 'group' });
  const pane = h('div', { class: 'pane', id: 'beside' }, titleBefore, room);
  chart.panes.lastElementChild?.prepend(titleAfter);

  const mirror = createChart(room, mirrored, {
    onView: (view) => set({ view }),
    onPick(buffer, step) {
      const { comparison } = get();
      const to = step === null ? undefined : comparison?.stepToAfter.get(step);
      if (to !== undefined) goTo(to);
      pick(buffer ?? -1, buffer === null ? -1 : comparison?.toAfter.get(buffer) ?? -1);
    },
    onPatch: set,
    onPlay: () => {},
    onHover: (box) => chart.highlight(box === null ? -1 : boxAcross(box, false)),
  }, true);

  /** Selects a tensor in both; one that is gone is selected in the kept plan alone. @param {number} before @param {number} after */
  function pick(before, after) {
    const { before: kept } = get();
    set({ selected: after >= 0 ? after : null, picked: after < 0 && before >= 0 ? before : null });
    const gone = after < 0 && before >= 0 ? kept?.report.buffers[before] : undefined;
    if (gone) say(t('compare.picked.gone', { ref: gone.ref, name: clean(gone.name) }));
  }

  /** The box of the other chart that holds the same tensor; −1: none. @param {number} box @param {boolean} isAfter */
  function boxAcross(box, isAfter) {
    const { doc, before, comparison } = get();
    const [here, there, map] = isAfter ? [doc, before, comparison?.toBefore] : [before, doc, comparison?.toAfter];
    const member = here?.notes.members[box]?.[0];
    const partner = member === undefined ? undefined : map?.get(member);
    return partner === undefined ? -1 : there?.notes.boxes[partner] ?? -1;
  }

  /** @type {{ of: State | null, value: State | null }} */
  let cache = { of: null, value: null };
  /** @type {{ before: Doc | null, comparison: Comparison | null, doc: Doc | null }} */
  let told = { before: null, comparison: null, doc: null };

  /** The state as the chart of the kept plan has to see it. */
  function mirrored() {
    const state = get();
    if (cache.of === state && cache.value) return cache.value;
    const { before, comparison } = state;
    if (before !== told.before || comparison !== told.comparison) told = { before, comparison, doc: before && onClock(before, comparison) };
    const step = comparison?.stepToBefore.get(state.step) ?? -1;
    const selected = state.selected === null ? state.picked : comparison?.toBefore.get(state.selected) ?? null;
    const value = { ...state, doc: told.doc, step, selected, before: null, comparison: null };
    cache = { of: state, value };
    return value;
  }

  /** @type {State | null} */
  let shown = null;
  /** @type {State | null} */
  let last = null;
  return {
    pick,
    /** The box of the kept plan for a box on screen. @param {number} box */
    boxBefore: (box) => boxAcross(box, true),
    /** What the pointer is over in the other chart. @param {number | null} box */
    hover: (box) => mirror.highlight(box === null || !pane.isConnected ? -1 : boxAcross(box, true)),
    /** @param {State} state */
    render(state) {
      const isShown = state.lay === 'side' && state.before !== null && state.comparison !== null && state.phase === 'ready';
      const isOther = state.comparison !== last?.comparison || state.lay !== last?.lay || pane.isConnected !== isShown;
      document.body.dataset.lay = isShown ? 'side' : 'over';
      titleAfter.hidden = !isShown;
      // What is not shown is not in the document either: there is one chart, for readers too.
      if (isShown && !pane.isConnected) chart.panes.prepend(pane);
      else if (!isShown) pane.remove();
      const picture = chart.picture();
      if (isOther) picture?.set_ghosts(state.lay === 'over');
      last = state;
      if (!isShown || !state.doc || !state.before) {
        shown = null;
        return;
      }
      if (isOther) {
        const earlier = picture?.earlier();
        if (earlier) mirror.show(earlier);
        shown = null;
      }
      room.setAttribute('aria-label', t('compare.before'));
      fill(titleBefore, ...title(state.before, 'before'));
      fill(titleAfter, ...title(state.doc, 'after'));
      const now = mirrored();
      mirror.render(now, shown);
      shown = now;
    },
    repaint: () => mirror.repaint(),
  };
}

/** What a picture is of. @param {Doc} doc @param {'before' | 'after'} which */
function title(doc, which) {
  const step = doc.report.steps[doc.notes.peak];
  return [h('b', {}, t(`compare.${which}`)), h('span', {}, clean(doc.report.model.name)), ' · ', h('span', { class: 'faint' }, how(doc)), ' · ',
    h('span', {}, t(doc.micro ? 'compare.title.head' : 'compare.title.arena', { bytes: both(doc.report.arena_bytes) })),
    step && doc.report.peak ? h('span', { class: 'faint' }, ' · ', t('compare.title.peak', { bytes: both(doc.report.peak.live_bytes), op: clean(stepName(step)) })) : null];
}

/** A plan with its steps in the columns of the other chart. @param {Doc} before @param {Comparison | null} comparison @returns {Doc} */
function onClock(before, comparison) {
  const columns = comparison?.columns;
  if (!columns) return before;
  const notes = { ...before.notes, columns: before.notes.columns.map((column) => (column < 0 ? -1 : columns[column] ?? -1)) };
  // Its texts are made when they are asked for, so they are not copied.
  return Object.create(before, { notes: { value: notes } });
}
