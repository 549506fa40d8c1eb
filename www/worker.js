// @ts-check
// The heavy work: reading, planning, solving. One worker serves one analysis at a time; ending it is how work is
// cancelled.

import init, { analyse } from '../pkg/arenascope.js';

/** @typedef {import('./types.d.ts').ToWorker} ToWorker */
/** @typedef {import('./types.d.ts').FromWorker} FromWorker */
/** @typedef {import('./types.d.ts').Failure} Failure */

/** @type {Promise<unknown> | null} */
let ready = null;

/** The last analysis, for questions about it. @type {import('../pkg/arenascope.js').Analysed | null} */
let current = null;

/** @param {FromWorker} message */
function send(message) {
  self.postMessage(message);
}

self.addEventListener('message', async (/** @type {MessageEvent<ToWorker>} */ event) => {
  const message = event.data;
  switch (message.kind) {
    case 'module':
      ready = init({ module_or_path: message.module });
      return;
    case 'analyse':
      await run(message);
      return;
    case 'why':
      send({ kind: 'why', id: message.id, why: current?.why(message.box) ?? null });
      return;
    default:
      /** @type {never} */ (message);
  }
});

/** @param {Extract<ToWorker, { kind: 'analyse' }>} message */
async function run({ id, name, bytes, settings }) {
  try {
    await (ready ?? init());
    send({ kind: 'stage', id, stage: 'analysing' });
    const result = analyse(bytes, name, settings);
    current?.free();
    current = result;
    const { report, notes, scene, csv, plan } = result;
    send({ kind: 'done', id, report, notes, scene, csv, plan });
  } catch (error) {
    send({ kind: 'failed', id, failure: failureOf(error) });
  }
}

/** What the core throws is an `Error` with the failure as its cause; anything else is a fault of ours.
 * @param {unknown} error @returns {Failure} */
function failureOf(error) {
  if (error instanceof Error && error.cause) return /** @type {Failure} */ (error.cause);
  return { kind: 'crash', message: String(error), path: null, offset: null, hint: null };
}
