// @ts-check
// What TFLite-Micro's messages mean: paste them, with the arena's size, with or without a model.

import { original } from './core-words.js';
import { showDialog } from './dialogs.js';
import { fill, h } from './dom.js';
import { messageOf } from './faults.js';
import { both, clean, exact, grouped } from './format.js';
import { bytesFrom } from './settings.js';
import { rich } from './rich.js';
import { t } from './texts.js';

/** @typedef {import('./types-micro.d.ts').Diagnosis} Diagnosis */

const EXAMPLE = 'Failed to resize buffer. Requested: 54400, available 31248, missing: 23152';

/** @param {import('./types.d.ts').State} state @param {import('./types-micro.d.ts').Ask} ask */
export function showDecoder({ doc }, ask) {
  const log = h('textarea', { id: 'decode-log', rows: 5, spellcheck: 'false', placeholder: EXAMPLE });
  const size = h('input', { type: 'text', id: 'decode-size', autocomplete: 'off', placeholder: t('decode.size.none') });
  const answer = h('div', { id: 'decode-answer', class: 'diagnosis', role: 'status' });
  let turn = 0;
  const decode = async () => {
    const mine = ++turn;
    if (log.value.trim() === '') {
      fill(answer);
      return;
    }
    const arena = bytesFrom(size.value);
    size.setAttribute('aria-invalid', String(arena === null && size.value.trim() !== ''));
    try {
      const text = await ask({ what: 'decode', log: log.value, arena });
      if (mine === turn) fill(answer, diagnosis(JSON.parse(text)));
    } catch (error) {
      if (mine === turn) fill(answer, h('p', { class: 'short' }, rich('ask.failed', { message: original(messageOf(error)) })));
    }
  };
  log.addEventListener('input', () => { void decode(); });
  size.addEventListener('input', () => { void decode(); });
  const model = doc?.micro ? t('decode.with', { name: doc.report.model.name }) : t('decode.without');
  showDialog(t('decode.title'), h('div', { class: 'stack' },
    h('label', {}, t('decode.log'), log), h('label', {}, t('decode.size'), size), h('p', { class: 'faint' }, model), answer));
  log.focus();
}

/** @param {Diagnosis} found */
function diagnosis({ findings, progress, at_least: least, exact: size, doubts }) {
  if (findings.length === 0) return h('p', {}, t('decode.nothing'));
  const figure = (/** @type {string} */ key, /** @type {number | null} */ bytes) =>
    bytes === null ? null : h('span', { class: 'fact' }, h('span', { class: 'label' }, t(key)), h('span', { class: 'value' }, exact(bytes)));
  return h('div', { class: 'stack' },
    size === null ? null : h('p', { class: 'set' }, t('decode.exact'), ' ', h('b', {}, both(size))),
    least === null ? null : h('p', { class: size === null ? 'set' : '' }, t('decode.least'), ' ', h('b', {}, both(least)), ' ', t('decode.least.more')),
    ...progress.map((step) => h('p', { class: `progress ${step}` }, t(`progress.${step}`))),
    h('ol', { class: 'findings' }, ...findings.map((finding) => h('li', { class: finding.trouble === 'consequence' ? 'faint' : '', value: finding.line },
      h('b', {}, t(`trouble.${finding.trouble}`)), finding.stage === null ? null : h('span', { class: 'faint' }, ` · ${t(`decode.stage.${finding.stage}`)}`),
      h('p', {}, t(`meaning.${finding.meaning}`, { detail: clean(finding.detail ?? '') })),
      h('div', { class: 'facts' }, figure('decode.requested', finding.requested), figure('decode.available', finding.available), figure('decode.missing', finding.missing))))),
    ...doubts.map((doubt) => h('p', { class: 'doubt' }, doubtWords(doubt))));
}

/** @param {Diagnosis['doubts'][number]} doubt */
function doubtWords(doubt) {
  switch (doubt.kind) {
    case 'other-head': return t('doubt.other-head', { logged: exact(doubt.logged), planned: exact(doubt.planned) });
    case 'large-enough': return t('doubt.large-enough', { size: exact(doubt.size), needed: exact(doubt.needed), alignment: grouped(doubt.alignment) });
    default: return /** @type {never} */ (doubt);
  }
}
