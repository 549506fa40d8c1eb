// @ts-check
// The page without a model: what it is, how to begin, samples; and the phases of loading, and failures.

import { fill, h } from './dom.js';
import { failureCard } from './errors.js';
import { adaptive, clean } from './format.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */

/** Longer lists end in a count. */
const MAX_CHOICES = 60;

/** The samples under `www/samples`, made by `cargo xtask samples`. */
export const SAMPLES = [
  { key: 'keyword', file: 'keyword_spotting.tflite' },
  { key: 'residual', file: 'residual_block.tflite' },
  { key: 'branches', file: 'four_branches.tflite' },
  { key: 'gap', file: 'greedy_gap.tflite' },
  { key: 'padding', file: 'odd_sizes.tflite' },
  { key: 'open', file: 'open_picture.tflite' },
  { key: 'letters', file: 'seven_buffers.csv' },
];

/**
 * @param {HTMLElement} root
 * @param {{ onChoose: () => void, onFolder: () => void, onSample: (file: string) => void, onCancel: () => void, onBack: () => void, onDecode: () => void, onInner: (name: string) => void, onTour: () => void }} actions
 */
export function createStart(root, actions) {
  return (/** @type {State} */ state) => {
    root.hidden = state.phase === 'ready' || state.phase === 'folder';
    switch (state.phase) {
      case 'empty':
        fill(root, welcome(actions));
        return;
      case 'loading':
        fill(root, loading(state, actions.onCancel));
        return;
      case 'choosing':
        fill(root, choices(state, actions.onInner, actions.onCancel));
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
      case 'folder':
      case 'ready':
        fill(root);
        return;
      default:
        /** @type {never} */ (state.phase);
    }
  };
}

/** @param {{ onChoose: () => void, onFolder: () => void, onSample: (file: string) => void, onDecode: () => void, onTour: () => void }} actions */
function welcome({ onChoose, onFolder, onSample, onDecode, onTour }) {
  const sample = (/** @type {{ key: string, file: string }} */ { key, file }) =>
    h('button', { type: 'button', class: 'sample', onclick: () => onSample(file) },
      h('strong', {}, t(`sample.${key}`)), h('span', {}, t(`sample.${key}.note`)));
  return h('div', { class: 'card welcome' },
    h('h1', {}, t('start.title')),
    h('p', { class: 'lead' }, t('start.lead')),
    h('div', { class: 'ways' },
      h('button', { type: 'button', class: 'primary', onclick: onChoose }, t('start.choose')),
      h('button', { type: 'button', id: 'start-folder', onclick: onFolder }, t('folder.choose'))),
    h('p', { class: 'faint' }, t('start.accepts')),
    h('p', {}, h('button', { type: 'button', id: 'tour-start', onclick: onTour }, t('tour.start')), ' ', h('span', { class: 'faint' }, t('tour.start.note'))),
    h('h2', {}, t('start.samples')),
    h('div', { class: 'samples' }, ...SAMPLES.map(sample)),
    h('p', { class: 'faint' }, t('start.decode'), ' ', h('button', { type: 'button', id: 'start-decode', class: 'quiet', onclick: onDecode }, t('decode.open'))),
    h('p', { class: 'private' }, t('start.private')));
}

/** @param {State} state @param {(name: string) => void} onInner @param {() => void} onCancel */
function choices({ choices: names, file }, onInner, onCancel) {
  const choice = (/** @type {string} */ name, /** @type {number} */ index) =>
    h('button', { type: 'button', class: 'sample', onclick: () => onInner(`#${index + 1}`) }, h('strong', {}, clean(name) || `#${index + 1}`));
  return h('div', { class: 'card choices' },
    h('h1', {}, t('choose.title', { name: clean(file?.name ?? ''), count: names.length })),
    h('div', { class: 'samples' }, ...names.slice(0, MAX_CHOICES).map(choice)),
    names.length > MAX_CHOICES ? h('p', { class: 'faint' }, t('choose.more', { count: names.length - MAX_CHOICES })) : null,
    h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: onCancel }, t('load.cancel'))));
}

/** @param {State} state @param {() => void} onCancel */
function loading(state, onCancel) {
  const values = { name: clean(state.file?.name ?? ''), size: adaptive(state.file?.bytes ?? 0) };
  return h('div', { class: 'card loading' },
    h('p', { role: 'status' }, t(`load.${state.stage ?? 'reading'}`, values)),
    h('div', { class: 'bar', 'aria-hidden': 'true' }, h('div')),
    h('button', { type: 'button', onclick: onCancel }, t('load.cancel')));
}
