// @ts-check
// One line above the picture: that it came in a link, what a link does not hold, and which file holds all of it; or why a
// link could not be read.

import { fill, h, refocus } from './dom.js';
import { clean } from './format.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */

/** Enough of a hash to tell two files apart by eye. */
const SHOWN_HASH = 12;

/** @param {HTMLElement} root @param {{ onOpen: () => void, onPatch: (patch: Partial<State>) => void }} actions */
export function createFrom(root, { onOpen, onPatch }) {
  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    if (before && before.link === state.link && before.trouble === state.trouble && before.absent === state.absent && before.before === state.before && before.language === state.language && before.phase === state.phase) return;
    const { link, trouble, absent } = state;
    const isShown = ['ready', 'empty', 'folder'].includes(state.phase) && (link !== null || trouble !== null || absent !== null);
    root.hidden = !isShown;
    if (!isShown) return;
    const focus = document.activeElement?.id;
    fill(root,
      trouble ? line('from-trouble', t(`share.broken.${trouble}`), t(`share.broken.${trouble}.hint`), () => onPatch({ trouble: null })) : null,
      link ? line('from-link', ...words(state, link), () => onPatch({ link: null }), h('button', { type: 'button', id: 'from-open', onclick: onOpen }, t('from.open'))) : null,
      absent ? line('from-absent', ...absentWords(absent), () => onPatch({ absent: null }), h('button', { type: 'button', id: 'from-absent-open', onclick: onOpen }, t('from.open'))) : null);
    refocus(focus);
  };
}

/** @param {State} state @param {import('./types.d.ts').LinkNote} link @returns {[string, string]} */
function words({ doc, before }, { kind, name, sha256, params }) {
  const values = { name: clean(name), sha256: sha256.slice(0, SHOWN_HASH) };
  const beside = params.has('beside') && !before ? ` ${t('from.beside')}` : '';
  if (kind === 'view') return [t('from.view', values), `${t('from.view.note', values)}${beside}`];
  const figures = doc?.notes.source?.set ? ` ${t('from.plan.figures')}` : '';
  return [t('from.plan', values), `${t('from.plan.note', values)}${figures}${beside}`];
}

/** @param {NonNullable<State['absent']>} absent @returns {[string, string]} */
function absentWords({ name, sha256 }) {
  const values = { name: clean(name) || t('from.unnamed.file'), sha256: sha256.slice(0, SHOWN_HASH) };
  return [t('from.absent', values), t('from.absent.note')];
}

/** @param {string} id @param {string} title @param {string} note @param {() => void} onClose @param {HTMLElement} [action] */
function line(id, title, note, onClose, action) {
  return h('p', { id }, h('strong', {}, title), ' ', h('span', {}, note), ' ', action,
    h('button', { type: 'button', id: `${id}-close`, class: 'quiet', title: t('from.close'), 'aria-label': t('from.close'), onclick: onClose }, '×'));
}
