// @ts-check
// What the HTML file says in the page's language; the core writes and escapes it.

import { caption } from './export.js';
import { both, exact } from './format.js';
import { atWords, overwrittenWords } from './state.js';
import { plural, t } from './texts.js';
import { aloneWords, arenaToSet, boundWords, labelOf } from './verdict.js';
import { changeList, differenceWords } from './whatif-words.js';

/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').State} State */

const ROLES = ['input', 'output', 'intermediate', 'constant', 'variable', 'temporary', 'scratch', 'buffer'];
const PLACES = ['arena', 'persistent', 'heap', 'external'];

/** @param {Doc} doc @param {string | null} picture @param {State} state @returns {import('../pkg/arenascope.js').PageValue} */
export function pageOf(doc, picture, state) {
  const heads = /** @type {[string, string][]} */ ([
    ['json', t('html.json')], ['warnings', t('warnings.title')], ['operators', t('ops.title')], ['unknown', t('details.bytes.unknown')],
    ['buffers', t('html.buffers', { bytes: both(doc.report.arena_bytes) })], ['step', t('html.step')], ['op', t('html.op')], ['live', t('html.live')],
    ['born', t('html.born')], ['dies', t('html.dies')], ['buffer', t('col.ref')], ['name', t('col.name')], ['role', t('col.role')], ['place', t('col.place')],
    ['offset', t('col.offset')], ['bytes', t('col.bytes')], ['steps', t('details.alive')], ['alias', t('details.alias')],
  ]);
  const roles = ROLES.map((role) => /** @type {[string, string]} */ ([`role.${role}`, t(`role.${role}`)]));
  const places = PLACES.map((place) => /** @type {[string, string]} */ ([`place.${place}`, t(`place.${place}`)]));
  return { language: document.documentElement.lang, picture, facts: factsOf(doc, state), texts: [...heads, ...roles, ...places] };
}

/** The verdict in lines, and what it is of. @param {Doc} doc @param {State} state @returns {[string, string][]} */
export function factsOf(doc, { margin, settings, contrast }) {
  const { report, micro } = doc;
  const { sha256, runtime, planner, tool } = caption(doc);
  const set = arenaToSet(report, micro, margin);
  const budget = settings.budget;
  const left = (budget ?? 0) - arenaToSet(report, micro);
  const { peak } = report;
  const [changes, unsound, alone, bound] = [changeList(doc), overwrittenWords(doc), aloneWords(doc), boundWords(doc)];
  /** @type {([string, string] | null)[]} */
  const facts = [
    report.micro?.refusal ? [t('verdict.refused'), `${both(report.arena_bytes)}: ${report.micro.refusal.reason}`]
      : [labelOf(doc), both(set)],
    unsound === null ? null : [t('html.unsound'), unsound],
    changes.length === 0 ? null : [t('html.whatif'), `${changes.join('; ')}${doc.what_if ? ` (${differenceWords(doc.what_if)})` : ''}`],
    budget === null || report.micro?.refusal ? null
      : [t('set.budget'), t(left < 0 ? 'verdict.short' : 'verdict.fits', { budget: both(budget), bytes: exact(Math.abs(left)) })],
    report.minimum_arena_bytes === null ? null : [t('verdict.planned'), both(report.arena_bytes)],
    report.persistent_bytes > 0 ? [t('verdict.tail'), both(report.persistent_bytes)] : null,
    report.heap_bytes ? [t('verdict.heap'), both(report.heap_bytes)] : null,
    report.arena_bytes > 0 ? [t('verdict.bound'), [both(report.lower_bound_bytes), bound].filter(Boolean).join(': ')] : null,
    peak ? [t('verdict.peak'), `${both(peak.live_bytes)}, ${atWords(peak)}`] : null,
    [t('verdict.model'), `${both(report.model.bytes)}, ${t('verdict.model.note', { ops: report.model.ops, tensors: report.model.tensors })}`],
    alone === null ? null : [t('html.alone'), alone],
    report.warnings.length > 0 ? [t('warnings.title'), plural('verdict.warnings', report.warnings.length)] : null,
    contrast === null ? null : [t('html.other'), `${t('set.runtime.tflite')} ${both(contrast.tflite)}, ${t('set.runtime.tflm')} ${both(contrast.tflm)}`],
    [t('html.made'), [runtime, planner, tool].filter(Boolean).join(' · ')],
    ['SHA-256', sha256],
  ];
  return facts.filter((fact) => fact !== null);
}
