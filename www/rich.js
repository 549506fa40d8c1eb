// @ts-check
// Sentences in which some values are elements: links to operations and buffers.

import { append, h } from './dom.js';
import { t } from './texts.js';

/** @typedef {import('./dom.js').Child} Child */

/**
 * The text of `key` as a span; `{name}` stands for a value, which may be an element or several.
 * @param {string} key @param {Record<string, Child | Child[]>} values
 */
export function rich(key, values) {
  const sentence = h('span', {});
  for (const part of t(key).split(/(\{\w+\})/)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = name !== undefined && name in values ? values[name] : part;
    append(sentence, Array.isArray(value) ? value : [value]);
  }
  return sentence;
}

/** Things one after the other, with the language's separator. @param {Child[]} items @returns {Child[]} */
export function series(items) {
  return items.flatMap((item, index) => (index === 0 ? [item] : [t('rich.and'), item]));
}
