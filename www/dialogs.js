// @ts-check
// The one dialog of the page: a title, something in it, a way out.

import { warningWords } from './core-words.js';
import { byId, fill, h } from './dom.js';
import { hex } from './format.js';
import { t } from './texts.js';

/** @param {string} title @param {...import('./dom.js').Child} content */
export function showDialog(title, ...content) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('dialog'));
  const close = h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close(), title: t('help.close'), 'aria-label': t('help.close') }, '×');
  fill(dialog, h('div', { class: 'head' }, h('h2', { id: 'dialog-title' }, title), close), h('div', { class: 'body' }, ...content));
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  if (!dialog.open) dialog.showModal();
}

/** Closes the dialog, whatever is in it. */
export function closeDialog() {
  /** @type {HTMLDialogElement} */ (byId('dialog')).close();
}

/** @param {import('./types.d.ts').WarningView[]} warnings @param {(reference: string) => void} onRef */
export function warningList(warnings, onRef) {
  return h('ul', { class: 'warnings' }, ...warnings.map((warning) => h('li', {},
    h('code', {}, warning.code), ' ', warningWords(warning),
    warning.byte_offset === null ? null : h('span', { class: 'faint' }, ` (${hex(warning.byte_offset)})`),
    warning.ref === null ? null : [' ', h('button', { type: 'button', class: 'ref', onclick: () => onRef(warning.ref ?? '') }, warning.ref)].at(1))));
}
