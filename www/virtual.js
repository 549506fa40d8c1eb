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
  let first = -1;
  let last = -1;
  let waiting = 0;

  function draw() {
    waiting = 0;
    const top = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 4);
    const bottom = Math.min(count, Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight) + 4);
    if (top === first && bottom === last) return;
    first = top;
    last = bottom;
    /** @type {HTMLElement[]} */
    const rows = [];
    for (let index = top; index < bottom; index += 1) {
      const row = render(index);
      row.style.transform = `translateY(${index * rowHeight}px)`;
      row.classList.add('vrow');
      rows.push(row);
    }
    space.replaceChildren(...rows);
  }

  function later() {
    if (!waiting) waiting = requestAnimationFrame(draw);
  }
  scroller.addEventListener('scroll', later, { passive: true });
  new ResizeObserver(later).observe(scroller);

  return {
    scroller,
    /** Shows `rows` rows anew. @param {number} rows */
    update(rows) {
      count = rows;
      first = -1;
      space.style.height = `${rows * rowHeight}px`;
      draw();
    },
    /** Scrolls as little as needed to show a row. @param {number} index */
    reveal(index) {
      const top = index * rowHeight;
      const room = scroller.clientHeight;
      if (top < scroller.scrollTop) scroller.scrollTop = Math.max(0, top - room / 4);
      else if (top + rowHeight > scroller.scrollTop + room) scroller.scrollTop = top + rowHeight - room * 0.75;
    },
  };
}
