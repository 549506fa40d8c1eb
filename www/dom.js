// @ts-check
// Makes DOM nodes. Text is only ever set as text; no markup is parsed anywhere in the page.

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Props
 */

/**
 * An element. Properties that start with `on` are listeners, `class` and everything else attributes;
 * `null`, `undefined` and `false` leave an attribute out, `true` sets it empty.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Node} parent @param {Child[]} children */
export function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replaces what is in `parent`. @param {Element} parent @param {...Child} children */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/** The element of that id, which `index.html` holds. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

let byKeyboard = false;
for (const kind of ['pointerdown', 'keydown']) {
  document.addEventListener(kind, () => { byKeyboard = kind === 'keydown'; }, { capture: true });
}

/** Whether the last thing pressed was a key. */
export function wasKeyboard() {
  return byKeyboard;
}

/** Gives the focus back to an element that was drawn anew, if the keyboard brought it there; after a click it is let go,
 * so that the arrow keys step again. @param {string | undefined} id */
export function refocus(id) {
  if (id && byKeyboard) document.getElementById(id)?.focus();
}

/** Scrolls the page to an element, at once for those who want less motion. @param {HTMLElement} element @param {ScrollLogicalPosition} [block] */
export function bringTo(element, block = 'start') {
  element.scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth', block });
}

/** Sets text only when it differs, so that nothing is announced or laid out twice. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** CSS pixels for one pixel of text: more on very wide screens, where pictures grow with the text around them. @param {Element} element */
export function unitOf(element) {
  return parseFloat(getComputedStyle(element).getPropertyValue('--px')) || 1;
}
