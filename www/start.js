// @ts-check
// What is on the page while no model is: the welcome, the phases of loading, the choice among several, failures.

import { fill, h } from './dom.js';
import { failureCard } from './errors.js';
import { adaptive, clean } from './format.js';
import { t } from './texts.js';
import { welcome } from './welcome.js';

/** @typedef {import('./types.d.ts').State} State */

/** Longer lists end in a count. */
const MAX_CHOICES = 400;

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
