// @ts-check
// Short help on every term, where it stands: a dotted word says what it means when pointed at, focused or tapped.
// Buttons may carry a term too (`data-term`); their click keeps its own meaning.

import { h, wasKeyboard } from './dom.js';
import { t } from './texts.js';

/** Every term, in the order of the glossary: from the whole to its parts, then what can be chosen, then what can be done. */
export const TERMS = [
  'arena', 'tensor', 'step', 'offset', 'lifetime', 'live', 'peak', 'bound', 'sharing', 'alias', 'gap', 'padding', 'headroom', 'alignment',
  'role', 'place', 'constant', 'variable', 'temporary', 'scratch', 'heap', 'dynamic', 'subgraph', 'stack', 'persistent',
  'head', 'tail', 'scope', 'minimum', 'used', 'margin', 'budget', 'board', 'apart', 'runtime', 'planner', 'kernels', 'abi', 'preserve',
  'whatif', 'basis', 'order', 'bake',
];

/** Rows of the details that are terms. @type {Record<string, string>} */
const DETAILS = {
  offset: 'offset', alive: 'lifetime', role: 'role', place: 'place', alias: 'alias', shares: 'sharing', live: 'live', scratches: 'scratch',
  born: 'lifetime', dies: 'lifetime', gap: 'gap', padding: 'padding', tensor: 'tensor', temporary: 'temporary', scratch: 'scratch', buffer: 'tensor', peak: 'peak',
};
/** Columns of the table that are terms. @type {Record<string, string>} */
export const COLUMNS = { role: 'role', place: 'place', offset: 'offset', first: 'lifetime', last: 'lifetime', shares: 'sharing' };

/** How long the pointer rests before a word explains itself, and how long it may be away. */
const REST_MS = 220;
const AWAY_MS = 160;

/** A word that explains itself. @param {string} id @param {...import('./dom.js').Child} content */
export function term(id, ...content) {
  return h('span', { class: 'term', 'data-term': id, tabindex: 0, role: 'button', 'aria-expanded': 'false' }, ...content);
}

/** A small question mark behind words that are no single term. @param {string} id */
export function mark(id) {
  return h('span', { class: 'term mark', 'data-term': id, tabindex: 0, role: 'button', 'aria-expanded': 'false', 'aria-label': t(`term.${id}`) }, '?');
}

/** The label of a row in the details. @param {string} key @param {string} text @returns {import('./dom.js').Child} */
export function detailTerm(key, text) {
  const id = DETAILS[key];
  return id ? term(id, text) : text;
}

/** A role or a place, if there is a word for it. @param {string} id @param {string} text @returns {string | HTMLElement} */
export function valueTerm(id, text) {
  return ['constant', 'variable', 'temporary', 'scratch', 'heap', 'persistent'].includes(id) ? term(id, text) : text;
}

/** All terms, for the help sheet. */
export function glossary() {
  return h('dl', { id: 'glossary' }, ...TERMS.flatMap((id) => [h('dt', {}, t(`term.${id}`)), h('dd', {}, t(`term.${id}.help`))]));
}

/** Listens for words to explain. @param {(text: string) => void} say Gives what must be called after the page was drawn. */
export function explainTerms(say) {
  const [title, text] = [h('b', {}), h('span', {})];
  const tip = h('div', { id: 'tip', role: 'tooltip', hidden: true }, title, text);
  document.body.append(tip);
  /** @type {HTMLElement | null} */
  let anchor = null;
  let isFocused = false;
  let isPinned = false;
  let timer = 0;

  /** @param {HTMLElement} at */
  function show(at) {
    window.clearTimeout(timer);
    if (anchor !== at) hide();
    anchor = at;
    const id = at.dataset.term ?? '';
    title.textContent = t(`term.${id}`);
    text.textContent = t(`term.${id}.help`);
    tip.hidden = false;
    at.setAttribute('aria-describedby', 'tip');
    if (at.matches('.term')) at.setAttribute('aria-expanded', 'true');
    place();
  }

  function hide() {
    window.clearTimeout(timer);
    tip.hidden = true;
    isPinned = false;
    if (anchor?.matches('.term')) anchor.setAttribute('aria-expanded', 'false');
    anchor?.removeAttribute('aria-describedby');
    anchor = null;
  }

  function place() {
    if (!anchor) return;
    const at = anchor.getBoundingClientRect();
    if (at.bottom < 0 || at.top > window.innerHeight || at.width === 0) {
      hide();
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = tip;
    const above = at.bottom + 8 + height > window.innerHeight && at.top - 8 - height > 0;
    tip.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`;
    tip.style.top = `${above ? at.top - 8 - height : at.bottom + 8}px`;
  }

  /** @param {EventTarget | null} target @returns {HTMLElement | null} */
  const termAt = (target) => (target instanceof Element ? target.closest('[data-term]') : null);

  document.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    const at = termAt(event.target);
    window.clearTimeout(timer);
    if (at && at !== anchor) timer = window.setTimeout(() => { if (at.isConnected) show(at); }, REST_MS);
    else if (!at && anchor && !isPinned && !isFocused && !tip.contains(/** @type {Node} */ (event.target))) timer = window.setTimeout(hide, AWAY_MS);
  });
  document.addEventListener('focusin', (event) => {
    const at = termAt(event.target);
    if (at && wasKeyboard()) {
      isFocused = true;
      show(at);
    }
  });
  document.addEventListener('focusout', () => {
    const left = anchor;
    // A word that is drawn anew loses the focus too, and has got it back by then.
    setTimeout(() => {
      if (!left || anchor !== left || document.activeElement === left) return;
      isFocused = false;
      if (!isPinned) hide();
    });
  });
  document.addEventListener('pointerdown', (event) => {
    if (anchor && !termAt(event.target) && !tip.contains(/** @type {Node} */ (event.target))) hide();
  });
  document.addEventListener('click', (event) => {
    const at = termAt(event.target);
    if (!at?.matches('.term')) return;
    event.preventDefault();
    event.stopPropagation();
    toggle(at);
  }, { capture: true });
  document.addEventListener('keydown', (event) => {
    const at = termAt(event.target);
    if (event.key === 'Escape' && anchor) {
      event.stopImmediatePropagation();
      event.preventDefault();
      hide();
    } else if ((event.key === 'Enter' || event.key === ' ') && at?.matches('.term')) {
      event.stopPropagation();
      event.preventDefault();
      toggle(at);
    }
  }, { capture: true });
  window.addEventListener('scroll', place, { capture: true, passive: true });
  window.addEventListener('resize', hide);

  /** @param {HTMLElement} at */
  function toggle(at) {
    if (anchor === at && isPinned) {
      hide();
      return;
    }
    show(at);
    isPinned = true;
    say(`${title.textContent}: ${text.textContent}`);
  }

  return () => {
    if (!anchor || anchor.isConnected) return;
    const [id, pinned, focused] = [anchor.dataset.term, isPinned, isFocused];
    const same = [...document.querySelectorAll(`[data-term="${id}"]`)].find((one) => one instanceof HTMLElement && one.offsetParent !== null);
    hide();
    if (!(same instanceof HTMLElement) || !(pinned || focused)) return;
    if (focused) same.focus({ preventScroll: true });
    show(same);
    [isPinned, isFocused] = [pinned, focused];
  };
}
