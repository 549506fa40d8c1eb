// Runs in the page: drives it frame by frame as a visitor would, and takes down what the browser's own clock says.
window.speed = (() => {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
  const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
  const part = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const round = (value) => Math.round(value * 10) / 10;
  const figures = (times) => {
    const sorted = times.toSorted((a, b) => a - b);
    return { count: sorted.length, median: round(part(sorted, 0.5)), p95: round(part(sorted, 0.95)), worst: round(sorted.at(-1) ?? 0) };
  };
  /** Long tasks that began since then. */
  const since = (from) => {
    const found = tasks.filter((task) => task.startTime >= from).map((task) => Math.round(task.duration));
    return { count: found.length, worst: Math.max(0, ...found) };
  };

  /** Does something in each of so many frames. */
  async function measured(name, count, act, before = () => {}) {
    before();
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    performance.clearMeasures('chart');
    await frame();
    const from = performance.now();
    const frames = [];
    let last = from;
    for (let index = 0; index < count; index += 1) {
      const now = await frame();
      if (index > 0) frames.push(now - last);
      last = now;
      act(index);
    }
    await frame();
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    const drawn = performance.getEntriesByName('chart').map((entry) => entry.duration);
    return { name, frames: figures(frames), draws: figures(drawn), long: since(from) };
  }

  const over = () => [...document.querySelectorAll('.over')].find((over) => over.clientWidth > 0);
  const at = (x, y) => {
    const box = over().getBoundingClientRect();
    return { clientX: box.left + 84 + (box.width - 190) * x, clientY: box.top + 60 + (box.height - 130) * y, bubbles: true, cancelable: true };
  };
  const wheel = (x, y, more) => over().dispatchEvent(new WheelEvent('wheel', { ...at(x, y), ...more }));
  const key = (name, more) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, code: name === '0' ? 'Digit0' : name, bubbles: true, cancelable: true, ...more }));

  const filter = () => document.querySelector('#filter');
  const words = ['b', 'b1', 'b12', 'b1', 'b', ''];
  const headings = ['name', 'bytes', 'offset', 'first', 'ref', 'dtype', 'shape'];
  const hover = (x, y) => over().dispatchEvent(new PointerEvent('pointermove', { ...at(x, y), pointerType: 'mouse' }));
  /** @type {Record<string, [number, (index: number) => void, (() => void)?]>} */
  const acts = {
    'zooming in': [40, () => wheel(0.4, 0.7, { deltaY: -60, ctrlKey: true }), () => key('0')],
    'zooming bytes': [20, () => wheel(0.4, 0.7, { deltaY: -60, altKey: true })],
    'panning': [60, (index) => wheel(0.5, 0.5, { deltaX: index % 40 < 20 ? 25 : -25, deltaY: 3 })],
    'zooming out': [60, () => wheel(0.4, 0.7, { deltaY: 60, ctrlKey: true })],
    'moving all in sight': [40, (index) => wheel(0.4, 0.7, { deltaY: index % 2 ? 8 : -8, ctrlKey: true }), () => key('0')],
    'stepping': [90, () => key('ArrowRight'), () => { key('0'); key('Home'); }],
    'selecting': [40, (index) => key(index % 20 < 10 ? 'ArrowUp' : 'ArrowDown')],
    'stepping, selected': [60, () => key('ArrowRight')],
    'hovering': [60, (index) => hover(index / 60, 0.3 + (index % 30) / 60)],
    'zooming and hovering': [40, (index) => {
      wheel(0.4, 0.7, { deltaY: index < 20 ? -60 : 60, ctrlKey: true });
      hover(index / 60, 0.5);
    }],
    'filtering': [36, (index) => {
      if (index % 6 !== 0) return;
      filter().value = words[index / 6];
      filter().dispatchEvent(new Event('input', { bubbles: true }));
    }, () => over().dispatchEvent(new PointerEvent('pointerleave'))],
    'sorting': [42, (index) => { if (index % 6 === 0) document.querySelector(`#tensors .c-${headings[index / 6]} button`)?.click(); }],
    'scrolling operations': [60, (index) => { document.querySelector('#ops .vscroll').scrollTop += index < 30 ? 400 : 40_000; }],
    'scrolling the table': [60, (index) => { document.querySelector('#tensors .vscroll').scrollTop += index < 30 ? 300 : 30_000; }],
    'colours': [24, (index) => { if (index % 4 === 0) key(String(index / 4 + 1)); }],
    'playing': [120, (index) => { if (index === 0 || index === 115) key(' '); }, () => { key('1'); key('Home'); }],
  };

  return {
    /** What opening took, from the first byte to the drawn picture. */
    opening() {
      const open = performance.getEntriesByName('open').at(-1);
      return { name: 'opening', took: round(open?.duration ?? 0), long: since(open?.startTime ?? 0), last: tasks.map((task) => [Math.round(task.startTime - (open?.startTime ?? 0)), Math.round(task.duration)]) };
    },
    /** What can be measured, by name: how many frames, what is done in each, and what comes before. */
    names: () => Object.keys(acts),
    run: (name) => measured(name, ...acts[name]),
  };
})();
