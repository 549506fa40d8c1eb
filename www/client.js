// @ts-check
// Talks to the worker: one analysis at a time; a new one, or a cancel, ends the old one together with its worker.

import { faultOf } from './faults.js';
import { createJoin } from './parts.js';

/** @typedef {import('./types.d.ts').ToWorker} ToWorker */
/** @typedef {import('./types.d.ts').FromWorker} FromWorker */
/** @typedef {import('./types.d.ts').Failure} Failure */
/** @typedef {{ name: string, bytes: Uint8Array, settings: import('./types.d.ts').Settings }} Job */
/** @typedef {Extract<FromWorker, { kind: 'done' }> & ReturnType<typeof createJoin>['joined']} Done */

/** Thrown by `analyse` when the model cannot be used. */
export class AnalysisFailed extends Error {
  /** @param {Failure} failure */
  constructor(failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Thrown by `analyse` when the file holds several models and none was chosen. */
export class Several extends Error {
  /** @param {string[]} names */
  constructor(names) {
    super('several models');
    this.names = names;
  }
}

/** Thrown by `analyse` when another call or `cancel` took its place. */
export class Cancelled extends Error {}

/** Questions that are not about the model on screen. @type {Set<import('./types-micro.d.ts').Question['what']>} */
const WITHOUT_MODEL = new Set(['compare', 'compare-csv']);

/** @param {WebAssembly.Module} module @param {() => Job | null} shown what the analysis on screen was made from */
export function createClient(module, shown) {
  let worker = start(module);
  /** @type {((error: Error) => void) | null} */
  let stop = null;
  /** Whether the worker no longer has, or does not yet have again, what is on screen: its predecessor was ended. */
  let isLost = false;
  let isReopening = false;
  /** Which analysis the worker has. */
  let had = 0;
  let lastId = 0;
  let lastQuestion = 0;
  /** Questions without an answer yet. @type {Map<number, { resolve: (text: string) => void, reject: (error: Error) => void }>} */
  const asked = new Map();
  worker.addEventListener('message', answered);

  /** Ends the work at once: only a worker's end stops it, so another one is started in its place. */
  function cancel() {
    if (!stop && !isReopening) return;
    const reject = stop;
    renew();
    reject?.(new Cancelled());
  }

  function renew() {
    stop = null;
    isLost = true;
    isReopening = false;
    worker.terminate();
    worker = start(module);
    worker.addEventListener('message', answered);
    for (const { reject } of asked.values()) reject(new Cancelled());
    asked.clear();
  }

  /**
   * @param {Job} job
   * @param {(stage: 'analysing' | 'drawing') => void} onStage
   * @returns {Promise<Done>}
   */
  function analyse(job, onStage) {
    cancel();
    const id = ++lastId;
    const join = createJoin();
    return new Promise((resolve, reject) => {
      stop = reject;
      worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ event) => {
        const message = event.data;
        if (message.kind === 'answer' || message.kind === 'reopened' || message.id !== id) return;
        switch (message.kind) {
          case 'stage':
            onStage(message.stage);
            return;
          case 'part':
            join.add(message.part);
            return;
          case 'done':
            stop = null;
            had = id;
            isLost = false;
            resolve({ ...message, ...join.joined });
            return;
          case 'choose':
            stop = null;
            reject(new Several(message.names));
            return;
          case 'failed':
            stop = null;
            // After a fault of ours the core's memory is not to be trusted.
            if (message.failure.kind === 'crash') renew();
            reject(new AnalysisFailed(message.failure));
            return;
          default:
            /** @type {never} */ (message);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        renew();
        reject(new AnalysisFailed(faultOf(event)));
      };
      /** @type {ToWorker} */
      const message = { kind: 'analyse', id, ...job };
      worker.postMessage(message);
    });
  }

  /** Asks something about the last analysis. @type {import('./types-micro.d.ts').Ask} */
  function ask(question) {
    if (isLost && !stop && !WITHOUT_MODEL.has(question.what)) reopen();
    const id = ++lastQuestion;
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve, reject });
      /** @type {ToWorker} */
      const message = { kind: 'ask', id, question };
      worker.postMessage(message);
    });
  }

  /** Gives the worker what is on screen again: after a cancel the old plan is shown, and may be asked about. */
  function reopen() {
    const job = shown();
    if (!job) return;
    [isLost, isReopening] = [false, true];
    /** @type {ToWorker} */
    const message = { kind: 'reopen', ...job };
    worker.postMessage(message);
  }

  /** An analysis came too late to be shown; the one on screen is another. @param {number} id */
  function drop(id) {
    if (id === had) isLost = true;
  }

  /** @param {MessageEvent<FromWorker>} event */
  function answered({ data }) {
    if (data.kind === 'reopened') isReopening = false;
    if (data.kind !== 'answer') return;
    const promise = asked.get(data.id);
    asked.delete(data.id);
    if (data.text === null) promise?.reject(new Error(data.failure ?? ''));
    else promise?.resolve(data.text);
  }

  return { analyse, cancel, ask, drop };
}

/** @param {WebAssembly.Module} module */
function start(module) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  /** @type {ToWorker} */
  const message = { kind: 'module', module };
  worker.postMessage(message);
  return worker;
}
