// @ts-check
// The plan as TFLite-Micro's `PrintMemoryPlan` writes it; and a device's print, or its recording log, laid over ours.

import { original } from './core-words.js';
import { showDialog } from './dialogs.js';
import { fill, h } from './dom.js';
import { save } from './export.js';
import { messageOf } from './faults.js';
import { clean, exact, grouped } from './format.js';
import { rich } from './rich.js';
import { t } from './texts.js';

/** @typedef {import('./types-micro.d.ts').Measured} Measured */
/** @typedef {import('./types-micro.d.ts').PlanBox} PlanBox */
/** @typedef {import('./types.d.ts').Doc} Doc */

const MAX_ROWS = 200;
const MAX_BOXES = 600;

/**
 * @param {import('./types.d.ts').State} state @param {import('./types-micro.d.ts').Ask} ask
 * @param {(text: string) => void} onCopy @param {(buffer: number) => void} onSelect
 */
export function showMeasure({ doc }, ask, onCopy, onSelect) {
  if (!doc) return;
  const pasted = h('textarea', { id: 'measure-text', rows: 5, spellcheck: 'false', placeholder: t('measure.paste') });
  const answer = h('div', { id: 'measure-answer', class: 'stack', role: 'status' });
  const failed = (/** @type {unknown} */ error) =>
    fill(answer, h('p', { class: 'short' }, rich('ask.failed', { message: original(messageOf(error)) })));
  const take = (/** @type {(text: string) => void} */ use) => () => { ask({ what: 'memory-plan' }).then(use, failed); };
  let turn = 0;
  pasted.addEventListener('input', () => {
    const mine = ++turn;
    if (pasted.value.trim() === '') fill(answer);
    else ask({ what: 'measure', text: pasted.value }).then((text) => { if (mine === turn) fill(answer, comparison(JSON.parse(text), doc, onSelect)); }, failed);
  });
  showDialog(t('measure.title'), h('div', { class: 'stack' },
    h('p', {}, t('measure.export')),
    h('div', { class: 'buttons' },
      h('button', { type: 'button', id: 'plan-copy', onclick: take(onCopy) }, t('micro.copy')),
      h('button', { type: 'button', id: 'plan-save', onclick: take((text) => save(`${doc.report.model.name}.plan.txt`, new Blob([text], { type: 'text/plain' }))) }, t('measure.save'))),
    h('label', {}, t('measure.import'), pasted), answer));
  pasted.focus();
}

/** @param {Measured} found @param {Doc} doc @param {(buffer: number) => void} onSelect */
function comparison(found, doc, onSelect) {
  if (found.kind === 'none') return h('p', {}, t('measure.none'));
  const { differences } = found;
  const value = (/** @type {number | null} */ number) => number === null ? '–' : grouped(number);
  const row = (/** @type {import('./types-micro.d.ts').DifferenceNote} */ difference) => h('tr', {},
    h('th', { scope: 'row' }, difference.buffer === null ? clean(difference.what)
      : h('button', { type: 'button', class: 'ref', onclick: () => onSelect(difference.buffer ?? 0) }, clean(difference.what))),
    h('td', { class: 'number' }, value(difference.planned)), h('td', { class: 'number short' }, value(difference.measured)));
  return h('div', { class: 'stack' },
    h('p', { class: differences.length === 0 ? 'fits' : 'short' }, h('b', {}, differences.length === 0 ? t(`measure.${found.kind}.same`, { count: found.lines })
      : t(`measure.${found.kind}.differs`, { count: differences.length, lines: found.lines }))),
    found.kind === 'plan' ? picture(found, doc) : null,
    differences.length === 0 ? null : h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('measure.title') }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', {}, ''), h('th', {}, t('measure.planned')), h('th', {}, t('measure.measured')))),
      h('tbody', {}, ...differences.slice(0, MAX_ROWS).map(row)))),
    differences.length > MAX_ROWS ? h('p', { class: 'faint' }, t('measure.more', { count: differences.length - MAX_ROWS })) : null);
}

/** Planned boxes as outlines, measured ones filled; those that differ stand out. @param {Measured} found @param {Doc} doc */
function picture({ planned, measured }, doc) {
  const all = [...planned, ...measured];
  const width = Math.max(1, ...all.map((box) => box.last + 1));
  const height = Math.max(1, ...all.map((box) => box.offset + box.size));
  const same = (/** @type {PlanBox} */ box) => planned.some((own) => own.id === box.id && own.offset === box.offset && own.size === box.size && own.first === box.first && own.last === box.last);
  const drawing = h('div', { class: 'overlay', role: 'img', 'aria-label': t('measure.picture') });
  const draw = (/** @type {PlanBox} */ box, /** @type {string} */ kind) => {
    const name = box.buffer === null ? `${box.id}` : doc.report.buffers[box.buffer]?.ref ?? `${box.id}`;
    const element = h('div', { class: kind, title: `${name}\n${t('card.offset')} ${grouped(box.offset)}, ${exact(box.size)}` });
    const first = Math.max(0, box.first);
    element.style.left = `${(first / width) * 100}%`;
    element.style.width = `${((Math.max(first, box.last) + 1 - first) / width) * 100}%`;
    element.style.bottom = `${(box.offset / height) * 100}%`;
    element.style.height = `${(box.size / height) * 100}%`;
    drawing.append(element);
  };
  for (const box of measured.slice(0, MAX_BOXES)) draw(box, same(box) ? 'same' : 'differs');
  for (const box of planned.slice(0, MAX_BOXES)) draw(box, 'planned');
  return h('div', {}, drawing, h('p', { class: 'faint' }, t('measure.legend')));
}
