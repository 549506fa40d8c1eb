// @ts-check
// Makes the arena smaller: how low each planner comes, what else would help, and the smaller model itself.

import { AnalysisFailed, Cancelled } from './client.js';
import { adviceWords, codedText, failureLine, original, verdictWords } from './core-words.js';
import { fill, h } from './dom.js';
import { save } from './export.js';
import { failureAs } from './faults.js';
import { adaptive, both, clean, exact, grouped, percentAbove } from './format.js';
import { panel } from './panels.js';
import { term } from './terms.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./job-types.d.ts').Heights} Heights */
/** @typedef {import('./job-types.d.ts').Searched} Searched */
/** @typedef {import('./job-types.d.ts').Advices} Advices */
/** @typedef {import('./job-types.d.ts').Baked} Baked */
/** @typedef {import('./job-types.d.ts').BakeProgress} BakeProgress */
/**
 * @typedef {import('./types.d.ts').Failure | 'cancelled'} Trouble
 * @typedef {{
 *   heights: Heights | null, searched: Searched | null, searching: boolean, advices: Advices | null, failed: Trouble | null,
 *   wanted: { plan: boolean, reorder: boolean, seconds: number }, progress: BakeProgress | null, baking: boolean,
 *   baked: { report: Baked, bytes: Uint8Array } | null, bakeFailed: Trouble | null,
 * }} Work
 */

/** A look at the lowest plan when the panel opens, and a long one on request; seconds. */
const GLANCE = 2;
const LONG = 60;
const LIMITS = [5, 10, 30, 60, 300];

/** @returns {Work} */
function nothing() {
  return {
    heights: null, searched: null, searching: false, advices: null, failed: null,
    wanted: { plan: true, reorder: true, seconds: 10 }, progress: null, baking: false, baked: null, bakeFailed: null,
  };
}

/** @param {import('./panels.js').PanelContext} context */
export function createImprove(context) {
  let work = nothing();
  const { root, body, word, draw } = panel('improve', (open) => { if (open && !work.heights) void look(); }, drawAll);

  /** @param {Partial<Work>} patch */
  function put(patch) {
    Object.assign(work, patch);
    draw();
  }

  /** Runs a job for the model on screen now; what comes for an older one is dropped.
   * @param {import('./job-types.d.ts').Job} job @param {(progress: any) => void} onProgress */
  async function run(job, onProgress) {
    const mine = work;
    const done = await context.jobs.run(job, (progress) => { if (mine === work) onProgress(progress); });
    if (mine !== work) throw new Cancelled();
    return done;
  }

  async function look() {
    const mine = work;
    draw();
    try {
      put({ heights: (await run({ what: 'heights' }, () => {})).result });
      await search(GLANCE);
      if (work.heights?.own) put({ advices: (await run({ what: 'advice' }, () => {})).result });
    } catch (error) {
      if (mine === work) put({ failed: reason(error), searching: false });
    }
  }

  /** @param {number} seconds */
  async function search(seconds) {
    const mine = work;
    put({ searching: true });
    try {
      const { result } = await run({ what: 'search', seconds }, (searched) => { work.searched = searched; draw(drawPlanners); });
      put({ searched: result });
    } finally {
      if (mine === work) put({ searching: false });
    }
  }

  async function bake() {
    const mine = work;
    put({ baking: true, baked: null, bakeFailed: null, progress: null });
    try {
      const isMicro = context.get().settings.runtime === 'tflm';
      const { result, bytes } = await run({ what: 'bake', ...work.wanted, plan: work.wanted.plan && isMicro }, (progress) => { work.progress = progress; draw(drawWriting); });
      put({ baked: bytes ? { report: result, bytes } : null });
      context.say(result.plan || result.order ? t('improve.saved', { bytes: both(result.before.arena - result.after.arena) }) : t('improve.alone'));
    } catch (error) {
      if (mine === work) put({ bakeFailed: isCancelled(error) ? null : reason(error) });
    } finally {
      if (mine === work) put({ baking: false });
    }
  }

  const parts = { planners: h('section', { class: 'planners' }), advice: h('section', { class: 'advice' }), writing: h('section', { class: 'writing' }) };
  fill(body, parts.planners, parts.advice, parts.writing);

  function drawAll() {
    drawPlanners();
    fill(parts.advice, ...advice(work, context.get(), context.onSelect));
    drawWriting();
  }

  function drawPlanners() {
    fill(parts.planners, ...planners(work, context.get(), {
      onUse: (planner) => context.onSettings({ planner }),
      onSearch: () => { search(LONG).catch((error) => put({ failed: isCancelled(error) ? null : reason(error) })); },
      onStop: context.jobs.stop,
    }));
  }

  function drawWriting() {
    const state = context.get();
    const name = smallerName(state.file?.name ?? '');
    fill(parts.writing, ...writing(work, state, {
      onWanted: (patch) => put({ wanted: { ...work.wanted, ...patch } }),
      onBake: () => { void bake(); },
      onCancel: context.jobs.cancel,
      onSave: (bytes) => {
        save(name, new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)], { type: 'application/octet-stream' }));
        context.say(t('export.done', { name }));
      },
      onBeside: (bytes) => context.onBeside(name, bytes),
    }));
  }

  return {
    root,
    /** @param {State} state @param {boolean} isOther @param {State | null} before */
    render(state, isOther, before) {
      root.hidden = !state.doc || state.doc.notes.members.length === 0;
      if (state.language !== before?.language) {
        word();
        draw();
      }
      if (!isOther) return;
      work = { ...nothing(), wanted: work.wanted };
      if (root.open && !root.hidden) void look();
    },
  };
}

/** @param {unknown} error */
function isCancelled(error) {
  return error instanceof Cancelled;
}

/** @param {unknown} error @returns {Trouble} */
function reason(error) {
  if (isCancelled(error)) return 'cancelled';
  return error instanceof AnalysisFailed ? error.failure : failureAs('crash', String(error));
}

/** @param {Trouble | null} trouble */
function troubleWords(trouble) {
  return trouble === null ? null : h('p', { class: 'bad', role: 'alert' }, trouble === 'cancelled' ? t('improve.cancelled') : failureLine(trouble));
}

/** `kws.tflite.gz` → `kws-smaller.tflite` @param {string} name */
function smallerName(name) {
  return `${name.replace(/(\.(tflite|lite|gz|zip|task|litertlm|h|cc|c|cpp))+$/i, '') || 'model'}-smaller.tflite`;
}

/** @param {Work} work @param {State} state @param {{ onUse: (planner: string) => void, onSearch: () => void, onStop: () => void }} actions */
function planners({ heights, searched, searching }, { settings }, { onUse, onSearch, onStop }) {
  const bound = Math.max(heights?.bound ?? 0, searched?.bound ?? 0);
  const above = (/** @type {number} */ bytes) => (bytes <= bound ? t('improve.bound') : `+${percentAbove(bytes, bound)}`);
  const use = (/** @type {string} */ name, /** @type {boolean} */ isOff = false) => h('button', {
    type: 'button', id: `use-${name}`, class: 'chip', 'aria-pressed': String(settings.planner === name), disabled: isOff, onclick: () => onUse(name),
  }, t('improve.use'));
  const row = (/** @type {Heights['rows'][number]} */ { name, bytes, refused }) => h('tr', { title: refused === null ? exact(bytes) : codedText('core.refused', refused) },
    h('th', { scope: 'row' }, name, name === heights?.own ? h('span', { class: 'faint' }, ` ${t('improve.own')}`) : null),
    h('td', {}, refused ? t('improve.refused') : grouped(bytes)), h('td', { class: 'faint' }, refused ? '' : above(bytes)), h('td', {}, use(name, refused !== null)));
  const rows = [...(heights?.rows ?? [])].sort((a, b) => a.bytes - b.bytes);
  return [h('h3', {}, term('planner', t('improve.planners'))),
    heights === null ? h('p', { class: 'faint' }, t('improve.working')) : h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('set.planner')), h('th', { scope: 'col' }, t('improve.height')), h('th', { scope: 'col' }, term('bound', t('improve.above'))), h('th', {}))),
      h('tbody', {}, h('tr', { class: 'best' }, h('th', { scope: 'row' }, 'optimal'),
        h('td', {}, searched ? grouped(searched.best) : '…'), h('td', { class: 'faint' }, searched ? above(searched.best) : ''), h('td', {}, use('optimal'))), ...rows.map(row))),
    searched ? h('p', { id: 'proof', class: searched.proven ? 'good' : '' }, proofWords(searched, bound)) : null,
    searching ? h('p', {}, h('progress', { 'aria-label': t('improve.searching') }), ' ', h('button', { type: 'button', id: 'search-stop', onclick: onStop }, t('improve.stop')))
      : searched && !searched.done ? h('button', { type: 'button', id: 'search-on', onclick: onSearch }, t('improve.search', { seconds: LONG })) : null];
}

/** @param {Searched} searched @param {number} bound */
function proofWords({ best, proven, done, nodes }, bound) {
  if (proven) return t('improve.proven', { bytes: exact(best), nodes: grouped(nodes) });
  return t(done ? 'improve.gap.done' : 'improve.gap', { bytes: exact(best - bound), percent: percentAbove(best, Math.max(1, bound)), bound: exact(bound), nodes: grouped(nodes) });
}

/** @param {Work} work @param {State} state @param {(buffer: number) => void} onSelect */
function advice({ heights, advices, failed }, { doc }, onSelect) {
  if (heights && !heights.own) return [h('h3', {}, t('improve.advice')), h('p', { class: 'faint' }, t('improve.table'))];
  const item = (/** @type {Advices['list'][number]} */ one) => {
    const buffer = one.buffers[0];
    return h('li', {}, h('b', { title: exact(one.saved) }, `−${adaptive(one.saved)}`), ' ', doc && advices ? adviceWords(doc, advices, one) : null, ' ',
      h('span', { class: `basis ${one.basis}` }, t(`improve.basis.${one.basis}`)),
      buffer === undefined ? null : h('button', { type: 'button', class: 'quiet', onclick: () => onSelect(buffer) }, t('improve.show')));
  };
  return [h('h3', {}, term('basis', t('improve.advice'))),
    troubleWords(failed),
    advices === null ? (failed ? null : h('p', { class: 'faint' }, t('improve.working'))) : h('p', {}, verdictWords(advices)),
    advices && advices.list.length === 0 ? h('p', { class: 'faint' }, t('improve.none')) : h('ol', {}, ...(advices?.list ?? []).map(item))];
}

/**
 * @param {Work} work @param {State} state
 * @param {{ onWanted: (patch: Partial<Work['wanted']>) => void, onBake: () => void, onCancel: () => void, onSave: (bytes: Uint8Array) => void, onBeside: (bytes: Uint8Array) => void }} actions
 */
function writing(work, { settings }, { onWanted, onBake, onCancel, onSave, onBeside }) {
  const { heights, wanted, baking, progress, baked, bakeFailed } = work;
  if (heights && !heights.own) return [];
  const isMicro = settings.runtime === 'tflm';
  const check = (/** @type {'plan' | 'reorder'} */ name, /** @type {boolean} */ isOff) => h('label', { class: 'check' }, h('input', {
    type: 'checkbox', id: `bake-${name}`, checked: wanted[name] && !isOff, disabled: isOff || baking,
    onchange: (/** @type {Event} */ event) => onWanted({ [name]: /** @type {HTMLInputElement} */ (event.target).checked }),
  }), name === 'reorder' ? term('order', t('improve.bake.reorder')) : t(`improve.bake.${name}`));
  const limit = h('select', { id: 'bake-seconds', disabled: baking, onchange: () => onWanted({ seconds: Number(limit.value) }) },
    ...LIMITS.map((seconds) => h('option', { value: seconds, selected: seconds === wanted.seconds }, t('improve.seconds', { seconds }))));
  return [h('h3', {}, term('bake', t('improve.write'))),
    h('p', { class: 'faint' }, t('improve.write.note')),
    check('plan', !isMicro), isMicro ? null : h('p', { class: 'faint' }, t('improve.bake.tflite')), check('reorder', false),
    h('label', { class: 'check' }, t('improve.limit'), ' ', limit),
    baking ? h('div', {}, h('progress', { max: 1, value: progress?.done ?? null, 'aria-label': t('improve.working') }), ' ',
      h('button', { type: 'button', id: 'bake-cancel', onclick: onCancel }, t('improve.cancel')),
      progress ? h('p', { class: 'faint' }, t(`improve.phase.${progress.phase}`, { best: exact(progress.best), bound: exact(progress.bound) })) : null)
      : h('button', { type: 'button', id: 'bake', class: 'primary', disabled: !(wanted.reorder || (wanted.plan && isMicro)), onclick: onBake }, t('improve.bake')),
    troubleWords(bakeFailed),
    baked ? outcome(baked.report, () => onSave(baked.bytes), () => onBeside(baked.bytes)) : null];
}

/** @param {Baked} report @param {() => void} onSave @param {() => void} onBeside */
function outcome(report, onSave, onBeside) {
  const isSmaller = report.plan || report.order;
  const line = (/** @type {string} */ label, /** @type {number} */ before, /** @type {number} */ after) => h('tr', {}, h('th', { scope: 'row' }, label), h('td', {}, grouped(before)), h('td', {}, grouped(after)), h('td', { class: after < before ? 'good' : '' }, before === after ? '±0' : `−${grouped(before - after)}`));
  const how = report.plan && report.order ? 'both' : report.plan ? 'plan' : 'order';
  return h('div', { id: 'baked' },
    h('p', {}, isSmaller ? h('b', {}, t('improve.saved', { bytes: both(report.before.arena - report.after.arena) })) : t('improve.alone'), ' ', isSmaller ? t(`improve.how.${how}`) : ''),
    isSmaller ? h('table', {}, h('thead', {}, h('tr', {}, h('th', {}), h('th', { scope: 'col' }, t('improve.before')), h('th', { scope: 'col' }, t('improve.after')), h('th', {}))),
      h('tbody', {}, line(t('verdict.planned'), report.before.arena, report.after.arena),
        report.before.minimum !== null && report.after.minimum !== null ? line(t('improve.whole'), report.before.minimum, report.after.minimum) : null)) : null,
    h('p', { class: 'faint' }, report.after.arena <= (report.order_bound ?? -1) ? t('improve.order.best') : report.after.arena <= report.bound ? t('improve.plan.best') : t('improve.plan.bound', { bound: exact(report.bound) })),
    report.notes.length ? h('ul', {}, ...report.notes.map((note) => h('li', {}, original(note)))) : null,
    isSmaller ? h('div', { class: 'buttons' },
      h('button', { type: 'button', id: 'bake-save', class: 'primary', onclick: onSave }, t('improve.download')),
      h('button', { type: 'button', id: 'bake-beside', onclick: onBeside }, t('improve.beside'))) : null);
}
