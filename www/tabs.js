// @ts-check
// On narrow screens one part at a time: chart, operations, tensors.

import { fill, h } from './dom.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */

/** @type {State['tab'][]} */
const TABS = ['chart', 'ops', 'tensors'];

/** @param {HTMLElement} root @param {(tab: State['tab']) => void} onTab */
export function createTabs(root, onTab) {
  return (/** @type {State} */ state) => {
    const focused = root.contains(document.activeElement);
    const tab = (/** @type {State['tab']} */ name) => h('button', {
      type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(state.tab === name), tabindex: state.tab === name ? 0 : -1,
      'aria-controls': name, onclick: () => onTab(name), onkeydown: (/** @type {KeyboardEvent} */ event) => arrow(event, name, onTab),
    }, t(`tab.${name}`));
    const key = `${state.tab} ${state.language}`;
    if (root.dataset.drawn === key) return;
    root.dataset.drawn = key;
    fill(root, ...TABS.map(tab));
    if (focused) document.getElementById(`tab-${state.tab}`)?.focus();
  };
}

/** @param {KeyboardEvent} event @param {State['tab']} name @param {(tab: State['tab']) => void} onTab */
function arrow(event, name, onTab) {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const next = TABS[TABS.indexOf(name) + by];
  if (by && next) onTab(next);
}
