// @ts-check
// The buttons at the right of the bar: comparing, sharing, exports, language, colours, help.

import { fill, h, refocus } from './dom.js';
import { exportMenu } from './export-menu.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').View} View */
/**
 * @typedef {{
 *   get: () => State, chart: { picture: () => import('../pkg/arenascope.js').Chart | null, view: () => View },
 *   onHelp: () => void, onQuestions: () => void, onShare: () => void, onCompare: () => void, onTheme: (theme: State['theme']) => void, onLanguage: (language: State['language']) => void, ask: import('./types-micro.d.ts').Ask, say: (text: string) => void,
 * }} Context
 */

/** @type {State['theme'][]} */
const THEMES = ['system', 'light', 'dark'];

/** @param {HTMLElement} root @param {Context} context */
export function createTools(root, context) {
  return (/** @type {State} */ state, /** @type {State | null} */ before) => {
    if (before && before.phase === state.phase && before.before === state.before && before.doc === state.doc && before.theme === state.theme && before.language === state.language) return;
    const focus = document.activeElement?.id;
    const theme = THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length] ?? 'system';
    const label = t('tool.theme', { theme: t(`theme.${state.theme}`) });
    fill(root,
      state.phase === 'ready' ? h('button', { type: 'button', id: 'questions', title: t('ask.open.title'), onclick: context.onQuestions }, t('ask.open')) : null,
      state.phase === 'ready' ? h('button', { type: 'button', id: 'compare', 'aria-haspopup': 'dialog', class: state.before ? 'on' : '', title: t('compare.title'), onclick: context.onCompare }, t('tool.compare')) : null,
      state.phase === 'ready' ? h('button', { type: 'button', id: 'share', onclick: context.onShare }, t('tool.share')) : null,
      state.phase === 'ready' ? exportMenu(context) : null,
      state.phase === 'ready' ? h('span', { class: 'rule', 'aria-hidden': 'true' }) : null,
      h('button', { type: 'button', id: 'language', class: 'quiet', lang: state.language === 'zh' ? 'en' : 'zh-CN', onclick: () => context.onLanguage(state.language === 'zh' ? 'en' : 'zh') }, t('tool.language')),
      h('button', { type: 'button', id: 'theme', class: 'icon', title: label, 'aria-label': label, onclick: () => context.onTheme(theme) }, { system: '◐', light: '☼', dark: '☾' }[state.theme]),
      h('button', { type: 'button', id: 'help', class: 'icon', title: t('tool.help'), 'aria-label': t('tool.help'), onclick: context.onHelp }, '?'));
    refocus(focus);
  };
}
