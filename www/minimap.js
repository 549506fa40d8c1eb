// @ts-check
// The line of live bytes over all steps; its window is the part the chart shows: it is moved, taken by an edge, or drawn anew.

import { t } from './texts.js';

/** @typedef {import('./types.d.ts').View} View */
/** @typedef {import('../pkg/arenascope.js').Chart} Picture */

/** As near to an edge of the window as this, the edge is taken. */
const EDGE_PX = 6;

/** A pointer that moved less than this has clicked. */
const STILL_PX = 4;

/** @param {HTMLCanvasElement} canvas @param {(view: View | null) => void} onView @param {() => void} onSize */
export function createMinimap(canvas, onView, onSize) {
  /** @type {{ view: View, whole: View } | null} */
  let shown = null;
  /** What a pointer holds: an edge of the window, the window, or a new one that begins where it was put down.
   * @type {{ kind: 'low' | 'high' | 'window' | 'new', at: number, x: number, view: View, isMoved: boolean } | null} */
  let drag = null;
  let size = { width: 0, height: 0 };
  /** Where the line's first step begins and its last one ends, from the left. */
  let span = { left: 0, width: 1 };
  /** The line, which is the same in all views of a picture. @type {{ picture: Picture, fill: string, width: number, image: HTMLCanvasElement } | null} */
  let kept = null;
  canvas.setAttribute('role', 'img');

  const px = (/** @type {number} */ step) => {
    const [x0, x1] = shown?.whole ?? [0, 1];
    return span.left + ((step - x0) / (x1 - x0)) * span.width;
  };
  const stepOf = (/** @type {number} */ x) => {
    const [x0, x1] = shown?.whole ?? [0, 1];
    return Math.max(x0, Math.min(x1, x0 + ((x - span.left) / span.width) * (x1 - x0)));
  };
  const placeOf = (/** @type {PointerEvent} */ event) => event.clientX - canvas.getBoundingClientRect().left;
  /** Shows the steps between two places, or all when they are all. @param {number} a @param {number} b @param {View} view */
  const show = (a, b, view) => {
    const { whole } = /** @type {NonNullable<typeof shown>} */ (shown);
    const least = Math.min(1, whole[1] - whole[0]);
    const low = Math.max(whole[0], Math.min(a, b, whole[1] - least));
    const high = Math.min(whole[1], Math.max(a, b, low + least));
    const isWhole = low <= whole[0] && high >= whole[1] && view[2] === whole[2] && view[3] === whole[3];
    onView(isWhole ? null : [low, high, view[2], view[3]]);
  };
  /** @param {number} low @param {View} view */
  const moveTo = (low, view) => {
    const [x0, x1] = shown?.whole ?? [0, 1];
    const length = view[1] - view[0];
    const start = Math.min(x1 - length, Math.max(x0, low));
    show(start, start + length, view);
  };
  /** What is taken at a place. @param {number} x */
  const heldAt = (x) => {
    const { view, whole } = /** @type {NonNullable<typeof shown>} */ (shown);
    if (view[0] <= whole[0] && view[1] >= whole[1]) return 'new';
    const [left, right] = [px(view[0]), px(view[1])];
    if (Math.abs(x - left) <= EDGE_PX && Math.abs(x - left) <= Math.abs(x - right)) return 'low';
    if (Math.abs(x - right) <= EDGE_PX) return 'high';
    return x > left && x < right ? 'window' : 'new';
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (!shown || event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const x = placeOf(event);
    drag = { kind: heldAt(x), at: stepOf(x), x, view: shown.view, isMoved: false };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!shown) return;
    const x = placeOf(event);
    if (!drag) {
      const cursors = { low: 'ew-resize', high: 'ew-resize', window: 'grab', new: 'crosshair' };
      canvas.style.cursor = cursors[heldAt(x)];
      return;
    }
    drag.isMoved ||= Math.abs(x - drag.x) >= STILL_PX;
    if (!drag.isMoved) return;
    const { kind, at, view } = drag;
    if (kind === 'window') moveTo(view[0] + stepOf(x) - at, view);
    else show(kind === 'new' ? at : kind === 'low' ? view[1] : view[0], stepOf(x), view);
  });
  canvas.addEventListener('pointerup', () => {
    // A click beside the window brings it there.
    if (drag?.kind === 'new' && !drag.isMoved) moveTo(drag.at - (drag.view[1] - drag.view[0]) / 2, drag.view);
  });
  for (const kind of ['pointerup', 'pointercancel']) canvas.addEventListener(kind, () => { drag = null; });
  canvas.addEventListener('dblclick', () => onView(null));
  new ResizeObserver(() => {
    size = { width: canvas.clientWidth, height: canvas.clientHeight };
    onSize();
  }).observe(canvas);

  return {
    /**
     * @param {Picture} picture @param {View} view @param {View} whole @param {number} column
     * @param {Record<'cursor' | 'fill' | 'line' | 'veil', string>} colours
     * @param {{ left: number, width: number, of: number }} plot the plot above, and how wide its canvas is
     */
    draw(picture, view, whole, column, colours, plot) {
      shown = { view, whole };
      // Below one chart its steps stand below the chart's; below two it has room of its own.
      const isBelow = plot.of >= size.width;
      span = isBelow ? { left: plot.left - (plot.of - size.width) / 2, width: plot.width } : { left: 0, width: size.width };
      // The language may have changed.
      if (canvas.getAttribute('aria-label') !== t('chart.live')) canvas.setAttribute('aria-label', t('chart.live'));
      const { width, height } = size;
      if (width < 20) return;
      const scale = Math.min(3, window.devicePixelRatio || 1);
      const context = canvas.getContext('2d');
      if (!context) return;
      if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
        kept = null;
      }
      if (kept?.picture !== picture || kept.fill !== colours.fill || kept.width !== span.width) {
        kept = { picture, fill: colours.fill, width: span.width, image: lineOf(picture, span.width, height, scale, colours) };
      }
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(kept.image, Math.round(span.left * scale), 0);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      const [left, right] = [px(view[0]), px(view[1])];
      context.fillStyle = colours.veil;
      context.fillRect(span.left, 0, left - span.left, height);
      context.fillRect(right, 0, span.left + span.width - right, height);
      if (left > span.left + 0.5 || right < span.left + span.width - 0.5) {
        context.strokeStyle = colours.cursor;
        context.lineWidth = 1.5;
        context.strokeRect(left + 0.75, 0.75, Math.max(1, right - left - 1.5), height - 1.5);
        // What the edges can be taken by.
        context.fillStyle = colours.cursor;
        for (const edge of [left, right]) context.fillRect(edge - 2, height / 2 - 8, 4, 16);
      }
      if (column >= 0) {
        const [from, wide] = [px(column), px(column + 1) - px(column)];
        context.fillStyle = colours.cursor;
        context.globalAlpha = 0.3;
        context.fillRect(from, 0, wide, height);
        context.globalAlpha = 1;
        context.fillRect(from + wide / 2 - 1, 0, 2, height);
      }
    },
  };
}

/**
 * The line of live bytes, the area below it filled.
 * @param {Picture} picture @param {number} width @param {number} height @param {number} scale @param {Record<'fill' | 'line', string>} colours
 */
function lineOf(picture, width, height, scale, colours) {
  const image = document.createElement('canvas');
  image.width = Math.round(width * scale);
  image.height = Math.round(height * scale);
  const context = image.getContext('2d');
  if (!context) return image;
  const live = picture.live_in(Math.ceil(width));
  const most = live.reduce((a, b) => Math.max(a, b), 1);
  const y = (/** @type {number} */ bytes) => height - 1 - (bytes / most) * (height - 4);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.beginPath();
  context.moveTo(0, height);
  live.forEach((bytes, x) => {
    context.lineTo(x, y(bytes));
    context.lineTo(x + 1, y(bytes));
  });
  context.lineTo(width, height);
  context.fillStyle = colours.fill;
  context.fill();
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.stroke();
  return image;
}
