// @ts-check
// The choice of runtime, and its options.

import { boardChoice } from './boards.js';
import { fill, h, refocus } from './dom.js';
import { isMade, settingsShown } from './state.js';
import { term } from './terms.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Settings} Settings */

export const PLANNERS = ['runtime', 'tflite', 'tflm', 'no-reuse', 'linear', 'first-fit', 'best-fit', 'by-size', 'by-breadth', 'by-conflicts', 'optimal'];
export const KERNELS = ['reference', 'cmsis-nn', 'cmsis-nn-dsp', 'cmsis-nn-mve'];
export const ABIS = ['ilp32', 'arm', 'lp64'];
export const ALIGNMENTS = [1, 4, 8, 16, 32, 64, 128, 256];

/** @param {HTMLElement} root @param {(patch: Partial<Settings>) => void} onChange */
export function createSettings(root, onChange) {
  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    if (before && before.settings === state.settings && before.doc === state.doc && before.boards === state.boards && before.phase === state.phase && before.language === state.language) return;
    const isFixed = state.phase === 'ready' && state.doc !== null && isMade(state.doc);
    const settings = isFixed ? settingsShown(state) : state.settings;
    const open = root.querySelector('details')?.open ?? false;
    const focus = document.activeElement?.id;
    fill(root, runtimeSwitch(settings, onChange, isFixed), boardChoice(state, onChange), options(settings, onChange, open, isFixed));
    if (focus && root.querySelector(`#${focus}`)) refocus(focus);
  };
}

/** @param {Settings} settings @param {(patch: Partial<Settings>) => void} onChange @param {boolean} isFixed by a plan that came without its model */
function runtimeSwitch(settings, onChange, isFixed) {
  const choice = (/** @type {'tflite' | 'tflm'} */ runtime) => {
    const input = h('input', {
      type: 'radio', name: 'runtime', 'data-term': 'runtime', id: `runtime-${runtime}`, value: runtime, checked: settings.runtime === runtime, disabled: isFixed,
      onchange: () => onChange({ runtime }),
    });
    return h('label', {}, input, h('span', {}, t(`set.runtime.${runtime}`)));
  };
  const why = isFixed ? t('set.runtime.fixed') : null;
  return h('div', { class: 'switch', role: 'radiogroup', 'aria-label': t('set.runtime'), 'aria-disabled': String(isFixed), ...(why === null ? {} : { title: why, 'aria-description': why }) }, choice('tflite'), choice('tflm'));
}

/** @param {Settings} settings @param {(patch: Partial<Settings>) => void} onChange @param {boolean} open @param {boolean} isFixed */
function options(settings, onChange, open, isFixed) {
  const micro = settings.runtime === 'tflm';
  return h('details', { class: 'menu', open },
    h('summary', { id: 'set-summary' }, t('set.more')),
    h('div', { class: 'sheet form' },
      budgetField(settings, onChange),
      choose('planner', t('set.planner'), PLANNERS.map((name) => [name, name === 'runtime' ? t('set.planner.runtime') : name]),
        settings.planner, (planner) => onChange({ planner })),
      isFixed ? h('p', { class: 'faint', id: 'runtime-fixed' }, t('set.runtime.fixed')) : null,
      micro && !isFixed ? choose('kernels', t('set.kernels'), KERNELS.map((name) => [name, t(`set.kernels.${name}`)]),
        settings.kernels, (kernels) => onChange({ kernels })) : null,
      micro && !isFixed ? choose('abi', t('set.abi'), ABIS.map((name) => [name, t(`set.abi.${name}`)]),
        settings.abi, (abi) => onChange({ abi })) : null,
      choose('alignment', t('set.alignment'),
        [['', t('set.alignment.own')], ...ALIGNMENTS.map((bytes) => /** @type {[string, string]} */ ([String(bytes), `${bytes} B`]))],
        settings.alignment === null ? '' : String(settings.alignment),
        (value) => onChange({ alignment: value === '' ? null : Number(value) })),
      micro ? null : h('label', { class: 'check' }, h('input', {
        type: 'checkbox', id: 'set-preserve', checked: settings.preserve_all_tensors,
        onchange: (/** @type {Event} */ event) =>
          onChange({ preserve_all_tensors: /** @type {HTMLInputElement} */ (event.target).checked }),
      }), term('preserve', t('set.preserve')))));
}

/** `264K`, `1.5 MiB`, `270336`; null when it is none of these. @param {string} text @returns {number | null} */
export function bytesFrom(text) {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:([km])(?:i?b)?|b)?\s*$/i.exec(text);
  if (!found) return null;
  const bytes = Math.round(Number(found[1]) * ({ k: 1024, m: 1024 * 1024 }[(found[2] ?? '').toLowerCase()] ?? 1));
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null;
}

/** @param {Settings} settings @param {(patch: Partial<Settings>) => void} onChange */
function budgetField({ budget }, onChange) {
  const field = h('input', {
    type: 'text', id: 'set-budget', placeholder: t('set.budget.none'), value: budget === null ? '' : String(budget), autocomplete: 'off',
    onchange() {
      const wanted = field.value.trim() === '' ? null : bytesFrom(field.value);
      const isWrong = wanted === null && field.value.trim() !== '';
      field.setAttribute('aria-invalid', String(isWrong));
      field.title = isWrong ? t('set.budget.wrong') : '';
      if (!isWrong) onChange({ budget: wanted });
    },
  });
  return h('label', {}, h('span', {}, term('budget', t('set.budget'))), field);
}

/**
 * @param {string} id @param {string} label @param {string[][]} choices @param {string} value
 * @param {(value: string) => void} onChange
 */
function choose(id, label, choices, value, onChange) {
  const select = h('select', { id: `set-${id}`, onchange: () => onChange(select.value) },
    ...choices.map(([name, text]) => h('option', { value: name, selected: name === value }, text)));
  return h('label', {}, h('span', {}, term(id, label)), select);
}
