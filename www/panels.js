// @ts-check
// The panels below the chart: each does its own work, in a worker for long work, and only while it is open.

import { byId, h } from './dom.js';
import { createImprove } from './improve.js';
import { createJobs } from './jobs.js';
import { createResize } from './resize.js';
import { createSubgraphs } from './subgraphs.js';
import { t } from './texts.js';
import { createWhatIf } from './whatif.js';

/** @typedef {import('./types.d.ts').State} State */
/**
 * @typedef {{
 *   get: () => State, bytes: () => Uint8Array | null, module: () => WebAssembly.Module | null,
 *   onSettings: (patch: Partial<import('./types.d.ts').Settings>) => void | Promise<void>, onSelect: (buffer: number) => void,
 *   onBeside: (name: string, bytes: Uint8Array) => void, say: (text: string) => void, onStep: (back: boolean) => void, onLay: () => void,
 *   onArena: (arena: number | null) => void,
 * }} Context
 */
/** @typedef {Context & { jobs: ReturnType<typeof createJobs> }} PanelContext */

/** @param {HTMLElement} root @param {Context} context */
export function createPanels(root, context) {
  const jobs = createJobs(() => {
    const { file, settings } = context.get();
    const [bytes, module] = [context.bytes(), context.module()];
    return bytes && module && file ? { module, model: { name: file.name, bytes, settings } } : null;
  });
  const whatIf = createWhatIf(context);
  const panels = [whatIf, ...[createImprove, createResize, createSubgraphs].map((create) => create({ ...context, jobs }))];
  // What-ifs change the picture, so they stand right below it.
  byId('made-up').replaceChildren(whatIf.root);
  root.replaceChildren(...panels.filter((panel) => panel !== whatIf).map((panel) => panel.root));
  const render = (/** @type {State} */ state, /** @type {State | null} */ before) => {
    root.hidden = byId('made-up').hidden = state.phase !== 'ready';
    const isOther = state.doc !== before?.doc;
    if (isOther) jobs.cancel();
    for (const panel of panels) panel.render(state, isOther, before);
  };
  return { render, openWhatIf: whatIf.open };
}

/**
 * A part of the page that opens and closes.
 * @param {string} id @param {(open: boolean) => void} onToggle @param {() => void} drawAll
 */
export function panel(id, onToggle, drawAll) {
  const title = h('span', { class: 'title' });
  const note = h('span', { class: 'faint' });
  const body = h('div', { class: 'body' });
  const root = h('details', { id, class: 'panel' }, h('summary', {}, title, note), body);
  root.addEventListener('toggle', () => onToggle(root.open));
  let isLate = false;
  /** @param {() => void} draw */
  function drawNow(draw) {
    const focus = body.contains(document.activeElement) ? document.activeElement?.id : null;
    draw();
    if (!focus) return;
    // What had the focus may be gone, or off; it then stands at the panel's head, not at the page's.
    const again = document.getElementById(focus);
    if (again && !again.matches(':disabled')) again.focus();
    else root.querySelector('summary')?.focus({ preventScroll: true });
  }
  window.addEventListener('pointerup', () => {
    if (!isLate) return;
    isLate = false;
    setTimeout(() => drawNow(drawAll));
  });
  return {
    root, body,
    /** Draws a part, or all of it, but never under a pressed button: its click would be lost. @param {() => void} part */
    draw(part = drawAll) {
      if (!root.open) return;
      if (body.matches(':active')) isLate = true;
      else drawNow(part);
    },
    word() {
      title.textContent = t(`${id}.title`);
      note.textContent = t(`${id}.note`);
    },
  };
}
