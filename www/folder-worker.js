// @ts-check
// Judges the files of a folder, one after the other, away from the model on screen.

import init, { verdicts } from '../pkg/arenascope.js';
import { failureAs, failureOf, messageOf } from './faults.js';

/** @typedef {import('./folder-types.d.ts').ToFolder} ToFolder */
/** @typedef {import('./folder-types.d.ts').FromFolder} FromFolder */

/** Of larger files the start is looked at first, so that films and archives of weights are not read to the end. */
const LARGE_BYTES = 8 << 20;
const START_BYTES = 4096;

/** @type {Promise<unknown> | null} */
let ready = null;

self.addEventListener('message', async (/** @type {MessageEvent<ToFolder>} */ { data }) => {
  if (data.kind === 'module') {
    ready = init({ module_or_path: data.module });
    return;
  }
  try {
    await (ready ?? init());
    send({ kind: 'done', id: data.id, text: await judge(data) });
  } catch (error) {
    send({ kind: 'failed', id: data.id, failure: failureOf(error) });
  }
});

/** @param {FromFolder} message */
function send(message) {
  self.postMessage(message);
}

/** @param {Extract<ToFolder, { kind: 'file' }>} message */
async function judge({ file, name, settings }) {
  if (file.size > LARGE_BYTES) {
    const start = await read(file.slice(0, START_BYTES));
    const text = verdicts(start, name, settings);
    // Text is read to its end: a model may stand in it as numbers.
    if (start.includes(0) && JSON.parse(text).other) return text;
  }
  return verdicts(await read(file), name, settings);
}

/** @param {Blob} blob */
async function read(blob) {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw new Error(messageOf(error), { cause: failureAs('unreadable', messageOf(error)) });
  }
}
