// @ts-check
// Why a buffer lies at its offset: the planner's walk in words.

import { bufferLinks } from './details.js';
import { h } from './dom.js';
import { adaptive, grouped } from './format.js';
import { rich, series } from './rich.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').Why} Why */
/** @typedef {import('./details.js').Actions} Actions */

/** More gaps than this are counted. */
const MAX_GAPS = 12;

/** @param {Doc} doc @param {Why} why @param {Actions} actions */
export function whyPart(doc, why, actions) {
  return h('section', { class: 'about' }, h('h3', {}, t('why.title', { offset: grouped(why.offset) })), ...sentences(doc, why, actions));
}

/** @param {Doc} doc @param {Why} why @param {Actions} actions @returns {HTMLElement[]} */
function sentences(doc, why, actions) {
  const link = (/** @type {number | null} */ box) => {
    const buffer = box === null ? undefined : doc.notes.members[box]?.[0];
    return buffer === undefined ? t('why.bottom') : bufferLinks(doc, [buffer], actions);
  };
  const below = link(why.below);
  switch (why.kind) {
    case 'fixed':
      return [h('p', {}, t('why.fixed'))];
    case 'follows':
      return [h('p', {}, why.below === null ? t('why.first') : rich('why.follows', { below }))];
    case 'rests':
      return [h('p', {}, rich('why.rests', { chain: why.chain.length === 0 ? t('why.bottom') : series(why.chain.map(link)) }))];
    case 'placed':
      return [
        h('p', {}, t('why.turn', { planner: why.planner, turn: grouped(why.turn + 1), turns: grouped(why.turns) }), ' ', t(`why.order.${why.planner}`), ' ', why.gaps.length > 0 ? t('why.meets') : ''),
        h('ol', { class: 'gaps' }, ...why.gaps.slice(0, MAX_GAPS).map((gap, index) => h('li', { class: index === why.taken ? 'taken' : '' },
          rich(gap.end <= gap.start ? 'why.gap.none' : gap.fits ? 'why.gap.fits' : 'why.gap.small', {
            size: adaptive(Math.max(0, gap.end - gap.start)), start: grouped(gap.start), below: link(gap.below), above: link(gap.above),
          }), index === why.taken ? h('b', {}, ' ', t('why.taken')) : null))),
        why.gaps.length > MAX_GAPS ? h('p', { class: 'faint' }, t('why.more', { count: why.gaps.length - MAX_GAPS })) : h('span', {}),
        why.taken === null ? h('p', {}, why.below === null ? t('why.ground') : rich('why.top', { below })) : h('span', {}),
      ];
    default:
      /** @type {never} */ (why.kind);
      return [];
  }
}
