// @ts-check
// The keyboard: which key does what. Letters go by their place on the keyboard and can be switched off.

import { h } from './dom.js';
import { glossary } from './terms.js';
import { t } from './texts.js';

/**
 * @typedef {{
 *   step: (by: number) => void, end: (last: boolean) => void, play: () => void, peak: () => void,
 *   neighbour: (up: boolean) => void, pan: (right: number, up: number) => void, zoom: (steps: number, bytes: number) => void,
 *   fit: () => void, fitSelection: () => void, mode: (index: number) => void, toggle: (what: 'gaps' | 'hex' | 'bound') => void,
 *   table: () => void, copyLink: () => void, compare: () => void, whatIf: () => void, filter: () => void, open: () => void, folder: () => void, help: () => void, questions: () => void, escape: () => void, cancel: () => (() => void) | null,
 *   letters: () => boolean, ready: () => boolean,
 * }} Commands
 */

const ZOOM = 1.35;
const PAN = 0.18;

/** @param {Commands} commands */
export function listenToKeys(commands) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const act = always(event, commands) ?? (commands.ready() ? named(event, commands) ?? lettered(event, commands) : null);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement
    && (target.matches('input:not([type=radio]):not([type=checkbox]), select, textarea') || target.isContentEditable);
}

/** Keys that belong to the element that has the focus. @param {KeyboardEvent} event */
function belongsToElement(event) {
  const { target, key } = event;
  if (!(target instanceof HTMLElement)) return false;
  if ((key === ' ' || key === 'Enter') && target.matches('button, summary, a, input, [role=tab]')) return true;
  return key.startsWith('Arrow') && target.matches('input[type=radio], [role=tab]');
}

/** @param {KeyboardEvent} event @param {Commands} c @returns {(() => void) | null} */
function always(event, c) {
  if (event.key === '?') return c.help;
  if (event.key === 'Escape' && c.cancel()) return c.cancel();
  if (event.code === 'KeyO' && c.letters()) return event.shiftKey ? c.folder : c.open;
  return null;
}

/** @param {KeyboardEvent} event @param {Commands} c @returns {(() => void) | null} */
function named(event, c) {
  if (belongsToElement(event)) return null;
  const far = event.shiftKey ? 10 : 1;
  switch (event.key) {
    case 'ArrowLeft': return () => c.step(-far);
    case 'ArrowRight': return () => c.step(far);
    case 'ArrowUp': return () => c.neighbour(true);
    case 'ArrowDown': return () => c.neighbour(false);
    case 'Home': return () => c.end(false);
    case 'End': return () => c.end(true);
    case ' ': return c.play;
    case 'Escape': return c.escape;
    case '+': case '=': return () => c.zoom(...zoomed(event, 1 / ZOOM));
    case '-': case '_': return () => c.zoom(...zoomed(event, ZOOM));
    case '0': return c.fit;
    case '/': return c.filter;
    default: return /^[1-6]$/.test(event.key) ? () => c.mode(Number(event.key) - 1) : null;
  }
}

/** `+` needs Shift on many keyboards, so only a Shift that gives `_` or comes with the number pad means bytes.
 * @param {KeyboardEvent} event @param {number} factor @returns {[number, number]} */
function zoomed(event, factor) {
  const bytes = event.shiftKey && (event.key === '_' || event.code.startsWith('Numpad'));
  return bytes ? [1, factor] : [factor, 1];
}

/** @param {KeyboardEvent} event @param {Commands} c @returns {(() => void) | null} */
function lettered(event, c) {
  if (!c.letters()) return null;
  const bytes = event.shiftKey;
  switch (event.code) {
    case 'KeyW': return bytes ? () => c.zoom(1, 1 / ZOOM) : () => c.zoom(1 / ZOOM, 1);
    case 'KeyS': return bytes ? () => c.zoom(1, ZOOM) : () => c.zoom(ZOOM, 1);
    case 'KeyA': return bytes ? () => c.pan(0, -PAN) : () => c.pan(-PAN, 0);
    case 'KeyD': return bytes ? () => c.pan(0, PAN) : () => c.pan(PAN, 0);
    case 'KeyP': return c.peak;
    case 'KeyF': return c.fitSelection;
    case 'KeyG': return () => c.toggle('gaps');
    case 'KeyH': return () => c.toggle('hex');
    case 'KeyL': return () => c.toggle('bound');
    case 'KeyV': return c.table;
    case 'KeyY': return c.copyLink;
    case 'KeyC': return c.compare;
    case 'KeyQ': return c.questions;
    case 'KeyX': return c.whatIf;
    default: return null;
  }
}

const KEYS = [
  ['← →', 'step'], ['Shift ← →', 'ten'], ['Home End', 'ends'], ['Space', 'play'], ['P', 'peak'], ['↑ ↓', 'neighbour'],
  ['W S', 'zoom'], ['A D', 'pan'], ['+ −', 'zoom'], ['0', 'fit'], ['F', 'selection'], ['1 … 6', 'mode'], ['G', 'gaps'], ['H', 'hex'],
  ['L', 'bound'], ['V', 'table'], ['C', 'compare'], ['X', 'whatif'], ['Ctrl+Z', 'undo'], ['Ctrl+Shift+Z', 'redo'], ['Y', 'share'], ['/', 'filter'], ['O', 'open'], ['Q', 'questions'], ['Shift O', 'folder'], ['Esc', 'escape'], ['?', 'help'],
];
const MOUSE = ['hover', 'click', 'double', 'drag', 'shiftdrag', 'wheel', 'ctrlwheel', 'altwheel', 'axis'];

/** What the help sheet shows. @param {boolean} letters @param {(on: boolean) => void} onLetters @param {() => void} onTour */
export function helpSheet(letters, onLetters, onTour) {
  const keys = KEYS.map(([key, text]) => [
    h('dt', {}, ...(key ?? '').split(' ').flatMap((one) => [h('kbd', {}, one), ' '])), h('dd', {}, t(`key.${text}`)),
  ]);
  const mouse = MOUSE.map((key) => [h('dt', {}, t(`mouse.${key}.how`)), h('dd', {}, t(`mouse.${key}`))]);
  return h('div', { class: 'help' },
    h('p', { class: 'wide' }, h('button', { type: 'button', id: 'help-tour', onclick: onTour }, t('tour.start')), ' ', h('span', { class: 'faint' }, t('tour.start.note'))),
    h('div', {}, h('h3', {}, t('help.title')), h('dl', { class: 'keys' }, ...keys.flat()),
      h('label', { class: 'check' }, h('input', {
        type: 'checkbox', checked: letters,
        onchange: (/** @type {Event} */ event) => onLetters(/** @type {HTMLInputElement} */ (event.target).checked),
      }), t('help.letters.on'))),
    h('div', {}, h('h3', {}, t('help.mouse')), h('dl', { class: 'keys' }, ...mouse.flat())),
    h('div', { class: 'wide' }, h('h3', {}, t('help.words')), glossary()));
}
