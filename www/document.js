// @ts-check
// An analysed model as the page holds it, and where one begins to look at it.

import { asStated } from './stated.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').Settings} Settings */

/** The step and the selection that a plan begins with: the peak, or, for the same model planned anew, the operation and the
 * tensor that were there. @param {Doc} doc @param {State | null} state @returns {{ step: number, selected: number | null }} */
export function placeIn({ report, notes, byRef }, state) {
  if (!state?.doc) return { step: Math.max(0, notes.peak), selected: null };
  const [was, chosen] = [state.doc.report.steps[state.step], state.doc.report.buffers[state.selected ?? -1]];
  const same = was && was.op_index !== null ? report.steps.findIndex((step) => step.subgraph === was.subgraph && step.op_index === was.op_index) : -1;
  return { step: same >= 0 ? same : Math.max(0, Math.min(state.step, report.steps.length - 1)), selected: (chosen && byRef.get(chosen.ref)) ?? null };
}

/** The part of the chart in sight, while the same steps stand below it. @param {State} state @param {Doc} doc */
export function viewOf({ doc: before, view }, doc) {
  return before?.notes.columns.length === doc.notes.columns.length ? view : null;
}

/** @param {import('./client.js').Done} done @param {Settings} settings @returns {Doc} */
export function docOf({ report, notes, micro, scene, manifests, json, csv, plan, what_if, base_plan, plan_edits }, settings) {
  const byRef = new Map(report.buffers.map((/** @type {{ ref: string }} */ buffer, /** @type {number} */ index) => [buffer.ref, index]));
  const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
  return {
    report: asStated(report, notes.source), notes, micro, scene, byRef, manifests: JSON.parse(manifests), jsonBytes: json, planBytes: plan,
    what_if: JSON.parse(what_if), plan_edits, settings,
    get json() { return text(json); },
    get csv() { return text(csv); },
    get plan() { return text(plan); },
    get base_plan() { return base_plan && text(base_plan); },
  };
}
