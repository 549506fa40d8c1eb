// @ts-check
// The page before a model is there: what it is for, what it opens, a tour, samples with a small picture each.

import { h } from './dom.js';
import { t } from './texts.js';

/** One box of a small picture: left, top, width, height, and what it holds. @typedef {[number, number, number, number, 'input' | 'output' | 'tensor']} Mini */

const SVG = 'http://www.w3.org/2000/svg';
const [WIDE, HIGH] = [60, 34];

/** The samples under `www/samples`, made by `cargo xtask samples`, with their plans in small. @type {{ key: string, file: string, mini: Mini[] }[]} */
export const SAMPLES = [
  { key: 'keyword', file: 'keyword_spotting.tflite', mini: [[0, 24, 13, 2, 'input'], [7, 26, 13, 8, 'tensor'], [13, 17, 13, 8, 'tensor'], [20, 26, 13, 8, 'tensor'], [27, 0, 13, 17, 'tensor'], [33, 17, 13, 17, 'tensor'], [40, 16, 13, 1, 'tensor'], [53, 33, 7, 1, 'output']] },
  { key: 'residual', file: 'residual_block.tflite', mini: [[0, 31, 17, 3, 'input'], [9, 0, 34, 11, 'tensor'], [17, 23, 17, 11, 'tensor'], [26, 12, 17, 11, 'tensor'], [34, 23, 17, 11, 'tensor'], [43, 17, 17, 6, 'tensor'], [51, 33, 9, 1, 'output']] },
  { key: 'branches', file: 'four_branches.tflite', mini: [[0, 27, 10, 2, 'input'], [5, 29, 40, 5, 'tensor'], [10, 27, 10, 2, 'tensor'], [15, 5, 40, 5, 'tensor'], [20, 27, 10, 2, 'tensor'], [25, 10, 30, 7, 'tensor'], [30, 27, 10, 2, 'tensor'], [35, 0, 20, 2, 'tensor'], [45, 2, 10, 3, 'tensor'], [50, 17, 10, 17, 'tensor'], [55, 16, 5, 1, 'output']] },
  { key: 'gap', file: 'greedy_gap.tflite', mini: [[0, 22, 36, 12, 'input'], [12, 0, 36, 5, 'tensor'], [24, 5, 24, 6, 'tensor'], [36, 11, 24, 11, 'tensor'], [48, 22, 12, 12, 'output']] },
  { key: 'padding', file: 'odd_sizes.tflite', mini: [[0, 26, 60, 8, 'input'], [0, 11, 40, 8, 'tensor'], [20, 0, 40, 5, 'tensor'], [40, 18, 20, 1, 'output']] },
  { key: 'open', file: 'open_picture.tflite', mini: [[0, 0, 40, 4, 'input'], [20, 4, 40, 30, 'tensor'], [40, 0, 20, 4, 'output']] },
  { key: 'letters', file: 'seven_buffers.csv', mini: [[0, 25, 15, 4, 'tensor'], [8, 28, 15, 6, 'tensor'], [15, 0, 15, 8, 'tensor'], [22, 8, 15, 11, 'tensor'], [30, 4, 15, 4, 'tensor'], [38, 9, 22, 9, 'tensor'], [22, 19, 30, 15, 'tensor']] },
];

/** What can be dropped. */
const KINDS = ['model', 'bundle', 'packed', 'array', 'plan', 'many'];

/** @param {{ onChoose: () => void, onFolder: () => void, onSample: (file: string) => void, onDecode: () => void, onTour: () => void }} actions */
export function welcome({ onChoose, onFolder, onSample, onDecode, onTour }) {
  return h('div', { class: 'welcome' },
    h('div', { class: 'card hero' },
      h('h1', {}, t('start.title')),
      h('p', { class: 'lead' }, t('start.lead')),
      h('div', { class: 'ways' },
        h('button', { type: 'button', class: 'primary', onclick: onChoose }, t('start.choose')),
        h('button', { type: 'button', id: 'start-folder', onclick: onFolder }, t('folder.choose'))),
      h('ul', { class: 'kinds', 'aria-label': t('start.accepts') }, ...KINDS.map((kind) => h('li', {}, t(`start.kind.${kind}`)))),
      h('p', { class: 'private' }, t('start.private'))),
    h('div', { class: 'tourstrip' },
      h('p', {}, h('b', {}, t('start.new')), ' ', h('span', { class: 'faint' }, t('start.new.note'))),
      h('button', { type: 'button', id: 'tour-start', onclick: onTour }, t('tour.start'))),
    h('h2', {}, t('start.samples')),
    h('div', { class: 'samples' }, ...SAMPLES.map(({ key, file, mini }) => h('button', { type: 'button', class: 'sample', onclick: () => onSample(file) },
      picture(mini), h('strong', {}, t(`sample.${key}`)), h('span', {}, t(`sample.${key}.note`)))),
    h('button', { type: 'button', id: 'start-decode', class: 'sample', onclick: onDecode },
      h('code', { class: 'thumb', 'aria-hidden': 'true' }, 'missing: ?'), h('strong', {}, t('start.decode')), h('span', {}, t('start.decode.note')))));
}

/** @param {Mini[]} boxes */
function picture(boxes) {
  const root = document.createElementNS(SVG, 'svg');
  root.setAttribute('viewBox', `0 0 ${WIDE} ${HIGH}`);
  root.setAttribute('class', 'thumb');
  root.setAttribute('aria-hidden', 'true');
  for (const [x, y, width, height, kind] of boxes) {
    const box = document.createElementNS(SVG, 'rect');
    for (const [name, value] of Object.entries({ x: x + 0.4, y: y + 0.4, width: Math.max(0.8, width - 0.8), height: Math.max(0.8, height - 0.8), rx: 0.6, class: kind })) box.setAttribute(name, String(value));
    root.append(box);
  }
  return root;
}
