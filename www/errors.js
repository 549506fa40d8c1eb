// @ts-check
// Says what went wrong: what, where in the file, what next. The only place where failures are put into words.

import { original } from './core-words.js';
import { h } from './dom.js';
import { clean, grouped, hex } from './format.js';
import { rich } from './rich.js';
import { isEnglish, t } from './texts.js';

/** @typedef {import('./types.d.ts').Failure} Failure */

/**
 * @param {Failure} failure @param {string} name
 * @param {{ back: string | null, onBack: () => void, onOpen: () => void }} ways
 */
export function failureCard(failure, name, { back, onBack, onOpen }) {
  const general = t(`fail.next.${failure.kind}`);
  return h('div', { class: 'card failure', role: 'alert' },
    h('h2', {}, t(`fail.${failure.kind}`, { name: clean(name) })),
    h('p', { class: 'what' }, isEnglish() ? sentence(clean(failure.message)) : original(failure.message)),
    where(failure),
    h('p', { class: 'next' }, rich('fail.next', { hint: failure.hint === null ? general : original(failure.hint) })),
    h('div', { class: 'buttons' },
      h('button', { type: 'button', class: 'primary', onclick: onOpen }, t('fail.open')),
      back === null ? null : h('button', { type: 'button', onclick: onBack }, t('fail.back', { name: clean(back) }))));
}

/** @param {Failure} failure */
function where({ path, offset }) {
  if (path === null && offset === null) return null;
  /** @type {Record<string, string>} */
  const at = offset === null ? {} : { offset: grouped(offset), hex: hex(offset) };
  const text = path === null ? t('fail.at', at)
    : offset === null ? t('fail.where', { path: clean(path) })
      : t('fail.where.at', { path: clean(path), ...at });
  return h('p', { class: 'where' }, text);
}

/** The core's sentences begin small and end without a full stop. @param {string} text */
export function sentence(text) {
  const end = /[.!?。]$/.test(text) ? '' : '.';
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}
