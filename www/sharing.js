// @ts-check
// The dialog that makes a link: what it carries, how long it is, and a file where a link would be too long.

import { showDialog } from './dialogs.js';
import { fill, h } from './dom.js';
import { fileName, save } from './export.js';
import { grouped } from './format.js';
import { linkOf, MAX_LINK } from './share.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */

/** @type {import('./share.js').Names[]} */
const NAMES = ['kept', 'hashed', 'dropped'];

/** @param {State} state @param {(text: string) => void} say */
export function showSharing(state, say) {
  const { doc } = state;
  if (!doc) return;
  const place = h('div', { class: 'link' });
  const make = async (/** @type {import('./share.js').Names} */ names) => {
    const fragment = await linkOf({ plan: doc.plan, step: state.step, mode: state.mode, selected: doc.notes.boxes[state.selected ?? -1] ?? null }, names);
    const link = new URL(fragment, location.href).href;
    const field = h('input', { type: 'text', id: 'link', readonly: true, value: link, 'aria-label': t('share.link'), onfocus: () => field.select() });
    const copy = () => navigator.clipboard.writeText(link).then(() => say(t('share.copied')), () => field.select());
    fill(place, field,
      h('p', { class: link.length > MAX_LINK ? 'unknown' : 'faint' }, t(link.length > MAX_LINK ? 'share.long' : 'share.length', { length: grouped(link.length) })),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'primary', id: 'link-copy', onclick: copy }, t('share.copy')),
        h('button', { type: 'button', id: 'plan-save', onclick: () => save(fileName(doc, 'plan.json'), new Blob([doc.plan], { type: 'application/json' })) }, t('share.file'))));
  };
  const choice = (/** @type {import('./share.js').Names} */ names) => h('label', { class: 'check' },
    h('input', { type: 'radio', name: 'names', value: names, checked: names === 'kept', onchange: () => { void make(names); } }), t(`share.names.${names}`));
  showDialog(t('share.title'), h('p', {}, t('share.lead')), h('fieldset', {}, h('legend', {}, t('share.names')), ...NAMES.map(choice)), place);
  void make('kept');
}
