// @ts-check
// The line of live bytes over all steps; its window is the part the chart shows, and can be dragged.

import { t } from './texts.js';

/** @typedef {import('./types.d.ts').View} View */
/** @typedef {import('../pkg/arenascope.js').Chart} Picture */

/** @param {HTMLCanvasElement} canvas @param {(view: View | null) => void} onView @param {() => void} onSize */
export function createMinimap(canvas, onView, onSize) {
  /** @type {{ view: View, whole: View } | null} */
  let shown = null;
  /** @type {{ at: number, view: View } | null} */
  let drag = null;
  let size = { width: 0, height: 0 };
  /** The line, which is the same in all views of a picture. @type {{ picture: Picture, fill: string, image: HTMLCanvasElement } | null} */
  let kept = null;
  canvas.setAttribute('role', 'img');

  const stepOf = (/** @type {PointerEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    const [x0, x1] = shown?.whole ?? [0, 1];
    return x0 + ((event.clientX - box.left) / box.width) * (x1 - x0);
  };
  /** @param {number} low @param {View} view */
  const moveTo = (low, view) => {
    const [x0, x1] = shown?.whole ?? [0, 1];
    const length = view[1] - view[0];
    const start = Math.min(x1 - length, Math.max(x0, low));
    onView([start, start + length, view[2], view[3]]);
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (!shown) return;
    canvas.setPointerCapture(event.pointerId);
    const at = stepOf(event);
    const { view } = shown;
    const inside = at >= view[0] && at <= view[1];
    if (!inside) moveTo(at - (view[1] - view[0]) / 2, view);
    drag = { at, view: inside ? view : [at - (view[1] - view[0]) / 2, at + (view[1] - view[0]) / 2, view[2], view[3]] };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (drag) moveTo(drag.view[0] + stepOf(event) - drag.at, drag.view);
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
     */
    draw(picture, view, whole, column, colours) {
      shown = { view, whole };
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
      if (kept?.picture !== picture || kept.fill !== colours.fill) {
        kept = { picture, fill: colours.fill, image: lineOf(picture, width, height, scale, colours) };
      }
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(kept.image, 0, 0);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      const px = (/** @type {number} */ step) => ((step - whole[0]) / (whole[1] - whole[0])) * width;
      const [left, right] = [px(view[0]), px(view[1])];
      context.fillStyle = colours.veil;
      context.fillRect(0, 0, left, height);
      context.fillRect(right, 0, width - right, height);
      if (left > 0.5 || right < width - 0.5) {
        context.strokeStyle = colours.cursor;
        context.lineWidth = 1.5;
        context.strokeRect(left + 0.75, 0.75, right - left - 1.5, height - 1.5);
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
