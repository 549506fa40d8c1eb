// @ts-check
// Talks to the worker: one analysis at a time; a new one, or a cancel, ends the worker of the old one. A spare
// worker waits, so that the next analysis starts at once.

/** @typedef {import('./types.d.ts').ToWorker} ToWorker */
/** @typedef {import('./types.d.ts').FromWorker} FromWorker */
/** @typedef {import('./types.d.ts').Failure} Failure */
/** @typedef {Extract<FromWorker, { kind: 'done' }>} Done */

/** Thrown by `analyse` when the model cannot be used. */
export class AnalysisFailed extends Error {
  /** @param {Failure} failure */
  constructor(failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Thrown by `analyse` when another call or `cancel` took its place. */
export class Cancelled extends Error {}

/** @param {WebAssembly.Module} module */
export function createClient(module) {
  let spare = start(module);
  /** @type {{ worker: Worker, reject: (error: Error) => void } | null} */
  let running = null;
  let lastId = 0;

  function cancel() {
    if (!running) return;
    const { worker, reject } = running;
    running = null;
    worker.terminate();
    reject(new Cancelled());
  }

  /**
   * @param {{ name: string, bytes: Uint8Array, settings: import('./types.d.ts').Settings }} job
   * @param {(stage: 'analysing' | 'drawing') => void} onStage
   * @returns {Promise<Done>}
   */
  function analyse(job, onStage) {
    cancel();
    const worker = spare;
    spare = start(module);
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      running = { worker, reject };
      const end = () => {
        running = null;
        worker.terminate();
      };
      worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ event) => {
        const message = event.data;
        if (message.id !== id || running?.worker !== worker) return;
        switch (message.kind) {
          case 'stage':
            onStage(message.stage);
            return;
          case 'done':
            end();
            resolve(message);
            return;
          case 'failed':
            end();
            reject(new AnalysisFailed(message.failure));
            return;
          default:
            /** @type {never} */ (message);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        end();
        reject(new AnalysisFailed({ kind: 'crash', message: event.message ?? 'the worker stopped', path: null, offset: null, hint: null }));
      };
      /** @type {ToWorker} */
      const message = { kind: 'analyse', id, ...job };
      worker.postMessage(message);
    });
  }

  return { analyse, cancel };
}

/** @param {WebAssembly.Module} module */
function start(module) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  /** @type {ToWorker} */
  const message = { kind: 'module', module };
  worker.postMessage(message);
  return worker;
}
