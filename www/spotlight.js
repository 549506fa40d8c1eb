// @ts-check
// A ring around what is spoken of. It takes no click and hides nothing; it follows its target while the page scrolls.

import { h } from './dom.js';

/** Where the target is now, in the window's pixels; null when it is not there. @typedef {() => DOMRect | null} Find */

/** So far the ring stands off its target. */
const ROOM_PX = 5;
/** A ring that only points out an answer goes after this long. */
const FLASH_MS = 4000;

/** The place of an element. @param {string} selector @returns {Find} */
export function placeOf(selector) {
  return () => document.querySelector(selector)?.getBoundingClientRect() ?? null;
}

/** Scrolls a place into sight, above what covers the window's foot. @param {DOMRect} rect @param {number} covered */
export function bringIntoSight(rect, covered = 0) {
  const [low, high] = [12, window.innerHeight - covered - 12];
  if (rect.top >= low && rect.bottom <= high) return;
  const by = rect.height > high - low ? rect.top - low : (rect.top + rect.bottom) / 2 - (low + high) / 2;
  window.scrollBy({ top: by, behavior: 'instant' });
}

export function createSpotlight() {
  const ring = h('div', { id: 'spotlight', 'aria-hidden': 'true', hidden: true });
  document.body.append(ring);
  /** @type {Find | null} */
  let find = null;
  let waiting = 0;
  let timer = 0;

  function place() {
    waiting = 0;
    const rect = find?.() ?? null;
    ring.hidden = !rect || rect.width <= 0 || rect.height <= 0;
    if (!rect || ring.hidden) return;
    ring.style.left = `${rect.left - ROOM_PX}px`;
    ring.style.top = `${rect.top - ROOM_PX}px`;
    ring.style.width = `${rect.width + 2 * ROOM_PX}px`;
    ring.style.height = `${rect.height + 2 * ROOM_PX}px`;
  }

  function later() {
    if (find && !waiting) waiting = requestAnimationFrame(place);
  }
  window.addEventListener('scroll', later, { capture: true, passive: true });
  window.addEventListener('resize', later);
  new ResizeObserver(later).observe(document.body);

  /** @param {Find | null} target */
  function on(target) {
    window.clearTimeout(timer);
    find = target;
    place();
  }

  return {
    on, later,
    /** Points something out for a while. @param {Find} target */
    flash(target) {
      on(target);
      timer = window.setTimeout(() => on(null), FLASH_MS);
    },
    rect: () => find?.() ?? null,
  };
}
