// @ts-check
// Turns what the pointer does on the chart into zooms, moves, frames, hovers and clicks. Knows nothing of models.

/** In the picture's own pixels. @typedef {{ x: number, y: number }} Point */
/** @typedef {{ left: number, top: number, width: number, height: number }} Rect */
/** @typedef {import('./types.d.ts').View} View */
/**
 * @typedef {{
 *   area: () => Rect, unit: () => number, view: () => View,
 *   zoom: (factors: { steps: number, bytes: number }, about: Point) => void,
 *   pan: (right: number, up: number, from?: View) => void,
 *   zoomTo: (a: Point, b: Point) => void,
 *   fit: () => void,
 *   frame: (rect: Rect | null) => void,
 *   hover: (point: Point | null) => void,
 *   click: (point: Point) => void,
 * }} Sink
 */

/** A pointer that moved less than this was held still. */
const STILL_PX = 4;
/** One notch of a wheel is about 100. */
const WHEEL_ZOOM = 0.0022;

/** @param {HTMLElement} target @param {Sink} sink */
export function listenToPointer(target, sink) {
  /** @type {Map<number, Point>} */
  const touches = new Map();
  /** @type {{ kind: 'frame' | 'pan' | 'bytes' | 'steps', from: Point, last: Point, view: View, moved: boolean } | null} */
  let drag = null;

  const at = (/** @type {MouseEvent} */ event) => {
    const box = target.getBoundingClientRect();
    return { x: (event.clientX - box.left) / sink.unit(), y: (event.clientY - box.top) / sink.unit() };
  };
  /** As fractions of the plot: from the left, from the bottom. @param {Point} point @returns {Point} */
  const fraction = (point) => {
    const { left, top, width, height } = sink.area();
    return { x: (point.x - left) / width, y: 1 - (point.y - top) / height };
  };
  const clamped = (/** @type {Point} */ point) => {
    const { left, top, width, height } = sink.area();
    return { x: Math.min(left + width, Math.max(left, point.x)), y: Math.min(top + height, Math.max(top, point.y)) };
  };

  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 && event.button !== 1) return;
    const from = at(event);
    target.setPointerCapture(event.pointerId);
    sink.hover(null);
    if (event.pointerType === 'touch') {
      touches.set(event.pointerId, from);
      if (touches.size > 1) {
        drag = null;
        return;
      }
    }
    const { left, top, height } = sink.area();
    const kind = from.x < left ? 'bytes' : from.y > top + height ? 'steps'
      : event.shiftKey || event.button === 1 || event.pointerType === 'touch' ? 'pan' : 'frame';
    drag = { kind, from, last: from, view: sink.view(), moved: false };
  });

  target.addEventListener('pointermove', (event) => {
    const point = at(event);
    if (touches.size === 2 && touches.has(event.pointerId)) {
      pinch(event.pointerId, point);
      return;
    }
    if (!drag) {
      if (event.pointerType !== 'touch') sink.hover(point);
      return;
    }
    drag.moved ||= Math.hypot(point.x - drag.from.x, point.y - drag.from.y) > STILL_PX;
    if (drag.moved) moveDrag(drag, point);
  });

  /** @param {NonNullable<typeof drag>} current @param {Point} point */
  function moveDrag(current, point) {
    const { width, height } = sink.area();
    switch (current.kind) {
      case 'frame': {
        const [a, b] = [clamped(current.from), clamped(point)];
        sink.frame({ left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) });
        return;
      }
      case 'pan':
        sink.pan(-(point.x - current.from.x) / width, (point.y - current.from.y) / height, current.view);
        return;
      case 'bytes':
        sink.zoom({ steps: 1, bytes: Math.exp((point.y - current.last.y) / 150) }, fraction(current.from));
        current.last = point;
        return;
      case 'steps':
        sink.zoom({ steps: Math.exp(-(point.x - current.last.x) / 200), bytes: 1 }, fraction(current.from));
        current.last = point;
        return;
      default:
        /** @type {never} */ (current.kind);
    }
  }

  /** Two fingers: each axis by its own distance. @param {number} id @param {Point} point */
  function pinch(id, point) {
    const other = [...touches].find(([key]) => key !== id)?.[1];
    const before = touches.get(id);
    if (!other || !before) return;
    const ratio = (/** @type {number} */ was, /** @type {number} */ is) =>
      (Math.abs(was) > 30 && Math.abs(is) > 10 ? Math.abs(was) / Math.abs(is) : 1);
    const middle = fraction({ x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
    sink.zoom({ steps: ratio(before.x - other.x, point.x - other.x), bytes: ratio(before.y - other.y, point.y - other.y) }, middle);
    touches.set(id, point);
  }

  target.addEventListener('pointerup', (event) => {
    touches.delete(event.pointerId);
    const ended = drag;
    drag = null;
    if (!ended) return;
    sink.frame(null);
    const point = at(event);
    if (!ended.moved) {
      sink.click(point);
      return;
    }
    if (ended.kind === 'frame') {
      const [a, b] = [clamped(ended.from), clamped(point)];
      if (Math.abs(a.x - b.x) > STILL_PX && Math.abs(a.y - b.y) > STILL_PX) sink.zoomTo(fraction(a), fraction(b));
    }
  });
  target.addEventListener('pointercancel', (event) => {
    touches.delete(event.pointerId);
    drag = null;
    sink.frame(null);
  });
  target.addEventListener('pointerleave', () => sink.hover(null));
  target.addEventListener('dblclick', () => sink.fit());

  target.addEventListener('wheel', (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 32 : 1;
    const [dx, dy] = [(event.deltaX * lines) / sink.unit(), (event.deltaY * lines) / sink.unit()];
    const { width, height } = sink.area();
    if (event.ctrlKey || event.metaKey) sink.zoom({ steps: Math.exp(dy * WHEEL_ZOOM), bytes: 1 }, fraction(at(event)));
    else if (event.altKey) sink.zoom({ steps: 1, bytes: Math.exp((dy || dx) * WHEEL_ZOOM) }, fraction(at(event)));
    else if (event.shiftKey) sink.pan((dx || dy) / width, 0);
    else sink.pan(dx / width, -dy / height);
  }, { passive: false });
}
