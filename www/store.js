// @ts-check
// One immutable state; views are redrawn once per animation frame after it changed.

/**
 * @template S
 * @typedef {{
 *   get(): S, set(patch: Partial<S>): void, subscribe(view: (state: S, before: S | null) => void): void,
 *   flush(): void, settle(): Promise<void>,
 * }} Store
 */

/** Lets the browser do something else. */
export function breathe() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}

/** Does something once the browser has nothing else to do. @param {() => void} run */
export function whenIdle(run) {
  if (window.requestIdleCallback) window.requestIdleCallback(run);
  else setTimeout(run, 200);
}

/** @template S @param {S} initial @returns {Store<S>} */
export function createStore(initial) {
  let state = initial;
  let waiting = 0;
  /** Each with the state that it showed last. @type {{ view: (state: S, before: S | null) => void, shown: S | null }[]} */
  const views = [];
  /** Draws the first view that is behind. */
  const drawOne = () => {
    const late = views.find(({ shown }) => shown !== state);
    if (!late) return false;
    const before = late.shown;
    late.shown = state;
    late.view(state, before);
    return true;
  };
  const flush = () => {
    cancelAnimationFrame(waiting);
    waiting = 0;
    while (drawOne());
  };
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...patch };
      waiting ||= requestAnimationFrame(flush);
    },
    subscribe(view) { views.push({ view, shown: null }); },
    /** Draws everything now. */
    flush,
    /** Draws everything, each view in a task of its own: for changes that all views take long over. */
    async settle() {
      cancelAnimationFrame(waiting);
      waiting = 0;
      while (drawOne()) await breathe();
    },
  };
}
