// @ts-check
// Talks to the worker for long work about the model on screen. A cancel ends the worker; the next job starts another.

import { AnalysisFailed, Cancelled } from './client.js';
import { faultOf } from './faults.js';

/** @typedef {import('./job-types.d.ts').Job} Job */
/** @typedef {import('./job-types.d.ts').JobModel} JobModel */
/** @typedef {import('./job-types.d.ts').ToJobs} ToJobs */
/** @typedef {import('./job-types.d.ts').FromJobs} FromJobs */
/** @typedef {{ resolve: (done: { result: any, bytes: Uint8Array | null }) => void, reject: (error: Error) => void, onProgress: (progress: any) => void }} Waiting */

/** @param {() => { module: WebAssembly.Module, model: JobModel } | null} source */
export function createJobs(source) {
  /** @type {Worker | null} */
  let worker = null;
  let lastId = 0;
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();

  function start() {
    const found = source();
    if (!found) return null;
    const started = new Worker(new URL('./job-worker.js', import.meta.url), { type: 'module' });
    started.onmessage = (/** @type {MessageEvent<FromJobs>} */ { data }) => receive(data);
    started.onerror = (event) => {
      event.preventDefault();
      end(new AnalysisFailed(faultOf(event)));
    };
    post(started, { kind: 'module', module: found.module });
    post(started, { kind: 'model', model: found.model });
    return started;
  }

  /** @param {FromJobs} message */
  function receive(message) {
    const job = waiting.get(message.id);
    if (!job) return;
    switch (message.kind) {
      case 'progress':
        job.onProgress(message.progress);
        return;
      case 'done':
        waiting.delete(message.id);
        job.resolve(message);
        return;
      case 'failed':
        waiting.delete(message.id);
        job.reject(new AnalysisFailed(message.failure));
        // After a fault of ours the core's memory is not to be trusted.
        if (message.failure.kind === 'crash') end(new Cancelled());
        return;
      default:
        /** @type {never} */ (message);
    }
  }

  /** @param {Error} error */
  function end(error) {
    worker?.terminate();
    worker = null;
    const ended = [...waiting.values()];
    waiting.clear();
    for (const job of ended) job.reject(error);
  }

  return {
    /** @param {Job} job @param {(progress: any) => void} [onProgress] @returns {Promise<{ result: any, bytes: Uint8Array | null }>} */
    run(job, onProgress = () => {}) {
      worker ??= start();
      const at = worker;
      if (!at) return Promise.reject(new Cancelled());
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, onProgress });
        post(at, { kind: 'run', id, job });
      });
    },
    /** Ends the search, keeping what it found. */
    stop() {
      if (worker) post(worker, { kind: 'stop' });
    },
    /** Ends everything; also when another model is on screen. */
    cancel: () => end(new Cancelled()),
  };
}

/** @param {Worker} worker @param {ToJobs} message */
function post(worker, message) {
  worker.postMessage(message);
}
