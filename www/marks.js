// @ts-check
// What lies over the picture: the step, the selection, what is pointed at, the frame that is drawn. Elements, not a
// canvas: moving one costs the same on every screen, and the picture below stays as it is.

import { h } from './dom.js';

/** @typedef {import('./chart.js').Rect} Rect */
/** A part of the plot: from left and from its top, in CSS pixels. @typedef {{ left: number, top: number, width: number, height: number }} Place */

/** Narrower columns have no right edge. */
const EDGED_PX = 3;

/** Farther out than this nothing is seen; an element is never larger than the plot by more than twice this. */
const BEYOND_PX = 64;

/** @param {HTMLElement} plot */
export function createMarks(plot) {
  const [step, hover, pointed, chosen, frame] = ['step', 'hover', 'hover pointed', 'chosen', 'frame'].map((kind) => h('i', { class: kind }));
  const root = h('div', { class: 'marks', 'aria-hidden': 'true' }, step, hover, pointed, chosen, frame);
  plot.append(root);
  /** @type {Rect} */
  let area = { left: 0, top: 0, width: 0, height: 0 };

  /** @param {HTMLElement | undefined} mark @param {Place | null} at */
  function put(mark, at) {
    if (!mark) return;
    mark.style.display = at ? 'block' : 'none';
    if (!at) return;
    const left = Math.max(-BEYOND_PX, at.left);
    const top = Math.max(-BEYOND_PX, at.top);
    const right = Math.min(area.width + BEYOND_PX, at.left + at.width);
    const bottom = Math.min(area.height + BEYOND_PX, at.top + at.height);
    mark.style.width = `${Math.max(0, right - left)}px`;
    mark.style.height = `${Math.max(0, bottom - top)}px`;
    mark.style.transform = `translate(${left}px, ${top}px)`;
  }

  return {
    /** Where the plot is. @param {Rect} to */
    within(to) {
      if (to.left === area.left && to.top === area.top && to.width === area.width && to.height === area.height) return;
      area = to;
      for (const side of /** @type {const} */ (['left', 'top', 'width', 'height'])) root.style[side] = `${area[side]}px`;
    },
    /** The column of the step, from left to right; null: none. @param {[number, number] | null} at */
    step(at) {
      put(step, at && { left: Math.round(at[0]), top: 0, width: Math.max(1.5, at[1] - Math.round(at[0])), height: area.height });
      step?.classList.toggle('wide', at !== null && at[1] - at[0] > EDGED_PX);
    },
    /** @param {Place | null} at */
    hover: (at) => put(hover, at),
    /** @param {Place | null} at */
    pointed: (at) => put(pointed, at),
    /** @param {Place | null} at */
    chosen: (at) => put(chosen, at),
    /** In the window of the whole chart. @param {Rect | null} at */
    frame: (at) => put(frame, at && { ...at, left: at.left - area.left, top: at.top - area.top }),
  };
}
