// @ts-check
// The steps of the tour: which sample, what is shown of it, what is pointed at, and the report's own figures for the words.

import { both } from './format.js';
import { placeOf } from './spotlight.js';
import { stepName } from './state.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {ReturnType<typeof import('./chart.js').createChart>} Picture */
/**
 * @typedef {{
 *   id: string, sample: string, settings?: Partial<State['settings']>, panel?: string,
 *   view?: (doc: Doc) => Partial<State>,
 *   place: (doc: Doc, chart: Picture) => DOMRect | null,
 *   figures?: (doc: Doc, chart: Picture) => Record<string, string | number>,
 *   done?: (state: State, doc: Doc) => boolean,
 * }} TourStep
 */

/** @param {Doc} doc @param {string} name */
function named(doc, name) {
  const index = doc.report.buffers.findIndex((buffer) => buffer.name === name);
  const buffer = doc.report.buffers[index];
  if (!buffer) throw new Error(`the sample has no ${name}`);
  return { index, buffer, box: doc.notes.boxes[index] ?? -1, first: doc.notes.first[index] ?? 0, last: doc.notes.last[index] ?? 0 };
}

/** @param {Doc} doc @param {Picture} chart @param {string} name */
function boxPlace(doc, chart, name) {
  const area = chart.picture()?.box_area(named(doc, name).box);
  return area && area.length >= 4 ? chart.place(Array.from(area)) : null;
}

/** @param {Picture} chart @param {string} kind */
function gapPlace(chart, kind) {
  const area = chart.picture()?.largest_gap(kind);
  return area && area.length >= 4 ? chart.place(Array.from(area)) : null;
}

/** @param {Picture} chart @param {string} kind */
function gapBytes(chart, kind) {
  const [, , low = 0, , size = 0] = chart.picture()?.largest_gap(kind) ?? [];
  return { offset: low, size: both(size) };
}

/** @param {Doc} doc @param {number} step */
function opAt(doc, step) {
  const at = doc.report.steps[step];
  return at ? stepName(at) : '';
}

/** @type {TourStep[]} */
export const STEPS = [
  {
    id: 'arena', sample: 'keyword_spotting.tflite',
    place: placeOf('#verdict .headline'),
    figures: ({ report }) => ({ arena: both(report.arena_bytes), model: both(report.model.bytes) }),
  },
  {
    id: 'picture', sample: 'keyword_spotting.tflite',
    view: () => ({ step: 0 }),
    place: (_, chart) => chart.place(chart.view()),
    figures: ({ report }) => ({ steps: report.steps.length }),
    done: (state) => state.step > 0,
  },
  {
    id: 'lifetime', sample: 'residual_block.tflite',
    view: (doc) => ({ step: named(doc, 'stem').first, selected: named(doc, 'stem').index }),
    place: (doc, chart) => boxPlace(doc, chart, 'stem'),
    figures(doc) {
      const { buffer, last } = named(doc, 'stem');
      return { first: buffer.first_step ?? 0, last: buffer.last_step ?? 0, bytes: both(buffer.bytes ?? 0), op: opAt(doc, last) };
    },
    done: (state, doc) => state.step > named(doc, 'stem').last,
  },
  {
    id: 'apart', sample: 'seven_buffers.csv', settings: { planner: 'no-reuse' },
    view: (doc) => ({ step: doc.notes.peak }),
    place: (_, chart) => chart.place(chart.view()),
    figures: ({ report }) => ({ arena: both(report.arena_bytes), peak: both(report.peak?.live_bytes ?? 0), count: report.buffers.length }),
  },
  {
    id: 'sharing', sample: 'seven_buffers.csv',
    view: (doc) => ({ step: named(doc, 'G').first, selected: named(doc, 'G').index }),
    place: (doc, chart) => boxPlace(doc, chart, 'G'),
    figures(doc) {
      const [before, after] = [named(doc, 'B').buffer, named(doc, 'G').buffer];
      return { end: before.last_step ?? 0, begin: after.first_step ?? 0, offset: after.offset ?? 0, arena: both(doc.report.arena_bytes) };
    },
    done: (state, doc) => state.selected !== null && state.selected !== named(doc, 'G').index,
  },
  {
    id: 'peak', sample: 'four_branches.tflite', settings: { runtime: 'tflm' },
    view: () => ({ step: 0 }),
    place: placeOf('#peak'),
    figures: ({ report, notes }) => ({ peak: both(report.peak?.live_bytes ?? 0), op: report.steps[notes.peak]?.op ?? '' }),
    done: (state, doc) => state.step === doc.notes.peak,
  },
  {
    id: 'gap', sample: 'greedy_gap.tflite', settings: { runtime: 'tflm' },
    view: (doc) => ({ step: doc.notes.peak }),
    place: (_, chart) => gapPlace(chart, 'gap'),
    figures: ({ report }, chart) => ({ ...gapBytes(chart, 'gap'), arena: both(report.arena_bytes), bound: both(report.lower_bound_bytes) }),
  },
  {
    id: 'better', sample: 'greedy_gap.tflite', settings: { runtime: 'tflm', planner: 'optimal' },
    view: (doc) => ({ step: doc.notes.peak }),
    place: placeOf('#improve > summary'),
    figures: ({ report }) => ({ arena: both(report.arena_bytes), bound: both(report.lower_bound_bytes) }),
    done: () => document.querySelector('#improve[open]') !== null,
  },
  {
    id: 'alignment', sample: 'odd_sizes.tflite',
    view: () => ({ step: 0 }),
    place: (_, chart) => gapPlace(chart, 'padding'),
    figures(doc, chart) {
      const [low, high] = [named(doc, 'features').buffer, named(doc, 'first').buffer];
      return { alignment: doc.report.options.alignment, bytes: both(low.bytes ?? 0), offset: high.offset ?? 0, padding: gapBytes(chart, 'padding').size };
    },
    done: (state) => state.settings.alignment !== null && state.settings.alignment < 64,
  },
  {
    id: 'dynamic', sample: 'open_picture.tflite', panel: 'resize',
    place: placeOf('#resize fieldset'),
    figures(doc) {
      const { buffer } = named(doc, 'picture');
      return { height: buffer.shape[1] ?? 0, width: buffer.shape[2] ?? 0, arena: both(doc.report.arena_bytes) };
    },
    done: (state) => state.settings.resize.length > 0,
  },
  {
    id: 'ends', sample: 'residual_block.tflite', settings: { runtime: 'tflm' },
    view: (doc) => ({ step: doc.notes.peak }),
    place: placeOf('#micro .whole'),
    figures: ({ micro }) => ({ head: both(micro?.head ?? 0), tail: both(micro?.tail ?? 0), set: both(micro?.margins[0]?.bytes ?? 0) }),
    done: (state) => state.moment !== null,
  },
  { id: 'yours', sample: 'residual_block.tflite', settings: { runtime: 'tflm' }, place: placeOf('#open') },
];
