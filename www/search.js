// @ts-check
// Finds buffers: by words that must all occur, or by a regular expression between slashes.

import { Expression } from '../pkg/arenascope.js';
import { messageOf } from './faults.js';
import { shapeText } from './format.js';
import { whenIdle } from './store.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {{ fits: (index: number) => boolean, wrong: string | null }} Search */

/** What an expression is looked for in at once, in characters, and how much of one text. */
const [CHUNK, MAX_TEXT] = [32_000, 4_000];

/** Looking takes no longer than this: the page has to answer. */
const MAX_MS = 400;

/** What a search text finds; one that is no regular expression finds nothing and says why.
 * @param {string} text @param {readonly BufferView[]} buffers @returns {Search} */
export function searchIn(text, buffers) {
  const pattern = /^\/(.+?)\/?$/.exec(text.trim())?.[1];
  if (pattern !== undefined) return expressionIn(pattern, buffers);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    fits(index) {
      const buffer = buffers[index];
      if (!buffer || words.length === 0) return buffer !== undefined;
      const all = lowered(buffer);
      return words.every((word) => all.includes(word));
    },
    wrong: null,
  };
}

/** The core looks: its expressions never take longer than the text is long. @param {string} pattern @param {readonly BufferView[]} buffers @returns {Search} */
function expressionIn(pattern, buffers) {
  /** @type {Expression | null} */
  let expression = null;
  try {
    expression = new Expression(pattern);
    const begun = performance.now();
    const found = new Uint8Array(buffers.length);
    for (let from = 0; from < buffers.length;) {
      const texts = [];
      for (let length = 0; from + texts.length < buffers.length && length < CHUNK;) {
        const text = textOf(/** @type {BufferView} */ (buffers[from + texts.length])).slice(0, MAX_TEXT);
        texts.push(text);
        length += text.length;
      }
      found.set(expression.found_in(texts), from);
      from += texts.length;
      if (performance.now() - begun > MAX_MS && from < buffers.length) return { fits: () => false, wrong: t('table.slow') };
    }
    return { fits: (index) => found[index] === 1, wrong: null };
  } catch (error) {
    return { fits: () => false, wrong: t('table.wrong', { message: messageOf(error) }) };
  } finally {
    expression?.free();
  }
}

/** @type {WeakMap<BufferView, string>} */
const texts = new WeakMap();

/** Texts that are made at a time. */
const PREPARED = 1000;

/** What the texts are being made of. @type {readonly BufferView[]} */
let preparing = [];

/** Makes the texts of a new plan while the page is idle, so that the first letter costs no more than the others.
 * @param {readonly BufferView[]} buffers */
export function prepare(buffers) {
  preparing = buffers;
  const some = (/** @type {number} */ from) => {
    if (preparing !== buffers) return;
    for (const buffer of buffers.slice(from, from + PREPARED)) lowered(buffer);
    if (from + PREPARED < buffers.length) whenIdle(() => some(from + PREPARED));
  };
  whenIdle(() => some(0));
}

/** The same text for every letter that is typed. @param {BufferView} buffer */
function lowered(buffer) {
  const known = texts.get(buffer);
  if (known !== undefined) return known;
  const text = textOf(buffer).toLowerCase();
  texts.set(buffer, text);
  return text;
}

/** @param {BufferView} b */
function textOf(b) {
  return `${b.ref} ${b.name} ${b.dtype ?? ''} ${b.role} ${b.place} ${shapeText(b.shape)}`;
}
