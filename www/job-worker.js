// @ts-check
// Long work about one model: heights of planners, the search for the lowest plan, advice, smaller models, curves.

import init, { Workbench } from '../pkg/arenascope.js';
import { failureOf } from './faults.js';

/** @typedef {import('./job-types.d.ts').ToJobs} ToJobs */
/** @typedef {import('./job-types.d.ts').FromJobs} FromJobs */
/** @typedef {import('./job-types.d.ts').Job} Job */

/** Nodes of the search between two looks at the clock. */
const SLICE = 2_000;
/** Progress is told at most this often. */
const TELL_MS = 80;

/** @type {Promise<unknown> | null} */
let ready = null;
/** @type {import('./job-types.d.ts').JobModel | null} */
let model = null;
/** @type {Workbench | null} */
let bench = null;
let isStopped = false;
/** Jobs run one after the other. @type {Promise<void>} */
let last = Promise.resolve();

/** @param {FromJobs} message */
function send(message) {
  self.postMessage(message);
}

self.addEventListener('message', (/** @type {MessageEvent<ToJobs>} */ event) => {
  const message = event.data;
  switch (message.kind) {
    case 'module':
      ready = init({ module_or_path: message.module });
      return;
    case 'model':
      model = message.model;
      return;
    case 'stop':
      isStopped = true;
      return;
    case 'run':
      last = last.then(() => run(message.id, message.job));
      return;
    default:
      /** @type {never} */ (message);
  }
});

/** @param {number} id @param {Job} job */
async function run(id, job) {
  try {
    await (ready ?? init());
    if (!model) throw new Error('no model');
    bench ??= new Workbench(model.bytes, model.name, model.settings);
    const { result, bytes = null } = await work(bench, job, (progress) => send({ kind: 'progress', id, progress }));
    send({ kind: 'done', id, result, bytes });
  } catch (error) {
    send({ kind: 'failed', id, failure: failureOf(error) });
  }
}

/**
 * @param {Workbench} on @param {Job} job @param {(progress: unknown) => void} tell
 * @returns {Promise<{ result: unknown, bytes?: Uint8Array }>}
 */
async function work(on, job, tell) {
  switch (job.what) {
    case 'heights':
      return { result: JSON.parse(on.heights()) };
    case 'search':
      return { result: await search(on, job.seconds, tell) };
    case 'advice':
      return { result: JSON.parse(on.advice()) };
    case 'bake':
      return bake(on, job, tell);
    case 'inputs':
      return { result: JSON.parse(on.inputs()) };
    case 'try':
      if (model) new Workbench(model.bytes, model.name, job.settings).free();
      return { result: null };
    case 'curve':
      return { result: await curve(on, job, tell) };
    case 'arenas':
      return { result: JSON.parse(on.arenas()) };
    case 'scene':
      return { result: on.arena_scene(job.index) };
    default:
      return /** @type {never} */ (job);
  }
}

/** Lets messages in. */
function breathe() {
  return new Promise((resolve) => { setTimeout(resolve, 0); });
}

/** @param {Workbench} on @param {number} seconds @param {(progress: unknown) => void} tell */
async function search(on, seconds, tell) {
  isStopped = false;
  const end = performance.now() + seconds * 1000;
  let told = 0;
  for (;;) {
    const found = JSON.parse(on.search(SLICE));
    const now = performance.now();
    if (found === null || found.done || now >= end || isStopped) return found;
    if (now - told >= TELL_MS) {
      told = now;
      tell(found);
      await breathe();
    }
  }
}

/** @param {Workbench} on @param {Extract<Job, { what: 'bake' }>} job @param {(progress: unknown) => void} tell */
function bake(on, { plan, reorder, seconds }, tell) {
  const end = performance.now() + seconds * 1000;
  let told = 0;
  const smaller = on.bake(plan, reorder, (/** @type {string} */ phase, /** @type {number} */ best, /** @type {number} */ bound, /** @type {number} */ done) => {
    const now = performance.now();
    if (now - told >= TELL_MS) {
      told = now;
      tell({ phase, best, bound, done });
    }
    return now < end;
  });
  const { bytes, report } = smaller;
  smaller.free();
  return { result: JSON.parse(report), bytes };
}

/** @param {Workbench} on @param {Extract<Job, { what: 'curve' }>} job @param {(progress: unknown) => void} tell */
async function curve(on, { tensor, dims, axis, values }, tell) {
  const points = [];
  for (const value of values) {
    points.push(JSON.parse(on.arena_with(tensor, Int32Array.from(dims, (dim, index) => (index === axis ? value : dim)), value)));
    tell(points.length / values.length);
    await breathe();
  }
  return points;
}
