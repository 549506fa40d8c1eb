// @ts-check
// What is printed: the verdict, the picture, operations and buffers in full, and what it was made with. Lists on the page
// hold only the rows in sight, so paper gets a page of its own, made when it is asked for.

import { codedText, warningWords } from './core-words.js';
import { fill, h } from './dom.js';
import { svgText } from './export.js';
import { arrangeFolder } from './folder-table.js';
import { clean, grouped, offset, shapeText } from './format.js';
import { factsOf } from './html-file.js';
import { isDark, stepName } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */

/** Longer tables are a hundred pages; the CSV has them whole. */
const MAX_ROWS = 2000;
/** A picture of more boxes is printed as pixels. */
const MAX_BOXES = 4000;
/** What the core's pictures are made of, and nothing else gets into the page. */
const SHAPES = new Set(['svg', 'title', 'desc', 'g', 'rect', 'line', 'polyline', 'polygon', 'path', 'circle', 'text', 'tspan']);
const ATTRIBUTES = new Set(['viewBox', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'd', 'dx', 'dy', 'points', 'fill', 'stroke',
  'stroke-width', 'stroke-dasharray', 'opacity', 'fill-opacity', 'stroke-opacity', 'text-anchor', 'font-family', 'font-size', 'font-weight', 'transform', 'role']);

/**
 * @param {HTMLElement} root
 * @param {{ get: () => State, chart: ReturnType<typeof import('./chart.js').createChart> }} context
 */
export function listenForPrint(root, { get, chart }) {
  const show = () => fill(root, ...pageOf(get(), chart));
  const clear = () => fill(root);
  window.addEventListener('beforeprint', show);
  window.addEventListener('afterprint', clear);
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? show() : clear()));
}

/** @param {State} state @param {ReturnType<typeof import('./chart.js').createChart>} chart @returns {import('./dom.js').Child[]} */
function pageOf(state, chart) {
  const { doc, folder } = state;
  if (state.phase === 'folder' && folder) {
    const rows = arrangeFolder({ folder, budget: state.settings.budget, isMicro: folder.settings.runtime === 'tflm' });
    return [h('h1', {}, clean(folder.title) || t('folder.files')), folderTable(rows)];
  }
  if (state.phase !== 'ready' || !doc) return [];
  const facts = factsOf(doc, state).flatMap(([label, text]) => [h('dt', {}, label), h('dd', {}, clean(text))]);
  return [
    h('h1', {}, clean(doc.report.model.name)), h('dl', {}, ...facts), h('figure', {}, pictureOf(state, doc, chart)),
    warnings(doc), operations(doc), buffers(doc, state.hex),
  ];
}

/** The picture on screen, in light colours. @param {State} state @param {Doc} doc @param {ReturnType<typeof import('./chart.js').createChart>} chart */
function pictureOf(state, doc, chart) {
  const picture = chart.picture();
  if (!picture || doc.notes.members.length === 0) return h('p', {}, t('chart.empty'));
  if (doc.notes.members.length > MAX_BOXES) return pixels();
  picture.set_style('light', state.mode, state.gaps, state.bound, state.hex);
  try {
    return nodeOf(new DOMParser().parseFromString(svgText(picture, chart.view(), state), 'image/svg+xml').documentElement);
  } finally {
    if (isDark(state)) chart.repaint();
  }
}

/** A copy of the picture on screen. */
function pixels() {
  const copy = h('canvas', {});
  const base = document.querySelector('canvas.base');
  if (base instanceof HTMLCanvasElement && base.width > 0) {
    copy.width = base.width;
    copy.height = base.height;
    copy.getContext('2d')?.drawImage(base, 0, 0);
  }
  return copy;
}

/** A copy of a picture's node that holds shapes and text only. @param {Element} source @returns {Node} */
function nodeOf(source) {
  if (!SHAPES.has(source.localName)) return document.createTextNode('');
  const copy = document.createElementNS('http://www.w3.org/2000/svg', source.localName);
  for (const { name, value } of source.attributes) {
    if (ATTRIBUTES.has(name)) copy.setAttribute(name, value);
  }
  for (const child of source.childNodes) {
    if (child instanceof Element) copy.append(nodeOf(child));
    else if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) copy.append(child.textContent ?? '');
  }
  return copy;
}

/** @param {Doc} doc */
function warnings({ report }) {
  if (report.warnings.length === 0) return null;
  return h('section', {}, h('h2', {}, t('warnings.title')), h('ul', {}, ...report.warnings.map((one) => h('li', {}, one.ref ? `${one.ref}: ` : '', warningWords(one)))));
}

/** @param {Doc} doc */
function operations({ report }) {
  const rows = report.steps.map((step) => [String(step.step), clean(stepName(step)), grouped(step.live_bytes), step.born.join(' '), step.dies.join(' ')]);
  return table(t('ops.title'), [t('html.step'), t('html.op'), t('html.live'), t('html.born'), t('html.dies')], rows, [2]);
}

/** @param {Doc} doc @param {boolean} hex */
function buffers({ report }, hex) {
  const placed = report.buffers.filter(({ place }) => place !== 'file' && place !== 'none');
  const rows = placed.map((one) => [
    one.ref, clean(one.name), `${one.dtype ?? ''} ${shapeText(one.shape)}`, one.bytes === null ? '?' : grouped(one.bytes), t(`role.${one.role}`), t(`place.${one.place}`),
    one.offset === null ? '–' : offset(one.offset, hex), one.first_step === null ? '–' : `${one.first_step}–${one.last_step}`,
  ]);
  return table(t('table.title'), [t('col.ref'), t('col.name'), t('col.dtype'), t('col.bytes'), t('col.role'), t('col.place'), t('col.offset'), t('details.alive')], rows, [3, 6]);
}

/** @param {import('./folder-types.d.ts').FolderRow[]} rows */
function folderTable(rows) {
  const bytes = (/** @type {number | null | undefined} */ value) => (value === null || value === undefined ? '–' : grouped(value));
  const lines = rows.map(({ path, verdict, failure, bytes: size }) => [
    clean(path), ...[verdict?.set, verdict?.planned, verdict?.bound, verdict?.peak, size].map(bytes), failure ? codedText(`core.${failure.kind}`, failure.message) : verdict?.refused == null ? '' : codedText('core.refused', verdict.refused),
  ]);
  return table('', ['name', 'set', 'planned', 'bound', 'peak', 'bytes', 'remarks'].map((key) => t(`folder.${key}`)), lines, [1, 2, 3, 4, 5]);
}

/** @param {string} title @param {string[]} head @param {string[][]} rows @param {number[]} numbers */
function table(title, head, rows, numbers) {
  const more = rows.length - MAX_ROWS;
  const kind = (/** @type {number} */ column) => (numbers.includes(column) ? 'number' : null);
  return h('section', {},
    title ? h('h2', {}, title) : null,
    h('table', {},
      h('thead', {}, h('tr', {}, ...head.map((text, column) => h('th', { class: kind(column) }, text)))),
      h('tbody', {}, ...rows.slice(0, MAX_ROWS).map((row) => h('tr', {}, ...row.map((text, column) => h('td', { class: kind(column) }, text)))))),
    more > 0 ? h('p', {}, t('print.more', { count: grouped(more) })) : null);
}
