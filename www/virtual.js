// @ts-check
// A list of which only the rows in sight exist: 15,000 operations cost as much as 40.

import { h } from './dom.js';

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

  function draw() {
    waiting = 0;
    const top = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 4);
    const bottom = Math.min(count, Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight) + 4);
    for (const [index, row] of rows) {
      if (index >= top && index < bottom) continue;
      row.remove();
      rows.delete(index);
    }
    for (let index = top; index < bottom; index += 1) {
      if (rows.has(index)) continue;
      const row = render(index);
      row.style.transform = `translateY(${index * rowHeight}px)`;
      row.classList.add('vrow');
      // Readers go by the order in the document, so a row stands behind the one above it.
      const above = rows.get(index - 1);
      if (above) above.after(row);
      else space.prepend(row);
      rows.set(index, row);
    }
  }

  function later() {
    if (!waiting) waiting = requestAnimationFrame(draw);
  }
  scroller.addEventListener('scroll', later, { passive: true });
  new ResizeObserver(() => {
    if (wanted >= 0) reveal(wanted);
    later();
  }).observe(scroller);

  /** @param {number} index */
  function reveal(index) {
    const top = index * rowHeight;
    const room = scroller.clientHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = Math.max(0, top - room / 4);
    else if (top + rowHeight > scroller.scrollTop + room) scroller.scrollTop = top + rowHeight - room * 0.75;
  }

  return {
    scroller,
    /** Shows so many rows anew. @param {number} length */
    update(length) {
      count = length;
      rows = new Map();
      space.replaceChildren();
      space.style.height = `${length * rowHeight}px`;
      draw();
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
