// @ts-check
// Long JSON in pieces: the worker splits what it found, the page joins it, a piece in each of its tasks. Read at once, the
// report of a large model would hold up the page for longer than a few frames.

/** @typedef {import('./types.d.ts').Part} Part */

/** So many rows of a list are read within a few milliseconds. */
const ROWS = 500;

/** The pieces of a text: first everything but the long lists, then those. @param {Part['of']} of @param {string} text @returns {Generator<Part>} */
export function* partsOf(of, text) {
  const value = JSON.parse(text);
  /** @type {[string, unknown[]][]} */
  const lists = [];
  for (const [key, list] of Object.entries(value ?? {})) {
    if (!Array.isArray(list) || list.length <= ROWS) continue;
    lists.push([key, list]);
    value[key] = [];
  }
  yield { of, key: null, text: JSON.stringify(value) };
  for (const [key, list] of lists) {
    for (let at = 0; at < list.length; at += ROWS) yield { of, key, text: JSON.stringify(list.slice(at, at + ROWS)) };
  }
}

/** Puts pieces together again, in the order in which they were made. */
export function createJoin() {
  /** @type {Record<Part['of'], any>} */
  const joined = { report: null, notes: null, micro: null };
  return {
    joined,
    /** @param {Part} part */
    add({ of, key, text }) {
      const value = JSON.parse(text);
      if (key === null) joined[of] = value;
      else joined[of][key].push(...value);
    },
  };
}
