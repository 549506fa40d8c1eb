// @ts-check
// Sentences of the core, which speaks English. In another language what their code means comes first, and what is told in English
// only stands behind it, marked as English.

import { stepsWith } from './details.js';
import { h } from './dom.js';
import { adaptive, clean, exact } from './format.js';
import { rich, series } from './rich.js';
import { stepName } from './state.js';
import { isEnglish, phrase, t } from './texts.js';

/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').Failure} Failure */
/** @typedef {import('./job-types.d.ts').Advices} Advices */

/** `what-if t3:last=9: why not`, `this is a PNG image`: what stands before the part that has a translation of its own. */
const BEGINNINGS = [/^what-if (?:"[^"]*"|\S+): /, /^this is /];
/** Advice whose English sentence names more than the facts do: which operators move, how wide a layer is. */
const SAYS_MORE = new Set(['better-order', 'better-order-and-plan', 'earlier-consumer', 'later-producer', 'recompute', 'narrower-layer']);

/** A sentence in the page's language, when there is a translation of it. @param {string} text */
function translated(text) {
  if (isEnglish()) return null;
  const start = BEGINNINGS.map((beginning) => beginning.exec(text)?.[0]).find((found) => found !== undefined) ?? '';
  return phrase(text) ?? phrase(text.slice(start.length));
}

/** A sentence of the core, in the page's language or marked as English. @param {string} text */
export function original(text) {
  // The page's own sentences, in failures that it found itself, are Chinese already.
  if (isEnglish() || /\p{Script=Han}/u.test(text)) return h('span', {}, clean(text));
  const words = translated(text);
  return words === null ? h('span', { lang: 'en', class: 'original faint' }, clean(text)) : h('span', {}, words);
}

/** What a code means, and then the sentence; in English the sentence alone. @param {string} key @param {string} text */
export function coded(key, text) {
  return isEnglish() ? h('span', {}, clean(text)) : h('span', {}, t(key), ' ', original(text));
}

/** The same as plain text, where no element can stand. @param {string} key @param {string} text */
export function codedText(key, text) {
  return isEnglish() ? clean(text) : `${t(key)} ${translated(text) ?? clean(text)}`;
}

/** What a remark about a model says. @param {{ code: string, message: string }} warning */
export function warningWords({ code, message }) {
  return coded(`warn.${code}`, message);
}

/** What went wrong and what to do about it, in one line. @param {Failure} failure */
export function failureLine({ kind, message, hint }) {
  if (isEnglish()) return h('span', {}, clean([message, hint].filter(Boolean).join('; ')));
  return h('span', {}, t(`core.${kind}`), ' ', original(message), hint === null ? null : ' ', hint === null ? null : original(hint));
}

/** An advice: from its kind, its figures and its buffers; in English the core's own sentence.
 * @param {Doc} doc @param {Advices} advices @param {Advices['list'][number]} advice */
export function adviceWords(doc, { arena: now, bound }, { kind, arena, sentence, buffers }) {
  if (isEnglish()) return h('span', {}, clean(sentence));
  const key = kind === 'better-plan' && arena <= bound ? 'advice.better-plan.least' : `advice.${kind}`;
  const words = rich(key, {
    arena: exact(arena), now: exact(now),
    first: buffers.slice(0, 1).map((buffer) => bufferWords(doc, buffer)), second: buffers.slice(1, 2).map((buffer) => bufferWords(doc, buffer)),
    all: series(buffers.map((buffer) => bufferWords(doc, buffer))),
    makers: series(opsWith(doc, doc.notes.writes, buffers[0])), readers: series(opsWith(doc, doc.notes.reads, buffers[0])),
  });
  return SAYS_MORE.has(kind) ? h('span', {}, words, ' ', original(sentence)) : words;
}

/** What decides the arena's size. @param {Advices} advices */
export function verdictWords({ arena, bound, verdict, list }) {
  if (isEnglish() || verdict === '') return h('span', {}, clean(verdict));
  const gap = Math.max(0, arena - bound);
  const isBest = gap === 0 && !list.some(({ basis }) => basis === 'written');
  return h('span', {}, t(isBest ? 'advice.verdict.none' : 'advice.verdict', { gap: exact(gap), bound: exact(bound) }), ' ', original(verdict));
}

/** @param {Doc} doc @param {number} index */
function bufferWords(doc, index) {
  const buffer = doc.report.buffers[index];
  if (!buffer) return '';
  return `${buffer.ref} ${clean(buffer.name)}`.trim() + (buffer.bytes === null ? '' : `（${adaptive(buffer.bytes)}）`);
}

/** The operations that touch a buffer. @param {Doc} doc @param {number[][]} lists @param {number | undefined} buffer */
function opsWith(doc, lists, buffer) {
  return stepsWith(lists, buffer ?? -1).flatMap((at) => {
    const step = doc.report.steps[at];
    return step ? [clean(stepName(step))] : [];
  });
}
