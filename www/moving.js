// @ts-check
// Moves the step, the selection and the view: what keys, lists and the chart ask for.

import { clean, adaptive } from './format.js';
import { clock, columnOf, stepName } from './state.js';
import { t } from './texts.js';

/** @typedef {import('../pkg/arenascope.js').Chart} Chart */
/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').View} View */

/** A step lasts this long while playing. */
const PLAY_MS = 350;

/**
 * @param {{ get: () => State, set: (patch: Partial<State>) => void, chart: ReturnType<typeof import('./chart.js').createChart>, say: (text: string) => void }} page
 */
export function createMoving({ get, set, chart, say }) {
  /** @param {number} step */
  function goTo(step) {
    const { doc, view } = get();
    if (!doc) return;
    const last = doc.report.steps.length - 1;
    const to = Math.max(0, Math.min(last, step));
    const column = columnOf(doc, to);
    const picture = chart.picture();
    const moved = view && picture && column >= 0 ? /** @type {View} */ (Array.from(picture.reveal_step(new Float64Array(view), column))) : view;
    set({ step: to, view: moved });
    const at = doc.report.steps[to];
    if (at) say(t(clock(doc) === 'scope' ? 'now.said.scope' : 'now.said', { step: at.step, op: clean(stepName(at)), live: adaptive(at.live_bytes) }));
  }

  function goToPeak() {
    const peak = get().doc?.notes.peak ?? -1;
    if (peak >= 0) goTo(peak);
  }

  /** @type {number | undefined} */
  let player;
  function togglePlay() {
    if (get().playing) {
      stopPlaying();
      return;
    }
    const { doc, step } = get();
    if (!doc) return;
    if (step >= doc.report.steps.length - 1) goTo(0);
    set({ playing: true });
    player = window.setInterval(() => {
      const { doc: current, step: now } = get();
      if (!current || now >= current.report.steps.length - 1) stopPlaying();
      else goTo(now + 1);
    }, PLAY_MS);
  }

  function stopPlaying() {
    window.clearInterval(player);
    if (get().playing) set({ playing: false });
  }

  /** @param {number} selected */
  function selectFromTable(selected) {
    const { doc } = get();
    const buffer = doc?.report.buffers[selected];
    set({ selected });
    const [first = -1, last = -1] = [doc?.notes.first[selected], doc?.notes.last[selected]];
    if (buffer?.place === 'arena' && first >= 0 && (get().step < first || get().step > last)) goTo(first);
    reveal(selected);
  }

  /** Brings a buffer's box into view, if the chart shows only a part. @param {number} buffer */
  function reveal(buffer) {
    const { doc, view } = get();
    const box = doc?.notes.boxes[buffer] ?? -1;
    const picture = chart.picture();
    if (view && picture && box >= 0) set({ view: /** @type {View} */ (Array.from(picture.reveal_box(new Float64Array(view), box))) });
  }

  /** The next box above or below among those alive. @param {boolean} up */
  function neighbour(up) {
    const { doc, step, selected } = get();
    const picture = chart.picture();
    if (!doc || !picture) return;
    const column = columnOf(doc, step);
    if (column < 0) return;
    const box = selected === null ? undefined : doc.notes.boxes[selected];
    const from = box === undefined || box < 0 ? undefined : box;
    const next = up ? picture.above(column, from) : picture.below(column, from);
    const member = next === undefined ? undefined : doc.notes.members[next]?.[0];
    if (member !== undefined) set({ selected: member });
  }

  /** Keys zoom about the step, where it is in sight. @param {Float64Array} view */
  function focusColumn([x0 = 0, x1 = 1]) {
    const { doc, step } = get();
    const column = doc ? columnOf(doc, step) + 0.5 : x0;
    return column >= x0 && column <= x1 ? (column - x0) / (x1 - x0) : 0.5;
  }

  /** @param {(picture: Chart, view: Float64Array) => Float64Array} move */
  function moveView(move) {
    const picture = chart.picture();
    if (picture) set({ view: /** @type {View} */ (Array.from(move(picture, new Float64Array(chart.view())))) });
  }

  return { goTo, goToPeak, togglePlay, stopPlaying, selectFromTable, neighbour, moveView, focusColumn };
}
