// @ts-check
// The heavy work: reading, planning, solving. One worker serves one analysis at a time; ending it is how work is
// cancelled.

import init, { analyse, compare, compare_csv, decode, models } from '../pkg/arenascope.js';
import { failureOf, messageOf } from './faults.js';
import { partsOf } from './parts.js';

/** @typedef {import('./types.d.ts').ToWorker} ToWorker */
/** @typedef {import('./types.d.ts').FromWorker} FromWorker */

/** @type {Promise<unknown> | null} */
let ready = null;

/** The last analysis, for questions about it. @type {import('../pkg/arenascope.js').Analysed | null} */
let current = null;

/** @param {FromWorker} message @param {Uint8Array[]} [given] what is handed over instead of copied */
function send(message, given = []) {
  self.postMessage(message, { transfer: given.map(({ buffer }) => buffer) });
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
    case 'reopen':
      await reopen(message);
      return;
    case 'ask':
      await answer(message);
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
    const names = settings.inner === null ? models(bytes, name) : [];
    if (names.length > 1) {
      send({ kind: 'choose', id, names });
      return;
    }
    const result = analyse(bytes, name, settings);
    current?.free();
    current = result;
    const { report, notes, micro, scene, manifests, what_if, plan_edits } = result;
    for (const [of, text] of /** @type {const} */ ([['report', report], ['notes', notes], ['micro', micro]])) {
      for (const part of partsOf(of, text)) send({ kind: 'part', id, part });
    }
    const encoder = new TextEncoder();
    const [json, csv, plan] = [encoder.encode(report), encoder.encode(result.csv), encoder.encode(result.plan)];
    const base_plan = result.base_plan === undefined ? null : encoder.encode(result.base_plan);
    const buffers = [scene, json, csv, plan, ...(base_plan ? [base_plan] : [])];
    send({ kind: 'done', id, scene, manifests, json, csv, plan, what_if, base_plan, plan_edits }, buffers);
  } catch (error) {
    send({ kind: 'failed', id, failure: failureOf(error) });
  }
}

/** What the page still shows, analysed again so that questions about it have an answer; the page has all else of it.
 * @param {Extract<ToWorker, { kind: 'reopen' }>} message */
async function reopen({ name, bytes, settings }) {
  try {
    await (ready ?? init());
    current = analyse(bytes, name, settings);
  } catch {
    // It worked once; the questions that wait say that no model is open.
  }
  send({ kind: 'reopened' });
}

/** @param {Extract<ToWorker, { kind: 'ask' }>} message */
async function answer({ id, question }) {
  try {
    await (ready ?? init());
    send({ kind: 'answer', id, text: answerTo(question), failure: null });
  } catch (error) {
    send({ kind: 'answer', id, text: null, failure: messageOf(error) });
  }
}

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  return new TextDecoder().decode(bytes);
}

/** @param {import('./types-micro.d.ts').Question} question */
function answerTo(question) {
  if (question.what === 'decode') {
    const { log, arena } = question;
    return current ? current.decode(log, arena) : decode(log, arena);
  }
  if (question.what === 'compare') return compare(textOf(question.before), textOf(question.after));
  if (question.what === 'compare-csv') return compare_csv(textOf(question.before), textOf(question.after));
  if (!current) throw new Error('no model is open');
  switch (question.what) {
    case 'measure': return current.measure(question.text);
    case 'why': return current.why(question.box) ?? 'null';
    case 'surroundings': return current.surroundings(question.buffer);
    case 'needs': return current.needs(question.step);
    case 'memory-plan': return current.memory_plan();
    case 'contrast': return current.contrast(question.bytes);
    case 'html': return current.html(question.page);
    case 'cpp': return current.cpp();
    case 'buffer-plan': return current.buffer_plan();
    default: return /** @type {never} */ (question);
  }
}
