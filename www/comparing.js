// @ts-check
// Lays a plan that was kept beside the one on screen.

import { clean } from './format.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */

/** @param {{ store: import('./store.js').Store<State>, chart: ReturnType<typeof import('./chart.js').createChart>, say: (text: string) => void }} context */
export function createComparing({ store: { get, set }, chart, say }) {
  /** Keeps the plan on screen to lay others beside it, or lets go of the one that was kept. */
  function toggle() {
    const { doc, before } = get();
    const kept = before ? null : doc;
    chart.picture()?.set_before(kept?.scene);
    set({ before: kept, changes: changes(), view: null });
    say(kept ? t('compare.kept', { name: clean(kept.report.model.name) }) : t('compare.ended'));
  }

  /** @returns {import('./types.d.ts').Changes | null} */
  function changes() {
    const counts = chart.picture()?.changes();
    if (!counts) return null;
    const [same = 0, moved = 0, changed = 0, added = 0, removed = 0] = counts;
    return { same, moved, changed, added, removed };
  }

  return { toggle, changes };
}
