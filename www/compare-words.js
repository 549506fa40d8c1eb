// @ts-check
// The difference between two plans in words, and figure by figure.

import { fill, h } from './dom.js';
import { adaptive, clean, exact, grouped, signed } from './format.js';
import { hasModel } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types-compare.d.ts').Figure} Figure */
/** @typedef {{ onLay: (lay: State['lay']) => void, onSwap: () => void, onEnd: () => void, canSwap: () => boolean }} Actions */

/** Runtime, kernels and planner of a plan, as far as it has them. @param {Doc} doc */
export function how(doc) {
  const { options } = doc.report;
  const runtime = hasModel(doc) ? t(`set.runtime.${options.runtime}`) : t('compare.table');
  return [runtime, options.kernels === null || options.kernels === 'reference' ? null : options.kernels,
    options.planner === 'runtime' ? null : t('caption.planner', { planner: options.planner })].filter(Boolean).join(', ');
}

/** `+4.0 KiB (+12.5 %)` @param {Figure} figure */
function changeWords({ change, percent }) {
  if (change === null) return '';
  return change === 0 || percent === null ? signed(change) : `${signed(change)} (${percentWords(percent)})`;
}

/** `+12.5 %` @param {number} percent */
function percentWords(percent) {
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${grouped(Math.abs(percent))} %`;
}

/** `+4,096 B` @param {number} bytes */
function exactly(bytes) {
  return bytes === 0 ? '±0' : `${bytes > 0 ? '+' : '−'}${exact(Math.abs(bytes))}`;
}

/** @param {Doc} doc */
function peakOf({ report: { peak } }) {
  if (!peak) return '–';
  return peak.op_index === null ? clean(peak.op ?? '') : t('verdict.peak.at', { op: peak.op_index, name: clean(peak.op ?? '') });
}

/** One line below the verdict. @param {State} state @param {Actions} actions */
export function difference({ doc, before, comparison, lay }, actions) {
  if (!doc || !before) return null;
  const tone = (/** @type {number | null | undefined} */ change) => ((change ?? 0) > 0 ? 'up' : (change ?? 0) < 0 ? 'down' : '');
  const figure = (/** @type {Figure['key']} */ key) => comparison?.figures.find((one) => one.key === key);
  const [set, peak, bound] = [figure('set'), figure('peak'), figure('bound')];
  const view = (/** @type {State['lay']} */ name) => h('button', { type: 'button', class: 'chip', id: `lay-${name}`, 'aria-pressed': String(lay === name), onclick: () => actions.onLay(name) }, t(`compare.lay.${name}`));
  return h('div', { class: 'difference' },
    h('span', { class: 'faint' }, t('compare.against', { name: clean(before.report.model.name), how: how(before) })),
    set ? h('b', { class: tone(set.change), title: exactly(set.change ?? 0) }, t('compare.arena', { bytes: changeWords(set) })) : h('span', { class: 'faint' }, t('compare.working')),
    peak && comparison ? h('span', { title: exactly(peak.change ?? 0) }, comparison.peak_moved
      ? t('compare.peak.moved', { bytes: changeWords(peak), from: peakOf(before), to: peakOf(doc) }) : t('compare.peak.same', { bytes: changeWords(peak) })) : null,
    bound?.change ? h('span', { title: exactly(bound.change) }, t('compare.bound', { bytes: changeWords(bound) })) : null,
    comparison ? h('span', { class: 'faint' }, countWords(comparison.counts)) : null,
    h('span', { class: 'group', role: 'group', 'aria-label': t('compare.lay') }, view('over'), view('side')),
    actions.canSwap() ? h('button', { type: 'button', class: 'quiet', id: 'compare-swap', onclick: actions.onSwap }, t('compare.swap')) : null,
    h('button', { type: 'button', class: 'quiet', id: 'compare-end', onclick: actions.onEnd }, t('compare.end')));
}

/** Changes that there are, and always what is added, gone and the same. @param {import('./types-compare.d.ts').Counts} counts */
export function countWords(counts) {
  const { moved, resized, relived, replaced, added, gone, same } = counts;
  const some = [['moved', moved], ['resized', resized], ['relived', relived], ['replaced', replaced]]
    .filter(([kind, count]) => kind === 'moved' || count !== 0);
  const all = [...some, ['added', added], ['gone', gone], ['same', same]];
  return all.map(([kind, count]) => t(`compare.count.${kind}`, { count: grouped(Number(count)) })).join(', ');
}

/** All figures as a table. @param {HTMLElement} root @param {State} state */
export function figureTable(root, { doc, before, comparison }) {
  if (!doc || !before || !comparison) {
    fill(root);
    return;
  }
  const value = (/** @type {number | null} */ bytes) => h('td', {}, bytes === null ? '–' : exact(bytes),
    bytes === null || bytes < 1024 ? null : h('span', { class: 'faint' }, ` ${adaptive(bytes)}`));
  const row = (/** @type {Figure} */ figure) => h('tr', { 'data-figure': figure.key },
    h('th', { scope: 'row' }, t(`compare.figure.${figure.key}`)), value(figure.before), value(figure.after),
    h('td', { class: (figure.change ?? 0) > 0 ? 'up' : (figure.change ?? 0) < 0 ? 'down' : '' }, figure.change === null ? '–' : exactly(figure.change)),
    h('td', {}, figure.percent === null || figure.change === null ? '–' : figure.change === 0 ? '±0' : percentWords(figure.percent)));
  const head = (/** @type {Doc} */ side, /** @type {string} */ which) => h('th', { scope: 'col' }, h('b', {}, t(`compare.${which}`)),
    h('span', { class: 'faint' }, `${clean(side.report.model.name)} · ${how(side)}`));
  fill(root,
    h('table', { class: 'figures' },
      h('thead', {}, h('tr', {}, h('td', {}), head(before, 'before'), head(doc, 'after'), h('th', { scope: 'col' }, t('compare.change')), h('th', { scope: 'col' }, '%'))),
      h('tbody', {}, ...comparison.figures.map(row),
        h('tr', { 'data-figure': 'at' }, h('th', { scope: 'row' }, t('compare.figure.at')), h('td', {}, peakOf(before)), h('td', {}, peakOf(doc)),
          h('td', {}, t(comparison.peak_moved ? 'compare.peak.elsewhere' : 'compare.peak.there')), h('td', {})))));
}
