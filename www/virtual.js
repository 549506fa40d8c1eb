// @ts-check
// A list of which only the rows in sight exist: 15,000 operations cost as much as 40.

import { h } from './dom.js';

/** Rows out of sight are made after so long. */
const UNSEEN_MS = 120;

/**
 * @param {{
 *   parent: HTMLElement, rowHeight: number, label: string, role: string,
 *   render: (index: number) => HTMLElement,
 * }} options
 */
export function createVirtualList({ parent, rowHeight, label, role, render }) {
  const space = h('div', { class: 'vspace' });
  const scroller = h('div', { class: 'vscroll', role, 'aria-label': label, tabindex: '0' }, space);
  parent.appendChild(scroller);
  let count = 0;
  let waiting = 0;
  /** The row that should be in sight. */
  let wanted = -1;
  /** Rows that exist, by their index. @type {Map<number, HTMLElement>} */
  let rows = new Map();
  // Where the list stands and how high it is, kept so that drawing never makes the browser lay the page out first.
  let top = 0;
  let room = 0;
  /** Whether the browser has yet to be told of `top`. */
  let isPlaced = true;
  /** Whether any of it is on the screen; what is not can wait a moment. */
  let isSeen = true;
  /** @type {number | undefined} */
  let idle;

  function draw() {
    waiting = 0;
    window.clearTimeout(idle);
    idle = undefined;
    const isFar = !isPlaced;
    isPlaced = true;
    const first = Math.max(0, Math.floor(top / rowHeight) - 4);
    const end = Math.min(count, Math.ceil((top + room) / rowHeight) + 4);
    for (const [index, row] of rows) {
      if (index >= first && index < end) continue;
      row.remove();
      rows.delete(index);
    }
    for (let index = first; index < end; index += 1) {
      if (rows.has(index)) continue;
      const row = render(index);
      row.style.top = `${index * rowHeight}px`;
      row.classList.add('vrow');
      // Readers go by the order in the document, so a row stands behind the one above it.
      const above = rows.get(index - 1);
      if (above) above.after(row);
      else space.prepend(row);
      rows.set(index, row);
    }
    if (isFar) scroller.scrollTop = top;
  }

  function later() {
    if (isSeen) waiting ||= requestAnimationFrame(draw);
    else idle ??= window.setTimeout(draw, UNSEEN_MS);
  }
  scroller.addEventListener('scroll', () => {
    if (!isPlaced) return;
    top = scroller.scrollTop;
    later();
  }, { passive: true });
  new ResizeObserver(() => {
    room = scroller.clientHeight;
    if (wanted >= 0) reveal(wanted);
    draw();
  }).observe(scroller);
  new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? true;
    if (isSeen && idle !== undefined) draw();
  }).observe(scroller);

  /** @param {number} index */
  function reveal(index) {
    if (room === 0) return;
    const [above, below] = [index * rowHeight, (index + 1) * rowHeight];
    const most = Math.max(0, count * rowHeight - room);
    if (above < top) place(Math.min(most, Math.max(0, above - room / 4)));
    else if (below > top + room) place(Math.min(most, below - room * 0.75));
  }

  /** Scrolls once all views are drawn: scrolling makes the browser lay the page out. @param {number} to */
  function place(to) {
    top = to;
    if (!isPlaced) return;
    isPlaced = false;
    soon();
  }

  /** Once all views are drawn, and still in this frame. */
  function soon() {
    if (isSeen) queueMicrotask(draw);
    else later();
  }

  return {
    scroller,
    /** Shows so many rows anew. @param {number} length */
    update(length) {
      count = length;
      rows = new Map();
      space.replaceChildren();
      space.style.height = `${length * rowHeight}px`;
      top = Math.min(top, Math.max(0, length * rowHeight - room));
      soon();
    },
    /** Lets every row that exists be changed in place. @param {(row: HTMLElement, index: number) => void} change */
    touch(change) {
      for (const [index, row] of rows) change(row, index);
    },
    /** Scrolls as little as needed to show a row, and again when the list's height changes. @param {number} index */
    reveal(index) {
      wanted = index;
      reveal(index);
    },
  };
}
