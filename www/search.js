// @ts-check
// Finds buffers: by words that must all occur, or by a regular expression between slashes.

import { messageOf } from './faults.js';
import { shapeText } from './format.js';

/** @typedef {import('./types.d.ts').BufferView} BufferView */
/** @typedef {{ fits: (buffer: BufferView) => boolean, wrong: string | null }} Search */

/** What a search text means; one that is no regular expression fits nothing and says why. @param {string} text @returns {Search} */
export function searchOf(text) {
  const pattern = /^\/(.+?)\/?$/.exec(text.trim())?.[1];
  if (pattern !== undefined) {
    try {
      const expression = new RegExp(pattern, 'i');
      return { fits: (buffer) => expression.test(textOf(buffer)), wrong: null };
    } catch (error) {
      return { fits: () => false, wrong: messageOf(error) };
    }
  }
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { fits: () => true, wrong: null };
  return {
    fits(buffer) {
      const all = lowered(buffer);
      return words.every((word) => all.includes(word));
    },
    wrong: null,
  };
}

/** @type {WeakMap<BufferView, string>} */
const texts = new WeakMap();

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
