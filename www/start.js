// @ts-check
// The page without a model: what it is, how to begin, samples; and the phases of loading, and failures.

import { fill, h } from './dom.js';
import { failureCard } from './errors.js';
import { adaptive, clean } from './format.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */

/** The samples under `www/samples`, made by `cargo xtask samples`. */
export const SAMPLES = [
  { key: 'keyword', file: 'keyword_spotting.tflite' },
  { key: 'residual', file: 'residual_block.tflite' },
  { key: 'branches', file: 'four_branches.tflite' },
  { key: 'letters', file: 'seven_buffers.csv' },
];

/**
 * @param {HTMLElement} root
 * @param {{ onChoose: () => void, onSample: (file: string) => void, onCancel: () => void, onBack: () => void, onDecode: () => void }} actions
 */
export function createStart(root, actions) {
  return (/** @type {State} */ state) => {
    root.hidden = state.phase === 'ready';
    switch (state.phase) {
      case 'empty':
        fill(root, welcome(actions));
        return;
      case 'loading':
        fill(root, loading(state, actions.onCancel));
        return;
      case 'failed':
        if (state.failure) {
          fill(root, failureCard(state.failure, state.file?.name ?? '', {
            back: state.doc?.report.model.name ?? null,
            onBack: actions.onBack,
            onOpen: actions.onChoose,
          }));
        }
        return;
      case 'ready':
        fill(root);
        return;
      default:
        /** @type {never} */ (state.phase);
    }
  };
}

/** @param {{ onChoose: () => void, onSample: (file: string) => void, onDecode: () => void }} actions */
function welcome({ onChoose, onSample, onDecode }) {
  const sample = (/** @type {{ key: string, file: string }} */ { key, file }) =>
    h('button', { type: 'button', class: 'sample', onclick: () => onSample(file) },
      h('strong', {}, t(`sample.${key}`)), h('span', {}, t(`sample.${key}.note`)));
  return h('div', { class: 'card welcome' },
    h('h1', {}, t('start.title')),
    h('p', { class: 'lead' }, t('start.lead')),
    h('button', { type: 'button', class: 'primary', onclick: onChoose }, t('start.choose')),
    h('p', { class: 'faint' }, t('start.accepts')),
    h('h2', {}, t('start.samples')),
    h('div', { class: 'samples' }, ...SAMPLES.map(sample)),
    h('p', { class: 'faint' }, t('start.decode'), ' ', h('button', { type: 'button', id: 'start-decode', class: 'quiet', onclick: onDecode }, t('decode.open'))),
    h('p', { class: 'private' }, t('start.private')));
}

/** @param {State} state @param {() => void} onCancel */
function loading(state, onCancel) {
  const values = { name: clean(state.file?.name ?? ''), size: adaptive(state.file?.bytes ?? 0) };
  return h('div', { class: 'card loading' },
    h('p', { role: 'status' }, t(`load.${state.stage ?? 'reading'}`, values)),
    h('div', { class: 'bar', 'aria-hidden': 'true' }, h('div')),
    h('button', { type: 'button', onclick: onCancel }, t('load.cancel')));
}
