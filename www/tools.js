// @ts-check
// The buttons at the right of the bar: exports, colours, help.

import { fill, h, refocus } from './dom.js';
import { caption, fileName, pngBlob, save, svgText } from './export.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').View} View */
/**
 * @typedef {{
 *   get: () => State, chart: { picture: () => import('../pkg/arenascope.js').Chart | null, view: () => View },
 *   onHelp: () => void, onShare: () => void, onCompare: () => void, onTheme: (theme: State['theme']) => void, onLanguage: (language: State['language']) => void, say: (text: string) => void,
 * }} Context
 */

/** @type {State['theme'][]} */
const THEMES = ['system', 'light', 'dark'];

/** @param {HTMLElement} root @param {Context} context */
export function createTools(root, context) {
  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    if (before && before.phase === state.phase && before.before === state.before && before.theme === state.theme && before.language === state.language) return;
    const focus = document.activeElement?.id;
    const theme = THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length] ?? 'system';
    const label = t('tool.theme', { theme: t(`theme.${state.theme}`) });
    fill(root,
      state.phase === 'ready' ? h('button', { type: 'button', id: 'compare', 'aria-pressed': String(state.before !== null), title: t('compare.title'), onclick: context.onCompare }, t('tool.compare')) : null,
      state.phase === 'ready' ? h('button', { type: 'button', id: 'share', onclick: context.onShare }, t('tool.share')) : null,
      state.phase === 'ready' ? exportMenu(context) : null,
      h('button', { type: 'button', id: 'language', class: 'quiet', lang: state.language === 'zh' ? 'en' : 'zh-CN', onclick: () => context.onLanguage(state.language === 'zh' ? 'en' : 'zh') }, t('tool.language')),
      h('button', { type: 'button', id: 'theme', class: 'icon', title: label, 'aria-label': label, onclick: () => context.onTheme(theme) }, { system: '◐', light: '☼', dark: '☾' }[state.theme]),
      h('button', { type: 'button', id: 'help', class: 'icon', title: t('tool.help'), 'aria-label': t('tool.help'), onclick: context.onHelp }, '?'));
    refocus(focus);
  };
}

/** @param {Context} context */
function exportMenu(context) {
  const menu = h('details', { class: 'menu' }, h('summary', { id: 'export' }, t('tool.export')));
  const item = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => Promise<string>} */ run) =>
    h('button', { type: 'button', id: `export-${id}`, onclick: () => { menu.open = false; void attempt(run, context.say); } }, text);
  const png = (/** @type {number} */ scale) => item(`png-${scale}`, `${scale}×`, () => savePng(context, scale));
  menu.append(h('div', { class: 'sheet' },
    h('div', { class: 'group' }, h('span', {}, t('export.png')), png(1), png(2), png(4)),
    item('copy', t('export.copy'), () => copyPng(context)),
    item('svg', t('export.svg'), () => saveText(context, 'svg')),
    item('json', t('export.json'), () => saveText(context, 'json')),
    item('csv', t('export.csv'), () => saveText(context, 'csv')),
    item('plan', t('export.plan'), () => saveText(context, 'plan.json'))));
  return menu;
}

/** @param {() => Promise<string>} run @param {(text: string) => void} say */
async function attempt(run, say) {
  try {
    say(await run());
  } catch (error) {
    say(t('export.failed', { message: error instanceof Error ? error.message : String(error) }));
  }
}

/** @param {Context} context */
function drawn({ get, chart }) {
  const { doc } = get();
  const picture = chart.picture();
  if (!doc || !picture) throw new Error('no picture');
  return { doc, svg: svgText(picture, chart.view(), get()) };
}

/** @param {Context} context @param {number} scale */
async function savePng(context, scale) {
  const { doc, svg } = drawn(context);
  const name = fileName(doc, 'png');
  save(name, await pngBlob(svg, scale));
  return t('export.done', { name });
}

/** @param {Context} context */
async function copyPng(context) {
  const { doc, svg } = drawn(context);
  const blob = await pngBlob(svg, 2);
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob, 'text/plain': new Blob([Object.values(caption(doc)).join('\n')], { type: 'text/plain' }) })]);
  return t('export.copied');
}

/** @param {Context} context @param {'svg' | 'json' | 'csv' | 'plan.json'} kind */
async function saveText(context, kind) {
  const { doc } = context.get();
  if (!doc) throw new Error('no model');
  const [text, type] = kind === 'svg' ? [drawn(context).svg, 'image/svg+xml'] : kind === 'csv' ? [doc.csv, 'text/csv']
    : [kind === 'json' ? doc.json : doc.plan, 'application/json'];
  const name = fileName(doc, kind);
  save(name, new Blob([text], { type }));
  return t('export.done', { name });
}
