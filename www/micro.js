// @ts-check
// TFLite-Micro's whole arena: the line to paste, one strip from the lowest to the highest byte, what decides its size,
// and how it fills while `AllocateTensors` runs.

import { boardWords } from './boards.js';
import { original } from './core-words.js';
import { append, fill, h, refocus } from './dom.js';
import { adaptive, clean, exact, signed } from './format.js';
import { columnOf, stepName } from './state.js';
import { mark, term } from './terms.js';
import { isEnglish, t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types-micro.d.ts').Micro} Micro */
/** @typedef {{ alive(step: number): number[] }} Lookup */
/**
 * @typedef {{
 *   onPatch: (patch: Partial<State>) => void, onCopy: (text: string) => void, onStep: (step: number) => void,
 *   onSelect: (buffer: number) => void, onDecode: () => void, onMeasure: () => void, onContrast: () => void,
 * }} Actions
 */
/** One piece of the strip. @typedef {{ from: number, to: number, kind: string, label: string, title: string, buffer?: number }} Part */

/** More pieces than this in one strip nobody can tell apart. */
const MAX_PARTS = 400;

/** The size to set with a margin, and its line. @param {Micro | null} micro @param {number} percent */
export function sizeToSet(micro, percent) {
  return micro?.margins.find((margin) => margin.percent === percent) ?? micro?.margins[0] ?? null;
}

/** @param {HTMLElement} root @param {Actions} actions */
export function createMicro(root, actions) {
  // What can be dragged stays; the rest is made anew.
  const [top, bar, moment, keys, below] = [h('div'), h('div', { class: 'whole', role: 'group' }), h('span', { class: 'moment' }), h('span', { class: 'keys' }), h('div', { class: 'words' })];
  const range = h('input', {
    type: 'range', id: 'moment', min: 0,
    oninput: () => actions.onPatch({ moment: range.value === range.max ? null : Number(range.value) }),
  });
  const arena = h('div', { class: 'arena' }, bar, h('div', { class: 'row filling' }, range, moment, h('span', { class: 'spacer' }), keys));
  append(root, [top, arena, below]);
  /** @type {(keyof State)[]} */
  const read = ['doc', 'phase', 'margin', 'moment', 'step', 'selected', 'language', 'boards'];
  return (/** @type {State} */ state, /** @type {State | null} */ before, /** @type {Lookup} */ chart) => {
    const { doc } = state;
    root.hidden = state.phase !== 'ready' || !doc?.micro;
    if (root.hidden || !doc?.micro || (before && read.every((key) => before[key] === state[key]))) return;
    const { micro } = doc;
    const focus = document.activeElement?.id;
    const size = sizeToSet(micro, state.margin);
    arena.hidden = below.hidden = size === null;
    fill(top, ...(size === null ? refused(doc, actions) : [paste(state, doc, micro, actions, root.querySelector('details')?.open ?? false)]));
    if (size !== null) {
      const at = momentOf(state, micro);
      const said = momentWords(state, doc, micro, at);
      range.max = String(micro.moments.length);
      range.value = String(at);
      range.setAttribute('aria-label', t('micro.moment'));
      range.setAttribute('aria-valuetext', said);
      bar.setAttribute('aria-label', t('micro.title'));
      fill(bar, ...strip(state, doc, micro, chart, actions, at, size.bytes));
      fill(moment, said);
      fill(keys, h('span', { class: 'key' }, term('tail', t('micro.tail'))), ...legend(micro, at));
      fill(below, ...words(micro), boardWords(state, doc, actions), ...offlineWords(doc, micro, actions));
    }
    if (focus && root.contains(document.getElementById(focus))) refocus(focus);
  };
}

/** The moment shown; after the last one the model runs. @param {State} state @param {Micro} micro */
function momentOf({ moment }, { moments }) {
  return moment === null ? moments.length : Math.min(moment, moments.length);
}

/** Why there is no size. @param {Doc} doc @param {Actions} actions */
function refused({ report }, actions) {
  const refusal = report.micro?.refusal;
  return [
    h('p', { class: 'refused' }, h('b', {}, t(refusal?.crashes ? 'micro.crashes' : 'micro.refused')), ' ', refusal ? stageWords(refusal.stage) : null, original(refusal?.reason ?? '')),
    refusal && refusal.log.length > 0 ? h('pre', {}, refusal.log.map(clean).join('\n')) : null,
    h('div', { class: 'row' }, ...tools(actions)),
  ];
}

/** While what; the reason's English sentence stands alone. @param {string} stage */
function stageWords(stage) {
  return isEnglish() ? null : h('span', {}, original(stage), '：');
}

// ── what to paste ────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {State} state @param {Doc} doc @param {Micro} micro @param {Actions} actions @param {boolean} open */
function paste(state, { report }, micro, actions, open) {
  const size = sizeToSet(micro, state.margin);
  const resolver = report.micro?.resolver ?? '';
  const line = size?.line ?? '';
  const select = h('select', { id: 'margin', onchange: () => actions.onPatch({ margin: Number(select.value) }) },
    ...micro.margins.map(({ percent }) => h('option', { value: percent, selected: percent === state.margin }, `${percent} %`)));
  const missing = report.micro?.missing_ops ?? [];
  const unknown = report.micro?.unknown_ops ?? [];
  return h('div', { class: 'row' },
    h('code', { class: 'line' }, line),
    h('button', { type: 'button', id: 'copy-line', onclick: () => actions.onCopy(line) }, t('micro.copy')),
    h('label', { class: 'margin' }, term('margin', t('micro.margin')), ' ', select),
    resolver === '' ? null : h('details', { class: 'menu', open }, h('summary', { id: 'resolver' }, t('micro.resolver')),
      h('div', { class: 'sheet' }, h('pre', { tabindex: 0 }, resolver),
        h('button', { type: 'button', id: 'copy-resolver', onclick: () => actions.onCopy(resolver) }, t('micro.copy')))),
    missing.length === 0 ? null : h('span', { class: 'short' }, t('micro.missing', { ops: missing.map(clean).join(', ') })),
    unknown.length === 0 ? null : h('span', { class: 'short' }, t('micro.unknown', { ops: unknown.map(clean).join(', ') })),
    h('span', { class: 'spacer' }), ...tools(actions));
}

/** @param {Actions} actions */
function tools({ onDecode, onContrast, onMeasure }) {
  return [
    h('button', { type: 'button', id: 'decode', onclick: onDecode }, t('decode.open')),
    h('button', { type: 'button', id: 'contrast', onclick: onContrast }, t('contrast.open')),
    h('button', { type: 'button', id: 'measure', onclick: onMeasure }, t('measure.open')),
  ];
}

// ── the strip ────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {State} state @param {Doc} doc @param {Micro} micro @param {Lookup} chart @param {Actions} actions @param {number} at @param {number} total */
function strip(state, doc, micro, chart, actions, at, total) {
  const low = at < micro.moments.length ? headThen(micro, at) : headNow(state, doc, micro, chart);
  return [...low, ...tailParts(micro, at, total)].slice(0, MAX_PARTS).map((part) => piece(part, total, actions));
}

/** Where the arena stands, in words. @param {State} state @param {Doc} doc @param {Micro} micro @param {number} at */
function momentWords(state, doc, micro, at) {
  const moment = micro.moments[at];
  if (!moment) {
    const step = doc.report.steps[state.step];
    return t('micro.running', { op: step ? clean(stepName(step)) : '', live: adaptive(step?.live_bytes ?? 0) });
  }
  const op = moment.op === null ? '' : ` ${moment.op} ${clean(moment.name)}`;
  return t('micro.at', {
    stage: t(`stage.${moment.stage}`), op, head: adaptive(moment.head), temp: adaptive(moment.temp_end - moment.head), tail: adaptive(moment.tail),
  });
}

/** Head and temporary part at a moment of the allocation. @param {Micro} micro @param {number} at @returns {Part[]} */
function headThen({ moments }, at) {
  const moment = moments[at];
  if (!moment) return [];
  const planned = moment.stage === 'finish';
  const name = t(planned ? 'micro.head' : 'micro.requests');
  const temp = t(moment.stage === 'plan' ? 'micro.tables' : 'micro.temp');
  return [
    { from: 0, to: moment.head, kind: 'head', label: name, title: `${name}: ${exact(moment.head)}` },
    { from: moment.head, to: moment.temp_end, kind: 'temp', label: temp, title: `${temp}: ${exact(moment.temp_end - moment.head)}` },
  ];
}

/** The head while the model runs: what is alive at the step, over what the plan has. @param {State} state @param {Doc} doc @param {Micro} micro @param {Lookup} chart @returns {Part[]} */
function headNow(state, doc, micro, chart) {
  const column = columnOf(doc, state.step);
  /** @type {Part[]} */
  const parts = [{ from: 0, to: micro.head, kind: 'plan', label: '', title: `${t('micro.head')}: ${exact(micro.head)}` }];
  for (const box of column < 0 ? [] : chart.alive(column)) {
    const id = doc.notes.members[box]?.[0];
    const buffer = id === undefined ? undefined : doc.report.buffers[id];
    if (id === undefined || !buffer || buffer.offset === null) continue;
    parts.push({
      from: buffer.offset, to: buffer.offset + (buffer.bytes ?? 0), label: buffer.ref, buffer: id,
      kind: `live role-${buffer.role}${state.selected === id ? ' chosen' : ''}`,
      title: `${buffer.ref} ${clean(buffer.name)}\n${exact(buffer.bytes ?? 0)}`,
    });
  }
  return parts;
}

/** The tail as far as it is made; neighbours of one kind are one part. @param {Micro} micro @param {number} at @param {number} total @returns {Part[]} */
function tailParts({ pieces, kinds, moments }, at, total) {
  const end = moments[Math.min(at, moments.length - 1)]?.tail ?? 0;
  const made = pieces.filter((made) => made.moment <= at);
  /** @type {(Part & { of: number, count: number })[]} */
  const parts = [];
  made.forEach((made, index) => {
    const above = pieces[index + 1]?.above ?? end;
    const last = parts.at(-1);
    if (last && last.of === made.kind) {
      last.from = total - above;
      last.count += made.count;
    } else {
      parts.push({ from: total - above, to: total - made.above, of: made.kind, count: made.count, kind: `kind-${made.kind}`, label: '', title: '' });
    }
  });
  for (const part of parts) {
    part.label = t(`kind.${part.of}`);
    part.title = `${t('micro.tail')}: ${t(`kind.${part.of}`)}${isEnglish() ? ` (${kinds[part.of] ?? ''})` : ''}\n${exact(part.to - part.from)}, ${t('micro.allocations', { count: part.count })}`;
  }
  return parts;
}

/** @param {Part} part @param {number} total @param {Actions} actions */
function piece(part, total, actions) {
  const { buffer } = part;
  const attributes = { class: `part ${part.kind}`, title: part.title };
  const text = h('span', {}, part.label);
  const element = buffer === undefined ? h('div', attributes, text)
    : h('button', { type: 'button', 'aria-label': part.title.replace(/\n/g, ', '), onclick: () => actions.onSelect(buffer), ...attributes }, text);
  element.style.left = `${(part.from / total) * 100}%`;
  element.style.width = `${((part.to - part.from) / total) * 100}%`;
  return element;
}

/** The tail's kinds with their bytes, largest first; and what is free. @param {Micro} micro @param {number} at */
function legend({ pieces, kinds }, at) {
  const sums = kinds.map((_, kind) => pieces.reduce((sum, piece) => sum + (piece.kind === kind && piece.moment <= at ? piece.bytes : 0), 0));
  const shown = kinds.map((_, kind) => kind).filter((kind) => (sums[kind] ?? 0) > 0).sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0));
  return shown.map((kind) => h('span', { class: 'key', title: exact(sums[kind] ?? 0) },
    h('i', { class: `kind-${kind}`, 'aria-hidden': 'true' }), `${t(`kind.${kind}`)} ${adaptive(sums[kind] ?? 0)}`));
}

// ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Micro} micro */
function words(micro) {
  const op = micro.deciding_op === null ? '' : t('micro.deciding.op', { op: micro.deciding_op, name: clean(micro.deciding_name) });
  return [h('p', {},
    t('micro.sum', { head: exact(micro.head), tail: exact(micro.tail ?? 0) }), ' ',
    h('b', {}, t(`micro.deciding.${micro.deciding ?? 'final'}`)), op, '. ', mark('head'), ' ',
    micro.safe !== null && micro.minimum !== null && micro.safe > micro.minimum
      ? h('span', { class: 'faint' }, t('micro.safe', { minimum: exact(micro.minimum) })) : null)];
}

/** What the file's own plan is worth. @param {Doc} doc @param {Micro} micro @param {Actions} actions */
function offlineWords(doc, { offline }, actions) {
  if (!offline) return [];
  const difference = offline.height - offline.greedy;
  const clashes = offline.overlaps.filter((overlap) => !overlap.in_place);
  const shared = offline.overlaps.length - clashes.length;
  const name = (/** @type {number} */ id) => doc.report.buffers[id]?.ref ?? '';
  const item = (/** @type {import('./types-micro.d.ts').OverlapNote} */ overlap) => {
    const step = overlap.steps[0] === null ? undefined : doc.report.steps[overlap.steps[0]];
    return h('li', {}, h('button', {
      type: 'button', class: 'ref', onclick: () => { if (overlap.steps[0] !== null) actions.onStep(overlap.steps[0]); actions.onSelect(overlap.buffers[0]); },
    }, t('offline.overlap', { a: name(overlap.buffers[0]), b: name(overlap.buffers[1]), bytes: exact(overlap.bytes), byte: overlap.first_byte, op: step ? clean(stepName(step)) : '–' })));
  };
  return [
    h('p', { class: 'offline' }, t('offline.lead', { placed: offline.placed, left: offline.left, height: exact(offline.height), greedy: exact(offline.greedy) }), ' ',
      h('b', { class: difference > 0 ? 'short' : 'fits' }, difference === 0 ? t('offline.same') : t(difference > 0 ? 'offline.worse' : 'offline.better', { bytes: signed(difference) })),
      shared > 0 ? ` ${t('offline.shared', { count: shared })}` : null,
      offline.unaligned.length > 0 ? ` ${t('offline.unaligned', { refs: offline.unaligned.slice(0, 8).map(name).join(', ') })}` : null),
    clashes.length === 0 ? h('p', { class: 'fits' }, t('offline.sound'))
      : h('div', { class: 'clashes' }, h('b', { class: 'short' }, t('offline.clashes', { count: clashes.length })), h('ul', {}, ...clashes.slice(0, 20).map(item))),
  ];
}
