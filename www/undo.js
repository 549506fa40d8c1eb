// @ts-check
// What was changed about a plan, in a list that goes back and forth. Knows settings only: a snapshot is all of them.

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Settings} Settings */

/** Older changes are forgotten. */
const MAX_PAST = 200;

/** Whether two choices of settings are the same. @param {Settings} a @param {Settings} b */
export function sameSettings(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The settings without any change of the file's own plan. @param {Settings} settings @returns {Settings} */
export function untouched(settings) {
  return { ...settings, edits: [], planner: 'runtime', alignment: null, preserve_all_tensors: false };
}

/** The state after another choice of settings. @param {State} state @param {Settings} settings @returns {Partial<State>} */
export function changed({ settings: now, past }, settings) {
  return { settings, past: [...past, now].slice(-MAX_PAST), future: [] };
}

/** The state a change before, or after it; null when there is none. @param {State} state @param {boolean} back @returns {Partial<State> & { settings: Settings } | null} */
export function stepped({ settings: now, past, future }, back) {
  const settings = back ? past.at(-1) : future.at(-1);
  if (!settings) return null;
  return back ? { settings, past: past.slice(0, -1), future: [...future, now] } : { settings, past: [...past, now], future: future.slice(0, -1) };
}

/**
 * One change of the file's own plan: an edit of a buffer, or an option.
 * @typedef {{ kind: 'bytes' | 'type' | 'last' | 'keep' | 'outside', ref: string, value: string, edit: string }} Edit
 * @typedef {{ kind: 'planner' | 'alignment' | 'preserve', value: string }} Option
 */

/** The parts of an edit, as in `t31:bytes=4096`. @param {string} edit @returns {Edit} */
export function partsOf(edit) {
  const colon = edit.lastIndexOf(':');
  const [kind = '', value = ''] = edit.slice(colon + 1).split('=');
  return { kind: /** @type {Edit['kind']} */ (kind), ref: edit.slice(0, colon), value, edit };
}

/** All changes, the edits first, in the order in which they were made. @param {Settings} settings @returns {(Edit | Option)[]} */
export function changesOf({ edits, planner, alignment, preserve_all_tensors: preserved }) {
  /** @type {(Edit | Option)[]} */
  const changes = edits.map(partsOf);
  if (planner !== 'runtime') changes.push({ kind: 'planner', value: planner });
  if (alignment !== null) changes.push({ kind: 'alignment', value: String(alignment) });
  if (preserved) changes.push({ kind: 'preserve', value: '' });
  return changes;
}

/** The settings without one change. @param {Settings} settings @param {Edit | Option} change @returns {Partial<Settings>} */
export function without(settings, change) {
  switch (change.kind) {
    case 'planner': return { planner: 'runtime' };
    case 'alignment': return { alignment: null };
    case 'preserve': return { preserve_all_tensors: false };
    default: return { edits: settings.edits.filter((edit) => edit !== change.edit) };
  }
}

/** What takes the place of what. @type {Record<string, string[]>} */
const REPLACED = { bytes: ['bytes', 'type', 'outside'], type: ['bytes', 'type', 'outside'], last: ['last', 'keep', 'outside'], keep: ['last', 'keep', 'outside'], outside: ['bytes', 'type', 'last', 'keep', 'outside'] };

/** The edits with another one; without a value the one of that kind is gone. @param {string[]} edits @param {string} ref @param {Edit['kind']} kind @param {string | null} value `''` for kinds without one */
export function withEdit(edits, ref, kind, value) {
  const gone = value === null ? [kind] : REPLACED[kind] ?? [];
  const kept = edits.filter((edit) => {
    const parts = partsOf(edit);
    return parts.ref !== ref || !gone.includes(parts.kind);
  });
  return value === null ? kept : [...kept, `${ref}:${kind}${value === '' ? '' : `=${value}`}`];
}
