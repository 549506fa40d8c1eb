// @ts-check
// The panel "What if": another type, other bytes, another end of the selected tensor, options of the whole, the list of
// changes, and the way back. Also undo and redo by keys.

import { original, warningWords } from './core-words.js';
import { swatch } from './details.js';
import { append, bringTo, byId, fill, h } from './dom.js';
import { both, clean } from './format.js';
import { panel } from './panels.js';
import { rich } from './rich.js';
import { ALIGNMENTS, PLANNERS, bytesFrom } from './settings.js';
import { stepName } from './state.js';
import { term } from './terms.js';
import { changesOf, partsOf, untouched, withEdit, without } from './undo.js';
import { changeWords, resultWords } from './whatif-words.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').BufferView} BufferView */
/**
 * @typedef {{
 *   get: () => State, onSettings: (patch: Partial<import('./types.d.ts').Settings>) => Promise<void> | void,
 *   onStep: (back: boolean) => void, onLay: () => void, onSelect: (buffer: number) => void,
 * }} Context
 */

const TYPES = ['float32', 'float16', 'int32', 'int16', 'int8', 'uint8', 'int4', 'int64', 'bool'];
/** More ends than this are typed instead of chosen. */
const MAX_ENDS = 300;
/** Consequences that are shown; the rest is among the remarks. */
const MAX_FOLLOWS = 8;

/** @param {Context} context */
export function createWhatIf(context) {
  const { get } = context;
  const { root, body, word, draw } = panel('whatif', (open) => { if (open) draw(); }, drawAll);
  const parts = { tensor: h('section', { class: 'tensor' }), whole: h('section', { class: 'options' }), changes: h('section', { class: 'changes' }) };
  fill(body, parts.tensor, parts.whole, parts.changes);
  const result = h('p', { class: 'result', id: 'whatif-result', role: 'status' });

  function drawAll() {
    const { doc } = get();
    if (!doc) return;
    fill(parts.tensor, h('h3', {}, term('whatif', t('whatif.tensor'))), ...tensorPart(doc));
    fill(parts.whole, h('h3', {}, t('whatif.whole')), ...wholePart());
    fill(parts.changes, h('h3', {}, t('whatif.changes')), ...changesPart(doc));
  }

  /** @param {string} ref @param {import('./undo.js').Edit['kind']} kind @param {string | null} value */
  function edit(ref, kind, value) {
    const { edits } = get().settings;
    const wanted = withEdit(edits, ref, kind, value);
    if (wanted.join() !== edits.join()) void context.onSettings({ edits: wanted });
  }

  /** @param {Doc} doc @returns {import('./dom.js').Child[]} */
  function tensorPart(doc) {
    const { selected, settings } = get();
    const buffer = selected === null ? undefined : doc.report.buffers[selected];
    if (!buffer) return [h('p', { class: 'faint' }, t('whatif.pick'))];
    const mine = settings.edits.map(partsOf).filter((one) => one.ref === buffer.ref);
    const title = h('p', { class: 'title' }, swatch(buffer.place === 'arena' ? buffer.role : 'file'), `${buffer.ref} `, clean(buffer.name));
    if (buffer.offset === null && mine.length === 0) return [title, h('p', { class: 'faint', id: 'whatif-unplaced' }, t(`whatif.unplaced.${buffer.place}`))];
    const had = doc.what_if?.targets.find((target) => target.ref === buffer.ref) ?? { bytes: buffer.bytes, dtype: buffer.dtype, last: buffer.last_step };
    const of = (/** @type {string} */ kind) => mine.find((one) => one.kind === kind)?.value ?? null;
    const isOut = of('outside') !== null;
    const isState = buffer.place === 'persistent';
    return [title,
      had.dtype === null ? null : row('type', typeChoice(buffer.ref, had.dtype, of('type'), isOut)),
      row('bytes', bytesField(buffer, had.bytes, isOut)),
      isState ? null : row('last', endChoice(doc, buffer, had.last, of('last'), isOut)),
      isState ? null : check('keep', of('keep') !== null, isOut, (on) => edit(buffer.ref, 'keep', on ? '' : null)),
      check('outside', isOut, false, (on) => edit(buffer.ref, 'outside', on ? '' : null))];
  }

  /** @param {string} ref @param {string} own @param {string | null} chosen @param {boolean} isOff */
  function typeChoice(ref, own, chosen, isOff) {
    const types = TYPES.filter((type) => type !== own);
    if (chosen !== null && !types.includes(chosen) && chosen !== own) types.push(chosen);
    const select = h('select', { id: 'whatif-type', disabled: isOff, onchange: () => edit(ref, 'type', select.value === '' ? null : select.value) },
      h('option', { value: '', selected: chosen === null }, t('whatif.own.type', { type: own })),
      ...types.map((type) => h('option', { value: type, selected: type === chosen }, type)));
    return select;
  }

  /** @param {BufferView} buffer @param {number | null} own @param {boolean} isOff */
  function bytesField(buffer, own, isOff) {
    const field = h('input', {
      type: 'text', id: 'whatif-bytes', autocomplete: 'off', inputmode: 'numeric', disabled: isOff, value: buffer.bytes ?? '', title: own === null ? '' : both(own),
      onchange() {
        const wanted = field.value.trim() === '' ? own : bytesFrom(field.value);
        field.setAttribute('aria-invalid', String(wanted === null));
        field.title = wanted === null ? t('set.budget.wrong') : '';
        if (wanted !== null && wanted !== buffer.bytes) edit(buffer.ref, 'bytes', wanted === own ? null : String(wanted));
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') field.dispatchEvent(new Event('change')); },
    });
    return field;
  }

  /** The steps after which it could end. @param {Doc} doc @param {BufferView} buffer @param {number | null} last @param {string | null} chosen @param {boolean} isOff */
  function endChoice(doc, buffer, last, chosen, isOff) {
    const from = buffer.first_step ?? 0;
    const to = Math.max(last ?? from, from);
    const isTflm = doc.report.options.runtime === 'tflm';
    const ends = doc.report.steps.filter((step) => step.step >= from && step.step <= to && (isTflm || step.subgraph === buffer.subgraph));
    const set = (/** @type {string} */ value) => edit(buffer.ref, 'last', value === '' || Number(value) === last ? null : value);
    if (ends.length > MAX_ENDS) {
      const field = h('input', {
        type: 'number', id: 'whatif-last', min: from, max: to, step: 1, disabled: isOff, value: chosen ?? to, title: t('whatif.last.wrong', { first: from, last: to }),
        onchange() {
          const isSound = field.value === '' || (Number.isInteger(Number(field.value)) && Number(field.value) >= from && Number(field.value) <= to);
          field.setAttribute('aria-invalid', String(!isSound));
          if (isSound) set(field.value);
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') field.dispatchEvent(new Event('change')); },
      });
      return field;
    }
    const select = h('select', { id: 'whatif-last', disabled: isOff || ends.length < 2, onchange: () => set(select.value) },
      h('option', { value: '', selected: chosen === null }, t('whatif.own')),
      ...ends.filter((step) => step.step !== last).map((step) => h('option', { value: step.step, selected: String(step.step) === chosen }, endName(step))));
    return select;
  }

  function wholePart() {
    const { settings } = get();
    const planner = h('select', { id: 'whatif-planner', onchange: () => { void context.onSettings({ planner: planner.value }); } },
      ...PLANNERS.map((name) => h('option', { value: name, selected: name === settings.planner }, name === 'runtime' ? t('set.planner.runtime') : name)));
    const alignment = h('select', { id: 'whatif-alignment', onchange: () => { void context.onSettings({ alignment: alignment.value === '' ? null : Number(alignment.value) }); } },
      h('option', { value: '', selected: settings.alignment === null }, t('set.alignment.own')),
      ...ALIGNMENTS.map((bytes) => h('option', { value: bytes, selected: bytes === settings.alignment }, `${bytes} B`)));
    return [row('alignment', alignment), row('planner', planner),
      check('preserve', settings.preserve_all_tensors, false, (on) => { void context.onSettings({ preserve_all_tensors: on }); })];
  }

  /** @param {Doc} doc @returns {import('./dom.js').Child[]} */
  function changesPart(doc) {
    const { settings, past, future, replanning, refusal } = get();
    result.textContent = replanning ? t('whatif.working') : resultWords(doc);
    const changes = changesOf(settings);
    const item = (/** @type {typeof changes[number]} */ change, /** @type {number} */ index) => {
      const words = changeWords(doc, change);
      const at = 'ref' in change ? doc.byRef.get(change.ref) : undefined;
      return h('li', {}, at === undefined ? h('span', {}, words) : h('button', { type: 'button', class: 'quiet words', onclick: () => context.onSelect(at) }, words),
        h('button', { type: 'button', class: 'quiet', id: `whatif-remove-${index}`, title: t('whatif.remove', { change: words }), 'aria-label': t('whatif.remove', { change: words }), onclick: () => { void context.onSettings(without(settings, change)); } }, '×'));
    };
    const follows = doc.report.warnings.filter((warning) => warning.code === 'what_if');
    const button = (/** @type {string} */ id, /** @type {boolean} */ isOff, /** @type {() => void} */ onclick, /** @type {string} */ title = '') =>
      h('button', { type: 'button', id: `whatif-${id}`, disabled: isOff, title: title || null, onclick }, t(`whatif.${id}`));
    return [result,
      refusal ? h('p', { class: 'bad', role: 'alert', id: 'whatif-refusal' }, rich(refusal.key, { message: original(refusal.message) })) : null,
      changes.length ? h('ol', { id: 'whatif-list' }, ...changes.map(item)) : null,
      h('div', { class: 'buttons' },
        button('undo', past.length === 0, () => context.onStep(true), t('whatif.undo.title')),
        button('redo', future.length === 0, () => context.onStep(false), t('whatif.redo.title')),
        button('over', changes.length === 0, () => { void context.onSettings(untouched(settings)); }),
        button('lay', changes.length === 0, context.onLay)),
      follows.length ? h('h4', {}, t('whatif.follows')) : null,
      follows.length ? h('ul', { id: 'whatif-follows' }, ...follows.slice(0, MAX_FOLLOWS).map((warning) => h('li', {}, warning.ref === null ? null : h('b', {}, `${clean(warning.ref)}: `), warningWords(warning))),
        follows.length > MAX_FOLLOWS ? h('li', { class: 'faint' }, `+${follows.length - MAX_FOLLOWS}`) : null) : null];
  }

  return {
    root,
    /** Shows the panel, with the focus on what changes the tensor. */
    open() {
      root.open = true;
      drawAll();
      bringTo(root, 'center');
      const first = body.querySelector('select:not(:disabled), input:not(:disabled)');
      if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    },
    /** @param {State} state @param {boolean} isOther @param {State | null} before */
    render(state, isOther, before) {
      root.hidden = !state.doc || state.doc.notes.members.length === 0;
      byId('chart').dataset.whatif = state.doc?.what_if ? 'true' : 'false';
      const isWorded = state.language !== before?.language;
      if (isWorded) word();
      if (isOther || isWorded || state.selected !== before?.selected || state.settings !== before?.settings || state.past !== before?.past || state.future !== before?.future
        || state.replanning !== before?.replanning || state.refusal !== before?.refusal) draw();
    },
  };
}

/** @param {import('./types.d.ts').StepView} step */
function endName(step) {
  return step.op_index === step.step ? clean(stepName(step)) : `${step.step}: ${clean(stepName(step))}`;
}

/** @param {string} key @param {HTMLElement} field */
function row(key, field) {
  return h('label', { class: 'field' }, h('span', {}, t(`whatif.${key}`)), field);
}

/** @param {string} key @param {boolean} checked @param {boolean} isOff @param {(on: boolean) => void} onChange */
function check(key, checked, isOff, onChange) {
  const box = h('input', { type: 'checkbox', id: `whatif-${key}`, checked, disabled: isOff, onchange: () => onChange(box.checked) });
  const label = h('label', { class: 'check' });
  append(label, [box, ` ${t(`whatif.${key}`)}`]);
  return label;
}

/** Ctrl-Z, Ctrl-Shift-Z, Ctrl-Y, but where text is typed they belong to the text. @param {(back: boolean) => void} onStep @param {() => boolean} isReady */
export function listenToUndo(onStep, isReady) {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !isReady() || document.querySelector('dialog[open]')) return;
    const { target } = event;
    if (target instanceof HTMLElement && (target.matches('input:not([type=radio]):not([type=checkbox]), textarea') || target.isContentEditable)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    onStep(key === 'z' && !event.shiftKey);
  });
}
