// @ts-check
// Asks the worker of links. What takes too long there is given up, and the worker with it.

/** @typedef {import('./share.js').Names} Names */
/** @typedef {import('./share.js').Unpacked} Unpacked */
/** @typedef {{ id: number, what: 'pack', plan: Uint8Array | string, names: Names } | { id: number, what: 'unpack', version: number, packed: string }} Job */
/** @typedef {{ id: number, result: any }} Answer */

/** Far longer than the largest plan takes. */
const PATIENCE_MS = 20_000;

/** @type {Worker | null} */
let worker = null;
let lastId = 0;
/** @type {Map<number, (result: any) => void>} */
const waiting = new Map();
/** The last plan that was packed, by its document. @type {WeakMap<object, { names: Names, packed: Promise<string | null> }>} */
const known = new WeakMap();

/** A document's plan, packed; `null` when that cannot be done. @param {import('./types.d.ts').Doc} doc @param {Names} names @returns {Promise<string | null>} */
export function packedOf(doc, names) {
  const found = known.get(doc);
  if (found?.names === names) return found.packed;
  // With what-ifs the plan without them goes along, and they beside it.
  const packed = ask({ id: 0, what: 'pack', plan: doc.base_plan ?? doc.planBytes, names });
  known.set(doc, { names, packed });
  return packed;
}

/** What a link packs; `null` when it cannot be read. @param {number} version @param {string} packed @returns {Promise<Unpacked | null>} */
export function unpackedOf(version, packed) {
  return ask({ id: 0, what: 'unpack', version, packed });
}

/** @param {Job} job @returns {Promise<any>} */
function ask(job) {
  worker ??= start();
  const id = ++lastId;
  return new Promise((resolve) => {
    const late = setTimeout(stop, PATIENCE_MS);
    waiting.set(id, (result) => {
      clearTimeout(late);
      resolve(result);
    });
    worker?.postMessage({ ...job, id });
  });
}

function start() {
  const fresh = new Worker(new URL('./link-worker.js', import.meta.url), { type: 'module' });
  fresh.addEventListener('message', (/** @type {MessageEvent<Answer>} */ { data }) => {
    waiting.get(data.id)?.(data.result);
    waiting.delete(data.id);
  });
  fresh.addEventListener('error', (event) => {
    event.preventDefault();
    stop();
  });
  return fresh;
}

function stop() {
  worker?.terminate();
  worker = null;
  for (const resolve of waiting.values()) resolve(null);
  waiting.clear();
}
