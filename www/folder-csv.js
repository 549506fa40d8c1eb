// @ts-check
// The table of a folder as CSV, for spreadsheets and programs: numbers as they are, names that run nothing.

import { manifestOf } from './manifest.js';

/** @typedef {import('./folder-types.d.ts').Folder} Folder */
/** @typedef {import('./folder-types.d.ts').FolderRow} Row */

const HEAD = ['path', 'bytes', 'runtime', 'arena_to_set', 'minimum_arena', 'planned', 'persistent', 'lower_bound', 'optimal',
  'peak', 'peak_op', 'peak_op_name', 'remarks', 'spare_of_budget', 'manifest_arena', 'problem'];

/** @param {Row[]} rows @param {Folder} folder @param {number | null} budget */
export function csvOf(rows, folder, budget) {
  const lines = rows.map((row) => {
    const { verdict, failure } = row;
    const taken = verdict !== null && verdict.refused === null ? verdict : null;
    return [
      row.path, row.bytes, folder.settings.runtime, taken?.set, taken?.minimum, verdict?.planned, taken?.persistent, verdict?.bound, verdict?.optimal,
      verdict?.peak, verdict?.peak_op, verdict?.peak_name, verdict?.warnings, budget === null || !taken ? null : budget - taken.set,
      manifestOf(row.path, folder.manifests)?.arena, failure?.message ?? verdict?.refused,
    ];
  });
  return `${[HEAD, ...lines].map((line) => line.map(field).join(',')).join('\r\n')}\r\n`;
}

/** @param {string | number | boolean | null | undefined} value */
function field(value) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  // Spreadsheets run what begins like a formula, so such a name gets an apostrophe, which they do not show.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
