// @ts-check
// Links to what is on screen: copied at once, or through the dialog that says what a link carries, how long it is, and
// offers a file where a link would be too long.

import { fragmentOf } from './address.js';
import { showDialog } from './dialogs.js';
import { byId, fill, h } from './dom.js';
import { fileName, save } from './export.js';
import { grouped } from './format.js';
import { packedOf } from './links.js';
import { MAX_LINK, planFragment } from './share.js';
import { t } from './texts.js';
import { paramsOf } from './view-params.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./share.js').Names} Names */

/** @type {Names[]} */
const NAMES = ['kept', 'hashed', 'dropped'];
/** How long a short word stays. */
const WORD_MS = 4_000;

/** The link to a state, whatever its length; without a plan when none can be packed. @param {State} state @param {Names} names */
async function linkTo(state, names) {
  const packed = state.doc ? await packedOf(state.doc, names) : null;
  const fragment = packed === null ? fragmentOf(state, null, names) : planFragment(packed, paramsOf(state, names));
  return new URL(fragment, location.href).href;
}

/** Copies the link; when that cannot be done the dialog shows it. @param {State} state @param {(text: string) => void} say @param {() => void} onShare */
export async function copyLink(state, say, onShare) {
  if (!state.doc) return;
  const link = await linkTo(state, state.names);
  if (link.length > MAX_LINK) {
    onShare();
    return;
  }
  try {
    await navigator.clipboard.writeText(link);
    const words = t(`share.copied.${state.names}`, { length: grouped(link.length) });
    say(words);
    show(words);
  } catch {
    onShare();
  }
}

/** A word for a moment, for those who see; others hear it. @param {string} words */
function show(words) {
  const place = byId('word');
  place.textContent = words;
  place.hidden = false;
  setTimeout(() => { if (place.textContent === words) place.hidden = true; }, WORD_MS);
}

/** @param {State} state @param {(text: string) => void} say @param {(names: Names) => void} onNames */
export function showSharing(state, say, onNames) {
  const { doc } = state;
  if (!doc) return;
  const place = h('div', { class: 'link' });
  let turn = 0;
  const make = async (/** @type {Names} */ names) => {
    const mine = ++turn;
    const link = await linkTo(state, names);
    if (mine !== turn) return;
    const field = h('input', { type: 'text', id: 'link', readonly: true, value: link, 'aria-label': t('share.link'), onfocus: () => field.select() });
    const copy = () => navigator.clipboard.writeText(link).then(() => { say(t('share.copied')); fill(copied, t('share.copied')); }, () => field.select());
    const copied = h('span', { class: 'faint', id: 'link-copied' });
    fill(place, field,
      h('p', { id: 'link-length', class: link.length > MAX_LINK ? 'unknown' : 'faint' }, t(link.length > MAX_LINK ? 'share.long' : 'share.length', { length: grouped(link.length) })),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'primary', id: 'link-copy', onclick: copy }, t('share.copy')),
        h('button', { type: 'button', id: 'plan-save', onclick: () => save(fileName(doc, 'plan.json'), new Blob([doc.plan], { type: 'application/json' })) }, t('share.file')), copied));
  };
  const choose = (/** @type {Names} */ names) => {
    onNames(names);
    void make(names);
  };
  const choice = (/** @type {Names} */ names) => h('label', { class: 'check' },
    h('input', { type: 'radio', name: 'names', value: names, checked: names === state.names, onchange: () => choose(names) }), t(`share.names.${names}`));
  showDialog(t('share.title'), h('p', {}, t('share.lead')), h('fieldset', {}, h('legend', {}, t('share.names')), ...NAMES.map(choice)),
    h('p', { class: 'faint' }, t('share.names.note')), place);
  void make(state.names);
}
