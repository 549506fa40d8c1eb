// @ts-check
// Tables that are sorted by a column: the order of their rows, the order after a click, and the headings to click on.

import { h } from './dom.js';

/** @typedef {{ column: string, down: boolean }} Sort */

/** Made once: a comparison that makes its own takes ten times as long. */
const ALPHABET = new Intl.Collator();

/**
 * The rows by what each is sorted by. What is not known stands at the end either way; equals stay as they are.
 * @template T @param {T[]} rows @param {(row: T) => string | number | null} valueOf @param {boolean} down @returns {T[]}
 */
export function sorted(rows, valueOf, down) {
  const direction = down ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: valueOf(row) }));
  keyed.sort(({ value: a }, { value: b }) => {
    if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
    return (typeof a === 'number' && typeof b === 'number' ? a - b : ALPHABET.compare(String(a), String(b))) * direction;
  });
  return keyed.map(({ row }) => row);
}

/** The order after a click on a heading: the other way, or a column's own first. @param {Sort} sort @param {string} column @param {boolean} isDownFirst @returns {Sort} */
export function nextSort(sort, column, isDownFirst) {
  return sort.column === column ? { column, down: !sort.down } : { column, down: isDownFirst };
}

/**
 * A heading to sort by. @param {Sort} sort @param {string} column @param {string} text
 * @param {{ kind: string, onSort: () => void, id?: string, title?: string | null, term?: string | undefined }} how `kind` begins the class of the table's cells
 */
export function sortHeading(sort, column, text, { kind, onSort, id, title, term }) {
  const chosen = sort.column === column;
  return h('span', { class: `cell ${kind}-${column}`, role: 'columnheader', 'aria-sort': chosen ? (sort.down ? 'descending' : 'ascending') : 'none', title },
    h('button', { type: 'button', id, 'data-term': term, onclick: onSort }, text,
      h('span', { class: 'arrow', 'aria-hidden': 'true' }, chosen ? (sort.down ? '↓' : '↑') : '')));
}
