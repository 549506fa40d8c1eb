// @ts-check
// Is the file whole, and can it run? What was read, which operations there are, what the runtime lacks, and every remark.

import { closeDialog, showDialog, warningList } from './dialogs.js';
import { h } from './dom.js';
import { both, clean, grouped } from './format.js';
import { hasModel } from './state.js';
import { t } from './texts.js';
import { aloneWords } from './verdict.js';

/** @typedef {import('./types.d.ts').State} State */

/** More kinds of operations than this are counted. */
const MAX_KINDS = 30;

/** @param {State} state */
export function showFile({ doc }) {
  if (!doc) return;
  const { model, micro, options, warnings } = doc.report;
  const rows = [
    ['about.bytes', both(model.bytes)], ['about.hash', model.sha256],
    ['about.holds', t('about.counts', { subgraphs: grouped(model.subgraphs), ops: grouped(model.ops), tensors: grouped(model.tensors) })],
    ['about.ops', opsText(doc)],
  ];
  showDialog(t('about.title', { name: clean(model.name) }), h('div', { id: 'about-file', class: 'stack' },
    h('p', {}, h('b', { class: 'fits' }, t('about.whole'))),
    h('dl', { class: 'keys' }, ...rows.flatMap(([key, value]) => [h('dt', {}, t(key ?? '')), h('dd', {}, value ?? '')])),
    h('p', { id: 'about-runs' }, ...(hasModel(doc) ? runs(options.runtime, micro) : [aloneWords(doc) ?? ''])),
    h('h3', {}, t('warnings.title')),
    warnings.length === 0 ? h('p', { class: 'faint' }, t('about.none')) : warningList(warnings, closeDialog)));
}

/** `3 × CONV_2D, ADD` @param {import('./types.d.ts').Doc} doc */
function opsText({ report }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { op, op_index: index } of report.steps) {
    if (index !== null) counts.set(op, (counts.get(op) ?? 0) + 1);
  }
  const kinds = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const shown = kinds.slice(0, MAX_KINDS).map(([op, count]) => (count === 1 ? clean(op) : `${grouped(count)} × ${clean(op)}`));
  return [...shown, kinds.length > MAX_KINDS ? `+${kinds.length - MAX_KINDS}` : ''].filter(Boolean).join(', ');
}

/** Whether the runtime on screen takes the file. @param {'tflite' | 'tflm'} runtime @param {import('./types.d.ts').Report['micro']} micro */
function runs(runtime, micro) {
  const name = t(`set.runtime.${runtime}`);
  if (micro?.refusal) return [h('b', { class: 'short' }, t(micro.refusal.crashes ? 'micro.crashes' : 'micro.refused')), ' ', clean(micro.refusal.reason)];
  if (micro && micro.missing_ops.length > 0) return [h('b', { class: 'short' }, t('micro.missing', { ops: micro.missing_ops.map(clean).join(', ') }))];
  if (micro && micro.unknown_ops.length > 0) return [t('micro.unknown', { ops: micro.unknown_ops.map(clean).join(', ') })];
  return [h('b', { class: 'fits' }, t('about.runs', { runtime: name })), ' ', t(`about.runs.${runtime}`)];
}
