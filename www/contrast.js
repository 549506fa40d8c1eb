// @ts-check
// TFLite beside TFLite-Micro: why the two need different amounts for the same file, with bytes for each reason.

import { original } from './core-words.js';
import { showDialog } from './dialogs.js';
import { h } from './dom.js';
import { messageOf } from './faults.js';
import { both, exact, grouped } from './format.js';
import { rich } from './rich.js';
import { hasModel } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types-micro.d.ts').Contrast} Contrast */
/** @typedef {import('./types-micro.d.ts').Ask} Ask */

/** Models with more operations are not planned twice without being asked. */
const MAX_OPS = 600;

/** Asks for the other runtime's figure, where it costs little. @param {() => State} get @param {Ask} ask @param {Uint8Array} bytes @param {(contrast: Contrast) => void} onKnown */
export async function askContrast(get, ask, bytes, onKnown) {
  const { doc } = get();
  if (!doc || doc.report.options.runtime !== 'tflite' || !hasModel(doc) || doc.report.model.ops === 0 || doc.report.model.ops > MAX_OPS) return;
  try {
    const contrast = JSON.parse(await ask({ what: 'contrast', bytes }));
    if (get().doc === doc) onKnown(contrast);
  } catch {
    // Without this figure the page has one hint less.
  }
}

/**
 * What a microcontroller needs, when the page shows TFLite, and what else there is to ask.
 * @param {State} state @param {{ onMicro: () => void, onContrast: () => void, onDecode: () => void }} actions
 */
export function microHint({ doc, contrast }, { onMicro, onContrast, onDecode }) {
  if (doc?.report.options.runtime !== 'tflite') return null;
  const hint = !contrast || contrast.set === null ? null : h('button', { type: 'button', id: 'to-micro', class: 'fact link', title: exact(contrast.set), onclick: onMicro },
    h('span', { class: 'label' }, t('contrast.hint')),
    h('span', { class: 'value' }, `${grouped(contrast.set)} B`),
    h('span', { class: 'note' }, t('contrast.hint.note')));
  return h('span', { class: 'hints' }, hint,
    h('span', { class: 'actions' },
      !hasModel(doc) || doc.report.model.ops === 0 ? null : h('button', { type: 'button', onclick: onContrast }, t('contrast.open')),
      h('button', { type: 'button', onclick: onDecode }, t('decode.open'))));
}

/** @param {Ask} ask @param {Uint8Array} bytes */
export async function showContrast(ask, bytes) {
  showDialog(t('contrast.title'), h('p', { class: 'faint' }, t('contrast.busy')));
  try {
    showDialog(t('contrast.title'), table(JSON.parse(await ask({ what: 'contrast', bytes }))));
  } catch (error) {
    showDialog(t('contrast.title'), h('p', { class: 'short' }, rich('ask.failed', { message: original(messageOf(error)) })));
  }
}

/** A walk from one figure to the other. @param {Contrast} contrast */
function table({ tflite, tflm, complete, reasons }) {
  let sum = tflite;
  const widest = Math.max(1, ...reasons.map((reason) => Math.abs(reason.bytes)));
  const rows = reasons.map(({ key, kind, bytes }) => {
    sum += bytes;
    const bar = h('i', { class: bytes > 0 ? 'up' : 'down', 'aria-hidden': 'true' });
    bar.style.width = `${(Math.abs(bytes) / widest) * 72}px`;
    return h('tr', {},
      h('th', { scope: 'row' }, rich(`contrast.${key}`, { kind: kind === null ? '' : original(kind) })),
      h('td', { class: 'number' }, `${bytes > 0 ? '+' : '−'}${grouped(Math.abs(bytes))} B`), h('td', {}, bar),
      h('td', { class: 'number faint' }, `${grouped(sum)} B`));
  });
  const total = (/** @type {string} */ words, /** @type {number} */ bytes) =>
    h('tr', { class: 'total' }, h('th', { scope: 'row' }, words), h('td', { class: 'number', colspan: 3 }, both(bytes)));
  return h('div', { class: 'contrast' },
    h('p', {}, t(complete ? 'contrast.lead' : 'contrast.lead.refused')),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('contrast.title') }, h('table', {},
      h('tbody', {}, total(t('contrast.tflite'), tflite), ...rows, total(t(complete ? 'contrast.tflm' : 'contrast.tflm.head'), tflm)))),
    h('p', { class: 'faint' }, t('contrast.sum', { count: reasons.length, bytes: `${tflm >= tflite ? '+' : '−'}${grouped(Math.abs(tflm - tflite))} B` })));
}
