// @ts-check
// The choice of what to compare the plan on screen with.

import { closeDialog, showDialog } from './dialogs.js';
import { h } from './dom.js';
import { ALIGNMENTS, KERNELS, PLANNERS } from './settings.js';
import { hasModel } from './state.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Settings} Settings */
/** @typedef {{ onKeep: () => void, onEnd: () => void, onSettings: (patch: Partial<Settings>) => void, onFile: (file: File) => void }} Actions */

/** @param {State} state @param {Actions} actions */
export function showChoice({ doc, before, settings }, actions) {
  if (!doc) return;
  const isModel = hasModel(doc);
  const isMicro = settings.runtime === 'tflm';
  /** @param {() => void} act */
  const chosen = (act) => () => {
    closeDialog();
    act();
  };
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ act, /** @type {string | null} */ key = null) =>
    h('button', { type: 'button', id: `compare-${id}`, class: 'way', onclick: chosen(act) }, h('span', {}, text), key === null ? null : h('kbd', {}, key));
  const list = (/** @type {string} */ id, /** @type {string} */ label, /** @type {[string, string][]} */ values, /** @type {(value: string) => void} */ act) => {
    const select = h('select', { id: `compare-${id}` }, ...values.map(([value, text]) => h('option', { value }, text)));
    return h('div', { class: 'way' }, h('label', {}, h('span', {}, label), select),
      h('button', { type: 'button', id: `compare-${id}-go`, 'aria-label': t('compare.choice.go', { what: label }), onclick: chosen(() => act(select.value)) }, t('tool.compare')));
  };
  const planners = PLANNERS.filter((name) => name !== settings.planner);
  const alignments = [null, ...ALIGNMENTS].filter((bytes) => bytes !== settings.alignment);
  const picker = h('input', { type: 'file', id: 'compare-picker', hidden: true, onchange: () => {
    const [file] = picker.files ?? [];
    if (file) chosen(() => actions.onFile(file))();
  } });
  const other = isMicro ? 'tflite' : 'tflm';
  showDialog(t('compare.choice.title'), h('div', { class: 'ways' },
    h('p', { class: 'faint' }, t('compare.choice.lead')),
    button('keep', t('compare.choice.keep'), actions.onKeep, 'C'),
    isModel ? button('runtime', t('compare.choice.runtime', { runtime: t(`set.runtime.${other}`) }), () => actions.onSettings({ runtime: other })) : null,
    list('planner', t('compare.choice.planner'), planners.map((name) => [name, name === 'runtime' ? t('set.planner.runtime') : name]), (planner) => actions.onSettings({ planner })),
    list('alignment', t('compare.choice.alignment'), alignments.map((bytes) => [String(bytes ?? ''), bytes === null ? t('set.alignment.own') : `${bytes} B`]),
      (value) => actions.onSettings({ alignment: value === '' ? null : Number(value) })),
    !isModel ? null : isMicro
      ? list('kernels', t('compare.choice.kernels'), KERNELS.filter((name) => name !== settings.kernels).map((name) => [name, t(`set.kernels.${name}`)]), (kernels) => actions.onSettings({ kernels }))
      : button('preserve', t(settings.preserve_all_tensors ? 'compare.choice.reuse' : 'compare.choice.preserve'), () => actions.onSettings({ preserve_all_tensors: !settings.preserve_all_tensors })),
    h('button', { type: 'button', id: 'compare-file', class: 'way', onclick: () => picker.click() }, t('compare.choice.file')), picker,
    before ? button('stop', t('compare.choice.end'), actions.onEnd, 'C') : null));
}
