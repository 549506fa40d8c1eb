// @ts-check
// Other input dims: a field for each that the model leaves open, any other on request, and the arena over one of them.

import { resize_curve } from '../pkg/arenascope.js';
import { AnalysisFailed, Cancelled } from './client.js';
import { failureLine, original } from './core-words.js';
import { fill, h } from './dom.js';
import { failureAs } from './faults.js';
import { clean, exact, shapeText } from './format.js';
import { panel } from './panels.js';
import { hasModel, isDark } from './state.js';
import { mark } from './terms.js';
import { plural, t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./job-types.d.ts').Input} Input */
/** @typedef {import('./job-types.d.ts').Point} Point */
/**
 * @typedef {{
 *   inputs: Input[] | null, dims: number[][], isAll: boolean, failed: import('./types.d.ts').Failure | null, busy: boolean,
 *   curve: { input: number, axis: number, points: Point[] } | null, done: number | null,
 * }} Work
 */

const CURVE_PX = 560;
/** What a curve of a small dim shows, and the shares of a large one. */
const SMALL = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];
const SHARES = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 1.75, 2];

/** @returns {Work} */
function nothing() {
  return { inputs: null, dims: [], isAll: false, failed: null, busy: false, curve: null, done: null };
}

/** @param {import('./panels.js').PanelContext} context */
export function createResize(context) {
  let work = nothing();
  /** @type {string | null} */
  let url = null;
  /** The curve as it was drawn last. @type {{ of: object, key: string, view: HTMLElement } | null} */
  let shown = null;
  const { root, body, word, draw } = panel('resize', (open) => { if (open && !work.inputs) void look(); }, drawAll);

  /** @param {Partial<Work>} patch */
  function put(patch) {
    Object.assign(work, patch);
    draw();
  }

  /** @param {() => Promise<void>} job */
  async function attempt(job) {
    const mine = work;
    put({ busy: true, failed: null });
    try {
      await job();
    } catch (error) {
      if (mine === work) put({ failed: reason(error) });
    } finally {
      if (mine === work) put({ busy: false, done: null });
    }
  }

  function look() {
    const mine = work;
    return attempt(async () => {
      const { result } = await context.jobs.run({ what: 'inputs' });
      if (mine === work) put({ inputs: result, dims: result.map((/** @type {Input} */ input) => [...input.now]), isAll: !result.some((/** @type {Input} */ input) => input.open.includes(true)) });
    });
  }

  function apply() {
    void attempt(async () => {
      const resize = (work.inputs ?? []).flatMap((input, index) => {
        const dims = work.dims[index] ?? input.file;
        return dims.join() === input.file.join() ? [] : [`${input.tensor}=${dims.join(',')}`];
      });
      await context.jobs.run({ what: 'try', settings: { ...context.get().settings, resize } });
      context.onSettings({ resize });
    });
  }

  /** @param {number} input @param {number} axis */
  function curve(input, axis) {
    const about = work.inputs?.[input];
    const dims = work.dims[input];
    if (!about || !dims) return;
    const mine = work;
    void attempt(async () => {
      const values = valuesAbout(dims[axis] ?? 1);
      const { result } = await context.jobs.run({ what: 'curve', tensor: about.tensor, dims, axis, values }, (done) => { if (mine === work) put({ done }); });
      if (mine === work) put({ curve: { input, axis, points: result } });
    });
  }

  function drawAll() {
    const { inputs, isAll, failed, busy, done } = work;
    const hasOpen = inputs?.some((input) => input.open.includes(true)) ?? false;
    fill(body, h('section', { class: 'inputs' },
      inputs === null ? h('p', { class: 'faint' }, failed ? failureLine(failed) : t('improve.working')) : h('p', { class: 'faint' }, t(hasOpen ? 'resize.open' : 'resize.closed'), ' ', mark('dynamic')),
      ...(inputs ?? []).map((input, index) => inputRow(input, index)),
      hasOpen ? h('label', { class: 'check' }, h('input', { type: 'checkbox', id: 'resize-all', checked: isAll, onchange: () => put({ isAll: !work.isAll }) }), t('resize.all')) : null,
      failed && inputs ? h('p', { class: 'bad', role: 'alert', id: 'resize-failed' }, failureLine(failed)) : null,
      inputs?.length ? h('div', { class: 'buttons' },
        h('button', { type: 'button', id: 'resize-apply', class: 'primary', disabled: busy, onclick: apply }, t('resize.apply')),
        h('button', { type: 'button', id: 'resize-reset', disabled: context.get().settings.resize.length === 0, onclick: () => context.onSettings({ resize: [] }) }, t('resize.reset')),
        busy ? h('progress', { max: 1, value: done, 'aria-label': t('improve.working') }) : null) : null), curveView());
  }

  /** @param {Input} input @param {number} index */
  function inputRow(input, index) {
    const dims = work.dims[index] ?? [];
    const field = (/** @type {number} */ dim, /** @type {number} */ axis) => {
      if (!work.isAll && !input.open[axis]) return h('span', { class: 'dim' }, String(dim));
      const label = t('resize.dim', { axis, name: clean(input.name) });
      const box = h('input', {
        type: 'number', min: 0, step: 1, id: `dim-${index}-${axis}`, value: dim, 'aria-label': label, title: label,
        onchange() {
          const wanted = Number(box.value);
          const isSound = box.value !== '' && Number.isInteger(wanted) && wanted >= 0 && wanted < 2 ** 31;
          box.setAttribute('aria-invalid', String(!isSound));
          if (isSound) dims[axis] = wanted;
        },
        onkeydown(/** @type {KeyboardEvent} */ event) { if (event.key !== 'Enter') return; box.dispatchEvent(new Event('change')); apply(); },
      });
      return h('span', { class: 'dim' }, box, h('button', { type: 'button', class: 'chip', id: `curve-${index}-${axis}`, disabled: work.busy, title: t('resize.curve.title', { axis }), onclick: () => curve(index, axis) }, t('resize.curve')));
    };
    return h('fieldset', {}, h('legend', {}, clean(input.name) || input.tensor, h('span', { class: 'faint' }, ` ${input.tensor}, ${t('resize.file', { shape: shapeText(input.file) })}`)), ...dims.map(field));
  }

  function curveView() {
    const { curve: drawn, inputs, dims } = work;
    const input = drawn ? inputs?.[drawn.input] : null;
    if (!drawn || !input) return null;
    const state = context.get();
    const key = [isDark(state), state.language, state.settings.budget].join();
    if (shown?.of === drawn && shown.key === key) return shown.view;
    if (url) URL.revokeObjectURL(url);
    const { points, axis } = drawn;
    const svg = resize_curve(t('resize.curve.of', { name: clean(input.name) }), t('resize.curve.dim', { axis }), Uint32Array.from(points, (point) => point.value),
      Float64Array.from(points, (point) => point.bytes ?? -1), dims[drawn.input]?.[axis], state.settings.budget ?? undefined, isDark(state) ? 'dark' : 'light', CURVE_PX);
    url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    const failed = points.filter((point) => point.failed !== null);
    const known = points.flatMap((point) => (point.bytes === null ? [] : [`${point.value}: ${exact(point.bytes)}`]));
    const view = h('section', { class: 'curve' }, h('img', { src: url, id: 'resize-curve', alt: known.join('; '), width: CURVE_PX }),
      failed.length ? h('p', { class: 'faint' }, plural('resize.impossible', failed.length), ' ', original(failed[0]?.failed ?? '')) : null);
    shown = { of: drawn, key, view };
    return view;
  }

  return {
    root,
    /** @param {State} state @param {boolean} isOther @param {State | null} before */
    render(state, isOther, before) {
      root.hidden = state.doc?.report.options.runtime !== 'tflite' || state.doc.report.model.tensors === 0 || !hasModel(state.doc);
      const isWorded = state.language !== before?.language;
      if (isWorded) word();
      if (isOther) {
        work = { ...nothing(), isAll: work.isAll };
        if (root.open && !root.hidden) void look();
      } else if (isWorded || state.theme !== before?.theme || state.settings.budget !== before?.settings.budget) draw();
    },
  };
}

/** Values worth a look about the one there is. @param {number} now */
function valuesAbout(now) {
  const values = now <= 8 ? [...SMALL, now] : SHARES.map((share) => Math.max(1, Math.round(now * share)));
  return [...new Set(values.filter((value) => value > 0))].sort((a, b) => a - b);
}

/** @param {unknown} error @returns {import('./types.d.ts').Failure | null} */
function reason(error) {
  if (error instanceof Cancelled) return null;
  return error instanceof AnalysisFailed ? error.failure : failureAs('crash', String(error));
}
