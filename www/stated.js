// @ts-check
// A plan that came without its model: what its file says of the model stands in for what the plan alone cannot tell.

/** @typedef {import('./types.d.ts').Report} Report */

/** @param {Report} report @param {import('./types.d.ts').SourceNote | null} source @returns {Report} */
export function asStated(report, source) {
  if (!source) return report;
  const { model } = report;
  return {
    ...report,
    model: { ...model, sha256: source.sha256 || model.sha256, bytes: source.bytes || model.bytes, ops: source.ops || model.ops, tensors: source.tensors || model.tensors },
    minimum_arena_bytes: source.set ?? source.minimum ?? report.minimum_arena_bytes,
    used_bytes: source.used ?? report.used_bytes,
    persistent_bytes: source.persistent ?? report.persistent_bytes,
    heap_bytes: source.heap ?? report.heap_bytes,
  };
}
