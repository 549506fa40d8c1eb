// @ts-check
// The card beside the pointer: what lies there. Everything it says also stands in the details.

import { fill, h } from './dom.js';
import { swatch } from './details.js';
import { both, clean, grouped, hex as asHex, shapeText } from './format.js';
import { stepAt, stepName, stepsWords } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').Doc} Doc */

/** @param {HTMLElement} parent */
export function createCard(parent) {
  const card = h('div', { class: 'hovercard', hidden: true, 'aria-hidden': 'true' });
  parent.appendChild(card);
  return {
    hide() { card.hidden = true; },
    /** @param {Doc} doc @param {NonNullable<import('./chart.js').Hit>} hit @param {{ x: number, y: number }} point @param {boolean} hex */
    show(doc, hit, point, hex) {
      fill(card, ...(hit.kind === 'box' ? boxLines(doc, hit.box, hit.column, hex) : [h('p', {}, t(`card.${hit.text}`)), here(doc, hit.column)]));
      card.hidden = false;
      const { clientWidth: wide, clientHeight: high } = parent;
      const { offsetWidth: w, offsetHeight: height } = card;
      const left = point.x + 16 + w > wide ? point.x - 16 - w : point.x + 16;
      card.style.left = `${Math.max(4, Math.min(wide - w - 4, left))}px`;
      card.style.top = `${Math.max(4, Math.min(high - height - 4, point.y + 16))}px`;
    },
  };
}

/** @param {Doc} doc @param {number} box @param {number} column @param {boolean} hex */
function boxLines(doc, box, column, hex) {
  const members = (doc.notes.members[box] ?? []).map((index) => doc.report.buffers[index]);
  const buffer = members[0];
  if (!buffer) return [];
  const others = members.slice(1).map((member) => member?.ref).join(', ');
  const place = buffer.offset ?? 0;
  const { first_step: first, last_step: last } = buffer;
  return [
    h('p', { class: 'title' }, swatch(buffer.role), h('b', {}, buffer.ref), ' ', clean(buffer.name)),
    h('p', {}, `${shapeText(buffer.shape)} ${buffer.dtype ?? ''} · ${t(`role.${buffer.role}`)}`),
    h('p', {}, both(buffer.bytes ?? 0)),
    h('p', {}, `${t('card.offset')} ${hex ? asHex(place) : grouped(place)} (${hex ? grouped(place) : asHex(place)})`),
    first === null || last === null ? null
      : h('p', {}, `${t('card.alive')}: ${stepsWords(doc, first, last)}`),
    others ? h('p', {}, t('card.shares', { refs: others })) : null,
    here(doc, column),
  ];
}

/** @param {Doc} doc @param {number} column */
function here(doc, column) {
  const index = stepAt(doc, column);
  const step = index === null ? undefined : doc.report.steps[index];
  return step ? h('p', { class: 'faint' }, `${t('card.at')}: ${clean(stepName(step))}`) : null;
}
