// @ts-check
// The list of operations: live bytes as a bar, the change against the step before, the peak.

import { fill, h } from './dom.js';
import { adaptive, clean, exact, grouped, signed } from './format.js';
import { term } from './terms.js';
import { clock } from './state.js';
import { t } from './texts.js';
import { createVirtualList } from './virtual.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */

const ROW_PX = 40;

/** @param {HTMLElement} root @param {(step: number) => void} onStep */
export function createOps(root, onStep) {
  const count = h('span', { class: 'faint' });
  const title = h('h2', {});
  root.append(h('div', { class: 'head' }, title, count));
  /** @type {State | null} */
  let current = null;

  const list = createVirtualList({
    parent: root, rowHeight: ROW_PX, label: t('ops.title'), role: 'listbox',
    render: (step) => (current?.doc ? row(current.doc, step, current.step, onStep) : h('div')),
  });

  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    current = state;
    if (!state.doc || state.phase !== 'ready') return;
    const fresh = state.doc !== before?.doc || state.language !== before?.language || before?.phase !== 'ready' || state.tab !== before?.tab;
    if (!fresh && state.step === before?.step) return;
    if (fresh) {
      list.scroller.style.setProperty('--digits', `${Math.max(3, String(state.doc.report.steps.length).length)}ch`);
      fill(title, t('ops.title'));
      list.scroller.setAttribute('aria-label', t('ops.title'));
      fill(count, term('step', t('ops.count', { count: grouped(state.doc.report.steps.length) })));
    }
    if (fresh) list.update(state.doc.report.steps.length);
    else list.touch((element, index) => element.setAttribute('aria-selected', String(index === state.step)));
    list.reveal(state.step);
    list.scroller.setAttribute('aria-activedescendant', `op-${state.step}`);
  };
}

/** @param {Doc} doc @param {number} index @param {number} selected @param {(step: number) => void} onStep */
function row(doc, index, selected, onStep) {
  const { steps, peak } = doc.report;
  const step = steps[index];
  if (!step) return h('div');
  const before = index > 0 ? steps[index - 1]?.live_bytes ?? 0 : 0;
  const most = peak?.live_bytes || 1;
  const isPeak = doc.notes.peak === index;
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', String(Math.min(1, step.live_bytes / most)));
  return h('div', {
    id: `op-${index}`, role: 'option', 'aria-selected': String(index === selected), class: ['op', isPeak ? 'peak' : '', clock(doc) === 'scope' ? 'scoped' : ''].filter(Boolean).join(' '),
    onclick: () => onStep(index),
  },
  h('span', { class: 'index' }, step.op_index === null ? '·' : String(step.op_index)),
  h('span', { class: step.subgraph === 0 ? 'name' : 'name inner', title: clean(step.op) }, h('span', {}, clean(step.op)),
    clock(doc) === 'scope' ? h('span', { class: 'scope' }, `\u00a0· ${t('card.scope', { first: step.step })}`) : null),
  h('span', { class: 'bytes', title: exact(step.live_bytes) }, adaptive(step.live_bytes)),
  bar,
  h('span', { class: step.live_bytes > before ? 'delta up' : 'delta' },
    isPeak ? h('b', { class: 'tag' }, t('ops.peak')) : null, index === 0 ? '' : signed(step.live_bytes - before)));
}
