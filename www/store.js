// @ts-check
// One immutable state; views are redrawn once per animation frame after it changed.

/**
 * @template S
 * @typedef {{ get(): S, set(patch: Partial<S>): void, subscribe(view: (state: S, before: S) => void): void, flush(): void }} Store
 */

/** @template S @param {S} initial @returns {Store<S>} */
export function createStore(initial) {
  let state = initial;
  let shown = initial;
  let waiting = 0;
  /** @type {((state: S, before: S) => void)[]} */
  const views = [];
  const flush = () => {
    cancelAnimationFrame(waiting);
    waiting = 0;
    while (shown !== state) {
      const before = shown;
      shown = state;
      for (const view of views) view(shown, before);
    }
  };
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...patch };
      if (!waiting) waiting = requestAnimationFrame(flush);
    },
    subscribe(view) { views.push(view); },
    flush,
  };
}
