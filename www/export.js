// @ts-check
// Files out of the page: pictures with a caption that says what they show, the report, the table.

import { both, clean } from './format.js';
import { columnOf, hasModel, isMade, overwrittenWords } from './state.js';
import { badge } from './whatif-words.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').View} View */
/** @typedef {import('../pkg/arenascope.js').Chart} Picture */

/** The picture's size in CSS pixels, whatever the window's. */
const WIDTH = 1200;
const BOTH_WIDTH = 1800;
const HEIGHT = 760;

/** What every picture says of itself, beside what the scene knows: arena and peak. @param {Doc} doc @returns {import('../pkg/arenascope.js').CaptionValue} */
export function caption(doc) {
  const { report: { model, options, tool, minimum_arena_bytes: whole }, micro } = doc;
  const isTable = !hasModel(doc) && !isMade(doc);
  const kernels = options.kernels === null ? t('caption.kernels.builtin') : t('caption.kernels', { kernels: options.kernels });
  return {
    model: model.name, sha256: model.sha256, tool,
    runtime: isTable ? '' : [t(`set.runtime.${options.runtime}`), kernels, options.abi].filter(Boolean).join(', '),
    // The offsets of a table may be its own.
    planner: options.planner !== 'runtime' ? t('caption.planner', { planner: options.planner }) : isTable ? '' : t('caption.planner.runtime'),
    height: micro ? t('caption.head') : '',
    notes: [badge(doc), overwrittenWords(doc) ?? '', whole === null ? '' : t('caption.whole', { bytes: both(whole) })].filter(Boolean),
    against: [],
  };
}

/** The picture of what is on screen: one plan, one over another, or both. @param {Picture} picture @param {View} view @param {State} state @returns {string} */
export function svgText(picture, view, { doc, before, comparison, lay, step, selected, picked }) {
  if (!doc) return '';
  const column = columnOf(doc, step);
  const box = selected === null ? -1 : doc.notes.boxes[selected] ?? -1;
  const about = caption(doc);
  if (before && comparison && lay === 'side') {
    const old = selected === null ? picked : comparison.toBefore.get(selected) ?? null;
    const marks = Int32Array.of(column, old === null ? -1 : before.notes.boxes[old] ?? -1, box);
    return picture.both_svg(new Float64Array(view), BOTH_WIDTH, HEIGHT, caption(before), about, marks) ?? '';
  }
  if (before && comparison) about.against = picture.facts_before(caption(before));
  return picture.svg(new Float64Array(view), WIDTH, HEIGHT, about, column < 0 ? undefined : column, box < 0 ? undefined : box);
}

/** The same words as in the picture, as text. @param {Picture} picture @param {State} state */
export function captionText(picture, { doc, before, comparison }) {
  if (!doc) return '';
  const lines = [doc.report.model.name, ...picture.facts(caption(doc))];
  if (before && comparison) lines.push(...picture.facts_before(caption(before)));
  return lines.map(clean).join('\n');
}

/** The picture as pixels: the SVG, drawn by the browser at 1, 2 or 4 times its size.
 * @param {string} svg @param {number} scale @returns {Promise<Blob>} */
export async function pngBlob(svg, scale) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * scale;
    canvas.height = image.naturalHeight * scale;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Lets the browser save a file. @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun when the click returns, but the browser may still be reading.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name without what file systems refuse. @param {string} name @param {string} otherwise */
export function stemOf(name, otherwise) {
  return clean(name).replace(/[/\\:*?"<>|]/g, '_') || otherwise;
}

/** `model.tflite` to `model.tflite.arena.png`, without what file systems refuse. @param {Doc} doc @param {string} extension @param {string} [kind] */
export function fileName(doc, extension, kind = 'arena') {
  return `${stemOf(doc.report.model.name, 'model')}${doc.what_if ? '.what-if' : ''}.${kind}.${extension}`;
}
