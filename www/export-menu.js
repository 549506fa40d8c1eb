// @ts-check
// The menu of what can be taken away: pictures, reports, files that open again, source for the device.

import { h } from './dom.js';
import { captionText, fileName, pngBlob, save, svgText } from './export.js';
import { messageOf } from './faults.js';
import { pageOf } from './html-file.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./tools.js').Context} Context */

const SCALES = [1, 2, 4];

/** @param {Context} context */
export function exportMenu(context) {
  const menu = h('details', { class: 'menu', id: 'export-menu' }, h('summary', { id: 'export' }, t('tool.export')));
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => Promise<string>} */ run, /** @type {string | null} */ label = null) =>
    h('button', { type: 'button', id: `export-${id}`, 'aria-label': label, title: label, onclick: () => { menu.open = false; void attempt(run, context.say); } }, text);
  const item = (/** @type {string} */ id, /** @type {() => Promise<string>} */ run) =>
    h('li', {}, button(id, t(`export.${id}`), run));
  const scaled = (/** @type {string} */ id, /** @type {(scale: number) => Promise<string>} */ run) => h('li', { class: 'group' },
    h('span', {}, t(`export.${id}`)),
    ...SCALES.map((scale) => button(`${id}-${scale}`, `${scale}×`, () => run(scale), t(`export.${id}.scale`, { scale }))));
  const group = (/** @type {string} */ key, /** @type {import('./dom.js').Child[]} */ ...items) =>
    [h('h3', { id: `export-group-${key}` }, t(`export.group.${key}`)), h('ul', { 'aria-labelledby': `export-group-${key}` }, ...items)];
  const isMicro = context.get().doc?.report.options.runtime === 'tflm' && context.get().doc?.micro !== null;
  menu.append(h('div', { class: 'sheet exports' },
    ...group('picture', scaled('png', (scale) => savePng(context, scale)), scaled('copy', (scale) => copyPng(context, scale)),
      item('svg', async () => saved(context, 'svg', drawn(context).svg, 'image/svg+xml', drawn(context).kind))),
    ...group('report', item('html', () => saveHtml(context)), item('json', async () => saved(context, 'json', docOf(context).json, 'application/json')),
      item('csv', async () => saved(context, 'csv', docOf(context).csv, 'text/csv'))),
    ...group('again', item('plan', async () => saved(context, 'plan.json', docOf(context).plan, 'application/json'))),
    ...group('device', item('cpp', () => answered(context, 'cpp', 'h')),
      isMicro ? item('buffer-plan', () => answered(context, 'buffer-plan', 'plan.h')) : null,
      isMicro ? item('memory-plan', () => answered(context, 'memory-plan', 'plan.txt')) : null,
      context.get().doc?.report.model.subgraphs ? h('li', {}, button('bake', t('export.bake'), () => showBake())) : null)));
  closeOutside(menu);
  return menu;
}

/** Esc closes the menu, and so does going elsewhere. @param {HTMLDetailsElement} menu */
function closeOutside(menu) {
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
  });
}

/** @param {() => Promise<string>} run @param {(text: string) => void} say */
async function attempt(run, say) {
  try {
    say(await run());
  } catch (error) {
    say(t('export.failed', { message: messageOf(error) }));
  }
}

/** @param {Context} context */
function docOf({ get }) {
  const { doc } = get();
  if (!doc) throw new Error(t('export.nothing'));
  return doc;
}

/** @param {Context} context */
function drawn(context) {
  const doc = docOf(context);
  const picture = context.chart.picture();
  if (!picture || doc.notes.members.length === 0) throw new Error(t('export.nothing'));
  const state = context.get();
  return { doc, svg: svgText(picture, context.chart.view(), state), kind: state.comparison ? 'compare' : 'arena', words: captionText(picture, state) };
}

/** @param {Context} context @param {string} extension @param {string} text @param {string} type @param {string} [kind] */
function saved(context, extension, text, type, kind) {
  const name = fileName(docOf(context), extension, kind);
  save(name, new Blob([text], { type }));
  return t('export.done', { name });
}

/** @param {Context} context @param {number} scale */
async function savePng(context, scale) {
  const { doc, svg, kind } = drawn(context);
  const name = fileName(doc, 'png', kind);
  save(name, await pngBlob(svg, scale));
  return t('export.done', { name });
}

/** The blob may come later: the browser wants the copy to begin in the click. @param {Context} context @param {number} scale */
async function copyPng(context, scale) {
  const { svg, words } = drawn(context);
  const text = new Blob([words], { type: 'text/plain' });
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngBlob(svg, scale), 'text/plain': text })]);
  return t('export.copied');
}

/** @param {Context} context */
async function saveHtml(context) {
  const doc = docOf(context);
  const svg = doc.notes.members.length === 0 ? null : drawn(context).svg;
  const text = await context.ask({ what: 'html', page: pageOf(doc, svg, context.get()) });
  return saved(context, 'html', text, 'text/html');
}

/** @param {Context} context @param {'cpp' | 'buffer-plan' | 'memory-plan'} what @param {string} extension */
async function answered(context, what, extension) {
  return saved(context, extension, await context.ask({ what }), 'text/plain');
}

/** The panel that writes a plan into the model's own file. */
async function showBake() {
  const panel = document.getElementById('improve');
  if (panel instanceof HTMLDetailsElement) {
    panel.open = true;
    panel.scrollIntoView({ block: 'start' });
    panel.querySelector('summary')?.focus({ preventScroll: true });
  }
  return t('improve.title');
}
