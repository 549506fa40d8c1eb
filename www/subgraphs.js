// @ts-check
// Models that call subgraphs: each arena in a picture of its own, and their sum along the deepest call stack.

import { Chart } from '../pkg/arenascope.js';
import { AnalysisFailed, Cancelled } from './client.js';
import { failureLine } from './core-words.js';
import { fill, h, unitOf } from './dom.js';
import { failureAs } from './faults.js';
import { both, clean, exact, grouped } from './format.js';
import { panel } from './panels.js';
import { isDark } from './state.js';
import { mark, term } from './terms.js';
import { plural, t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./job-types.d.ts').Arenas} Arenas */

const HEIGHT_PX = 340;

/** @param {import('./panels.js').PanelContext} context */
export function createSubgraphs(context) {
  /** @type {Arenas | null} */
  let found = null;
  /** @type {import('./types.d.ts').Failure | null} */
  let failed = null;
  let chosen = 0;
  /** @type {Chart | null} */
  let picture = null;
  /** Grows with every other model, so that late answers are dropped. */
  let turn = 0;
  /** Whether an address opened (or closed) the panel just now. @type {boolean | null} */
  let followed = null;
  const { root, body, word, draw } = panel('subgraphs', (open) => {
    // What an address opened or closed is known already, and may have changed since.
    if (open !== followed) context.onArena(open && !root.hidden ? chosen : null);
    followed = null;
    if (open && !found) void look();
  }, drawAll);
  const canvas = h('canvas', { role: 'img' });
  new ResizeObserver(() => paint()).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => paint());

  /** @param {() => Promise<void>} job */
  async function attempt(job) {
    const mine = turn;
    try {
      await job();
    } catch (error) {
      if (mine === turn && !(error instanceof Cancelled)) failed = error instanceof AnalysisFailed ? error.failure : failureAs('crash', String(error));
    }
    if (mine === turn) draw();
  }

  async function look() {
    const mine = turn;
    draw();
    await attempt(async () => {
      const { result } = await context.jobs.run({ what: 'arenas' });
      if (mine === turn) found = result;
    });
    if (mine === turn && found) await choose(Math.min(chosen, found.arenas.length - 1));
  }

  /** @param {number} index */
  function choose(index) {
    const mine = turn;
    return attempt(async () => {
      const { result } = await context.jobs.run({ what: 'scene', index });
      if (mine !== turn) return;
      picture?.free();
      picture = new Chart(result);
      chosen = index;
    });
  }

  /** Shows the arena that an address says, or closes the panel. @param {number | null} arena */
  function follow(arena) {
    if (root.hidden) return;
    const isOther = arena !== null && arena !== chosen;
    if (isOther && found) void choose(Math.min(arena, found.arenas.length - 1));
    else if (isOther) chosen = arena;
    if (root.open === (arena !== null)) return;
    followed = arena !== null;
    root.open = followed;
  }

  function drawAll() {
    if (failed) fill(body, h('p', { class: 'bad', role: 'alert' }, failureLine(failed)));
    else if (!found) fill(body, h('p', { class: 'faint' }, t('improve.working')));
    else {
      const arena = found.arenas[chosen];
      fill(body, stackView(found), h('section', { class: 'arenas' }, arenaTabs(found, chosen, (index) => { void choose(index); context.onArena(index); }),
        arena ? h('p', { class: 'faint', id: 'arena-facts' }, t('subgraphs.arena', { bytes: both(arena.bytes), bound: both(arena.bound), buffers: grouped(arena.buffers) }), ' ', mark('subgraph')) : null, canvas));
      if (arena) canvas.setAttribute('aria-label', t('subgraphs.picture', { name: arenaName(arena), bytes: both(arena.bytes) }));
      paint();
    }
  }

  function paint() {
    const width = Math.floor(canvas.clientWidth);
    if (!picture || width < 40 || !canvas.isConnected) return;
    const unit = unitOf(canvas);
    const scale = Math.min(3, window.devicePixelRatio || 1);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(HEIGHT_PX * scale);
    const { mode, gaps, bound, hex } = context.get();
    picture.set_style(isDark(context.get()) ? 'dark' : 'light', mode, gaps, bound, hex);
    picture.draw(canvas, picture.whole(), width / unit, HEIGHT_PX / unit, scale * unit);
  }

  return {
    root,
    /** @param {State} state @param {boolean} isOther @param {State | null} before */
    render(state, isOther, before) {
      if (isOther) {
        turn += 1;
        found = null;
        failed = null;
        root.hidden = !(state.doc && state.doc.report.options.runtime === 'tflite' && state.doc.report.steps.some((step) => step.subgraph !== 0));
        if (root.open && !root.hidden) void look();
      }
      if (state.arena !== before?.arena) follow(state.arena);
      const isWorded = state.language !== before?.language;
      if (isWorded) word();
      if (isWorded) draw();
      else if (state.theme !== before?.theme || state.mode !== before?.mode || state.gaps !== before?.gaps || state.bound !== before?.bound || state.hex !== before?.hex) paint();
    },
  };
}

/** @param {Arenas['arenas'][number]} arena */
function arenaName({ subgraph, name, kind }) {
  const text = t('subgraphs.name', { subgraph, name: clean(name) });
  return kind === 'persistent' ? t('subgraphs.persistent', { name: text }) : text;
}

/** @param {Arenas} found */
function stackView({ stack, stack_bytes: sum }) {
  if (stack.length === 0) return null;
  const row = (/** @type {Arenas['stack'][number]} */ frame, /** @type {number} */ depth) => h('tr', {},
    h('th', { scope: 'row' }, `${'\u2003'.repeat(Math.min(depth, 8))}${t('subgraphs.name', { subgraph: frame.subgraph, name: clean(frame.name) })}`),
    h('td', { class: 'words' }, clean(frame.step)), h('td', { title: exact(frame.bytes) }, frame.bytes === 0 ? '–' : grouped(frame.bytes)));
  return h('section', { class: 'stack' }, h('h3', {}, term('stack', t('subgraphs.stack'))), h('p', { class: 'faint' }, t('subgraphs.stack.note')),
    h('table', {}, h('tbody', {}, ...stack.map(row)), h('tfoot', {}, h('tr', {}, h('th', { scope: 'row' }, t('subgraphs.sum')), h('td', {}), h('td', { id: 'stack-sum' }, h('b', {}, grouped(sum)))))));
}

/** @param {Arenas} found @param {number} chosen @param {(index: number) => void} onChoose */
function arenaTabs({ arenas }, chosen, onChoose) {
  // A subgraph without state has an empty persistent arena: nothing to see.
  const filled = arenas.flatMap((arena, index) => (arena.buffers > 0 || index === chosen ? [index] : []));
  const arrow = (/** @type {KeyboardEvent} */ event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = filled[filled.indexOf(chosen) + by];
    if (!by || next === undefined) return;
    event.stopPropagation();
    document.getElementById(`arena-${next}`)?.focus();
    onChoose(next);
  };
  const tab = (/** @type {Arenas['arenas'][number]} */ arena, /** @type {number} */ index) => h('button', {
    type: 'button', role: 'tab', id: `arena-${index}`, 'aria-selected': String(index === chosen), tabindex: index === chosen ? 0 : -1,
    title: plural('subgraphs.buffers', arena.buffers), onclick: () => onChoose(index), onkeydown: arrow,
  }, arenaName(arena));
  return h('div', { class: 'tabs', role: 'tablist', 'aria-label': t('subgraphs.title') }, ...arenas.flatMap((arena, index) => (filled.includes(index) ? [tab(arena, index)] : [])));
}
