// @ts-check
// What-ifs in words: what was changed, and what came of it.

import { h } from './dom.js';
import { adaptive, clean, exact, grouped } from './format.js';
import { atWords } from './state.js';
import { changesOf, partsOf } from './undo.js';
import { plural, t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').WhatIf} WhatIf */

/** More changes are counted in one line. */
const MAX_NAMED = 3;

/** How many changes the plan on screen was made with. @param {Doc} doc */
export function changeCount({ settings }) {
  return changesOf(settings).length;
}

/** Each change of the plan in words: those that its own file says of it, then those made here. @param {Doc} doc */
export function changeList(doc) {
  return [...madeChanges(doc), ...changesOf(doc.settings)].map((change) => changeWords(doc, change));
}

/** What the plan's own file says that was changed before it was planned. @param {Doc} doc */
function madeChanges({ notes }) {
  return (notes.source?.what_if ?? []).map(partsOf);
}

/** `what-if: 3 changes (t31 conv: 4,096 B; …)`; empty for the file's own plan. @param {Doc} doc */
export function badge(doc) {
  const changes = changeList(doc);
  const shown = changes.slice(0, MAX_NAMED).join('; ');
  return changes.length === 0 ? '' : `${plural('whatif.badge', changes.length)} (${shown}${changes.length > MAX_NAMED ? '; …' : ''})`;
}

/** That the plan was a what-if when it was made, in the verdict. @param {State} state */
export function madeWhatIf({ doc }) {
  const made = doc ? madeChanges(doc) : [];
  if (!doc || made.length === 0) return null;
  const words = made.map((change) => changeWords(doc, change));
  return h('p', { class: 'whatif', id: 'whatif-made', title: words.join('\n') },
    h('span', { class: 'tag' }, t('whatif.tag')), h('b', {}, plural('whatif.made', made.length)),
    h('span', { class: 'note' }, words.slice(0, MAX_NAMED).join('; '), words.length > MAX_NAMED ? '; …' : ''));
}

/** `−41,216 B (−18 %)`. @param {WhatIf} whatIf */
export function differenceWords({ set, now }) {
  const grown = now - set;
  if (grown === 0) return '±0 B';
  const sign = grown > 0 ? '+' : '−';
  const share = set > 0 ? Math.abs(grown / set) * 100 : 0;
  const percent = set > 0 ? ` (${sign}${grouped(share < 10 ? share.toFixed(1) : share.toFixed(0))} %)` : '';
  return `${sign}${grouped(Math.abs(grown))} B${percent}`;
}

/** Where the peak is now, and where it was. @param {Doc} doc @param {WhatIf} whatIf */
export function peakWords({ report }, { peak }) {
  const name = (/** @type {{ op: string | null, op_index: number | null } | null} */ at) => (at ? atWords(at) : t('whatif.nowhere'));
  const [from, to] = [name(peak), name(report.peak)];
  return from === to ? t('whatif.peak.same', { op: to }) : t('whatif.peak.moved', { from, to });
}

/** The changed plan against the file's own, in the verdict. @param {State} state @param {() => void} onOpen */
export function whatIfVerdict({ doc }, onOpen) {
  if (!doc?.what_if) return null;
  const { set, now } = doc.what_if;
  return h('button', { type: 'button', class: `whatif ${now < set ? 'down' : now > set ? 'up' : ''}`, id: 'whatif-badge', title: t('whatif.open'), onclick: onOpen },
    h('span', { class: 'tag' }, t('whatif.tag')),
    h('b', { title: `${exact(set)} → ${exact(now)}` }, plural('whatif.with', changeCount(doc)).replace('{difference}', differenceWords(doc.what_if))),
    h('span', { class: 'note' }, peakWords(doc, doc.what_if)));
}

/** One change in words. @param {Doc} doc @param {ReturnType<typeof changesOf>[number]} change */
export function changeWords(doc, change) {
  switch (change.kind) {
    case 'planner':
    case 'alignment':
      return t(`whatif.change.${change.kind}`, { value: change.value });
    case 'preserve':
      return t('whatif.change.preserve');
    default: {
      const index = doc.byRef.get(change.ref);
      const name = clean((index === undefined ? null : doc.report.buffers[index]?.name) ?? '');
      const value = change.kind === 'bytes' ? exact(Number(change.value)) : change.value;
      return `${clean(change.ref)}${name ? ` ${name}` : ''}: ${t(`whatif.change.${change.kind}`, { value })}`;
    }
  }
}

/** What came of all changes, in a sentence for the panel and for those who listen. @param {Doc} doc */
export function resultWords(doc) {
  if (!doc.what_if) return t('whatif.none');
  const { set, now } = doc.what_if;
  return t('whatif.result', { now: `${adaptive(now)} (${exact(now)})`, set: exact(set), difference: differenceWords(doc.what_if), peak: peakWords(doc, doc.what_if) });
}
