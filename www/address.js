// @ts-check
// The address follows what is on screen, so that reload, Back and Forward return to it. A large move (another file, runtime,
// option, comparison) is a new entry of the browser's history; everything else rewrites the entry, at most a few times a second.
// What was on screen in this visit is kept in memory; after a reload the address is all there is.

import { failureAs } from './faults.js';
import { offered } from './filters.js';
import { packedOf, unpackedOf } from './links.js';
import { linkOf, MAX_LINK, planFragment, viewFragment } from './share.js';
import { hasModel, initialSettings } from './state.js';
import { clean } from './format.js';
import { t } from './texts.js';
import { sameSettings } from './undo.js';
import { absentIn, besideIn, paramsOf, placeIn, planSettingsIn, settingsIn, viewIn } from './view-params.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').Doc} Doc */
/** @typedef {import('./types.d.ts').LinkNote} LinkNote */
/** @typedef {import('./types.d.ts').Settings} Settings */
/** @typedef {import('./opening.js').Input} Input */
/** @typedef {{ id: number, input: Input | null, settings: Settings, before: Doc | null, kept: import('./types-compare.d.ts').Input | null, link: LinkNote | null, manifests: State['manifests'], params: URLSearchParams }} Entry */
/**
 * @typedef {{
 *   store: import('./store.js').Store<State>, chart: ReturnType<typeof import('./chart.js').createChart>,
 *   opening: ReturnType<typeof import('./opening.js').createOpening>, comparing: ReturnType<typeof import('./comparing.js').createComparing>,
 *   tour: ReturnType<typeof import('./tour.js').createTour>, say: (text: string) => void,
 * }} Context
 */

/** Browsers allow some hundred rewritings in half a minute. */
const WAIT_MS = 350;
/** Plans of more boxes are not even tried: no address holds them. */
const MAX_BOXES = 20_000;
/** Files kept for Back, all together. */
const MAX_KEPT_BYTES = 512 << 20;

/** The fragment that returns to a state; the plan goes in when it is packed and short enough.
 * @param {State} state @param {string | null} packed @param {import('./share.js').Names} names */
export function fragmentOf({ doc, ...rest }, packed, names) {
  const params = paramsOf({ doc, ...rest }, names);
  const whole = packed === null ? null : planFragment(packed, params);
  if (whole !== null && new URL(whole, location.href).href.length <= MAX_LINK) return whole;
  if (names === 'kept' && doc) params.set('name', doc.report.model.name.slice(0, 200));
  if (doc) params.set('sha256', doc.report.model.sha256);
  return viewFragment(params);
}

/** @param {Context} context */
export function createAddress({ store, chart, opening, comparing, tour, say }) {
  const { get, set } = store;
  // Entries of an earlier life of this page are in the browser's history too, but no longer in memory.
  const life = crypto.getRandomValues(new Uint32Array(2)).join('-');
  /** @type {Map<number, Entry>} */
  const entries = new Map();
  /** @type {Entry | null} */
  let current = null;
  /** The analysis that the address stands for. @type {Doc | null} */
  let shown = null;
  /** What is being opened for an entry that the history already has. @type {Entry | null} */
  let arriving = null;
  /** To be looked at when the next analysis is there. @type {URLSearchParams | null} */
  let wanted = null;
  /** @type {{ doc: Doc, names: State['names'], packed: string | null } | null} */
  let ready = null;
  /** The fragment and the entry that were last written or followed. @type {{ fragment: string, id: number | null }} */
  let handled = { fragment: '', id: null };
  let lastId = 0;
  let turn = 0;
  /** @type {number | undefined} */
  let timer;
  /** What was looked at last, while the address does not say it yet. @type {State | null} */
  let unwritten = null;

  // ── the address follows ────────────────────────────────────────────────────────────────────────────────────────

  /** Called after each drawing. @param {State} state @param {State | null} before */
  function follow(state, before) {
    const { doc } = state;
    const input = opening.input();
    if (state.phase !== 'ready' || !doc || !input || tour.isOn()) return;
    if (arriving) {
      // Drawn while the old plan is still there.
      if (arriving.input?.data !== input.data || arriving.settings !== state.settings) return;
      current = arriving;
      arriving = null;
      write();
    } else if (doc === shown && current && !isOf(current, input, state)) {
      // Asked for, and not there yet.
      return;
    } else if (!current || !isOf(current, input, state) || isOther(current, state)) {
      if (before?.doc !== doc) {
        meet(state, input);
        if (!settle(state, before)) return;
      }
      push(input, get());
    } else if (before !== null && !isSameView(state, before)) {
      later(state);
    }
    shown = doc;
    if (ready?.doc !== doc || ready.names !== state.names) void pack(doc, state.names);
  }

  /** Whether an entry is of this file and these settings. @param {Entry} entry @param {Input} input @param {State} state */
  function isOf(entry, input, state) {
    return entry.input?.data === input.data && sameSettings(entry.settings, state.settings);
  }

  /** Whether another plan lies beside it; one beside itself is a comparison that has only begun. @param {Entry} entry @param {State} state */
  function isOther(entry, { before, doc }) {
    return before !== doc && entry.before !== before;
  }

  /** The file that an address was compared with is laid over what was on screen; with any other one nobody waits for it any more.
   * @param {State} state @param {Input} input */
  function meet({ absent, link, doc }, input) {
    const sha256 = doc?.report.model.sha256;
    if (!absent || !current || current.input?.data === input.data || link?.sha256 === sha256) return;
    const isIt = shown !== null && sha256 === absent.sha256;
    if (isIt && current.input) comparing.restore(shown, { ...current.input, settings: current.settings });
    set({ absent: null });
  }

  /** After a file was opened where an address led to it: the view is kept. Whether nothing is left to be done first.
   * @param {State} state @param {State | null} before */
  function settle(state, before) {
    const { link, doc, settings } = state;
    if (wanted) place(wanted);
    wanted = null;
    if (!link || !doc || current?.input?.data === opening.input()?.data) return true;
    set({ link: null });
    if (link.sha256 !== doc.report.model.sha256) {
      if (state.absent?.sha256 !== doc.report.model.sha256) say(t('from.other'));
      return true;
    }
    const params = link.kind === 'plan' && before?.doc ? paramsOf({ ...before, settings }, 'kept') : link.params;
    const asked = settingsIn(link.params, settings);
    say(t('from.same', { name: clean(doc.report.model.name) }));
    if (besideIn(link.params, settings, initialSettings(), false)) {
      // Two plans have to be made again; the entry on screen is the one that led here.
      const input = /** @type {Input} */ (opening.input());
      const both = new URLSearchParams(params);
      both.set('beside', link.params.get('beside') ?? '');
      void reopen({ id: ++lastId, input, settings: { ...settings, resize: asked.resize, edits: asked.edits }, before: null, kept: null, link: null, manifests: get().manifests, params: both }, input, () => place(both));
      return false;
    }
    // Opening another file forgets what is said of one model's tensors.
    if (asked.resize.join() === settings.resize.join() && asked.edits.join() === settings.edits.join()) {
      place(params);
      return true;
    }
    wanted = params;
    void opening.changeSettings({ ...settings, resize: asked.resize, edits: asked.edits });
    return false;
  }

  /** @param {Input} input @param {State} state */
  function push(input, state) {
    // What was looked at last in the entry that is left, even if another file was being read by the time it was to be written.
    if (current && unwritten) rewrite({ ...unwritten, settings: current.settings });
    clearTimeout(timer);
    timer = undefined;
    unwritten = null;
    current = { id: ++lastId, input, settings: state.settings, before: state.before === state.doc ? null : state.before, kept: comparing.kept(), link: state.link, manifests: state.manifests, params: paramsOf(state, 'kept') };
    entries.set(current.id, current);
    forget();
    handled = { fragment: fragmentOf(state, packedFor(state), state.names), id: current.id };
    history.pushState({ life, id: current.id }, '', handled.fragment);
  }

  /** @param {State} state */
  function later(state) {
    unwritten = state;
    timer ??= window.setTimeout(() => {
      timer = undefined;
      write();
    }, WAIT_MS);
  }

  function write() {
    if (current && !arriving && !tour.isOn() && get().phase === 'ready') rewrite(get());
  }

  /** @param {State} state */
  function rewrite(state) {
    if (!current) return;
    unwritten = null;
    current.params = paramsOf(state, 'kept');
    const fragment = fragmentOf(state, packedFor(state), state.names);
    const known = history.state;
    if (fragment === location.hash && known?.life === life && known.id === current.id) return;
    handled = { fragment, id: current.id };
    history.replaceState({ life, id: current.id }, '', fragment);
  }

  /** @param {State} state */
  function packedFor({ doc, names }) {
    return ready && ready.doc === doc && ready.names === names ? ready.packed : null;
  }

  /** @param {Doc} doc @param {State['names']} names */
  async function pack(doc, names) {
    ready = { doc, names, packed: null };
    if (doc.notes.members.length > MAX_BOXES) return;
    const packed = await packedOf(doc, names);
    if (ready.doc !== doc || ready.names !== names) return;
    ready.packed = packed;
    write();
  }

  /** Lets go of the oldest files when there are too many. */
  function forget() {
    const kept = new Set();
    let bytes = 0;
    for (const entry of [...entries.values()].reverse()) {
      if (!entry.input || kept.has(entry.input.data)) continue;
      bytes += entry.input.data.length;
      if (bytes > MAX_KEPT_BYTES && kept.size > 0) entry.input = null;
      else kept.add(entry.input.data);
    }
  }

  // ── the page follows the address ───────────────────────────────────────────────────────────────────────────────

  /** Goes where the address leads. */
  async function arrive() {
    const fragment = location.hash;
    const id = history.state?.life === life ? history.state.id : null;
    // A move within the page is told twice.
    if (fragment === handled.fragment && id === handled.id) return;
    handled = { fragment, id };
    const mine = ++turn;
    if (fragment === '#tour') {
      await tour.start();
      return;
    }
    // What the reader had comes back first: it is what stays, or what is left.
    await tour.end();
    if (mine !== turn) return;
    leave();
    const entry = id === null ? undefined : entries.get(id);
    if (entry?.input) {
      await restore(entry, entry.input);
      return;
    }
    const link = linkOf(fragment);
    switch (link.kind) {
      case 'none':
        if (fragment === '') stepOut();
        else stay();
        return;
      case 'bad':
        refuse(link.why);
        return;
      case 'view':
        await openView(link.view);
        return;
      case 'plan': {
        const found = await unpackedOf(link.version, link.packed);
        if (mine !== turn) return;
        if (found) await openPlan(found.plan, found.name, found.view === null ? link.view : new URLSearchParams(found.view));
        else refuse('damaged');
        return;
      }
      default:
        /** @type {never} */ (link);
    }
  }

  /** The entry that was left keeps what was looked at last. */
  function leave() {
    if (current && get().phase === 'ready' && !arriving) current.params = paramsOf(get(), 'kept');
    clearTimeout(timer);
    timer = undefined;
    unwritten = null;
    arriving = null;
    wanted = null;
  }

  /** Back to what was on screen in this visit. @param {Entry} entry @param {Input} input */
  async function restore(entry, input) {
    const state = get();
    const open = opening.input();
    const isHere = state.phase === 'ready' && open !== null && isOf(entry, open, state);
    set({ link: entry.link, absent: absentIn(entry.params), trouble: null });
    if (isHere) {
      entry.settings = state.settings;
      current = entry;
      if (state.before !== entry.before) comparing.restore(entry.before, entry.kept);
      place(entry.params);
    } else {
      comparing.restore(entry.before, entry.kept);
      await reopen(entry, input, () => {
        set({ manifests: entry.manifests });
        place(entry.params);
      });
    }
  }

  /** @param {Entry} entry @param {Input} input @param {() => void} arrived @param {boolean} [isPlan] whether the input is a plan file */
  async function reopen(entry, input, arrived, isPlan = false) {
    arriving = entry;
    entries.set(entry.id, entry);
    await layBeside(entry, input, isPlan);
    if (arriving !== entry) return false;
    const isOpen = await opening.reopen(input, entry.settings, arrived);
    if (!isOpen && arriving === entry) arriving = null;
    return isOpen;
  }

  /** Makes the plan again that lay beside, when an address says how and this visit has not kept it. @param {Entry} entry @param {Input} input @param {boolean} isPlan */
  async function layBeside(entry, input, isPlan) {
    const settings = entry.before ? null : besideIn(entry.params, entry.settings, initialSettings(), isPlan);
    if (!settings || sameSettings(settings, entry.settings)) return;
    if (!(await opening.reopen(input, settings, () => {})) || arriving !== entry) return;
    comparing.restore(get().doc, opening.input());
    [entry.before, entry.kept] = [get().doc, comparing.kept()];
  }

  /** @param {string} plan @param {string} name @param {URLSearchParams} params */
  async function openPlan(plan, name, params) {
    const title = name || t('from.unnamed');
    const settings = planSettingsIn(params, initialSettings());
    const input = { name: title, data: new TextEncoder().encode(plan) };
    /** @type {Entry} */
    const entry = { id: ++lastId, input, settings, before: null, kept: null, link: null, manifests: [], params };
    const [{ before }, kept] = [get(), comparing.kept()];
    set({ trouble: null });
    comparing.restore(null);
    const isOpen = await reopen(entry, input, () => {
      entry.link = { kind: 'plan', name: title, sha256: get().doc?.notes.source?.sha256 ?? '', params };
      set({ link: entry.link, absent: absentIn(params) });
      place(params);
    }, true);
    if (isOpen || get().phase !== 'ready') return;
    if (before) comparing.restore(before, kept);
    refuse('damaged');
  }

  /** An address without a plan: the file on screen may be the one. @param {URLSearchParams} params */
  async function openView(params) {
    const { doc, phase } = get();
    const input = opening.input();
    const [sha256, name] = [params.get('sha256') ?? '', (params.get('name') ?? '').slice(0, 200)];
    if (!/^[0-9a-f]{64}$/.test(sha256)) {
      refuse('damaged');
      return;
    }
    const settings = settingsIn(params, initialSettings());
    if (phase === 'ready' && doc && input && doc.report.model.sha256 === sha256 && !get().link) {
      comparing.restore(null);
      await reopen({ id: ++lastId, input, settings, before: null, kept: null, link: null, manifests: get().manifests, params }, input, () => place(params), !hasModel(doc));
      return;
    }
    set({ link: { kind: 'view', name: name || t('from.unnamed'), sha256, params }, absent: absentIn(params), trouble: null, settings: phase === 'ready' ? get().settings : { ...settings, inner: null, resize: [], edits: [] } });
    stay();
  }

  /** Without a model there is nothing to stay at. */
  function stay() {
    if (current && get().phase === 'ready') write();
  }

  function stepOut() {
    current = null;
    set({ link: null, absent: null, trouble: null });
    if (!['empty', 'folder'].includes(get().phase)) opening.close();
  }

  /** What is on screen stays; without anything the page says it large. @param {import('./share.js').Trouble} why */
  function refuse(why) {
    if (['ready', 'folder'].includes(get().phase)) {
      set({ trouble: why });
      say(`${t(`share.broken.${why}`)}; ${t(`share.broken.${why}.hint`)}`);
    } else {
      opening.fail(failureAs(why === 'newer' ? 'newer-link' : 'link', t(`share.broken.${why}`), t(`share.broken.${why}.hint`)));
    }
    stay();
  }

  /** Step, selection, part in sight, colours. @param {URLSearchParams} params */
  function place(params) {
    const { doc } = get();
    const picture = chart.picture();
    if (!doc) return;
    const { step, selected, view } = placeIn(params, doc);
    // A pan by nothing makes any four numbers a sound view.
    const sound = view && picture ? /** @type {import('./types.d.ts').View} */ (Array.from(picture.pan(new Float64Array(view), 0, 0))) : null;
    const seen = viewIn(params);
    set({ ...seen, filters: offered(seen.filters, doc), selected, view: sound, step: step ?? Math.max(0, doc.notes.peak) });
  }

  for (const kind of ['popstate', 'hashchange']) window.addEventListener(kind, () => { void arrive(); });

  return { follow, begin: arrive };
}

/** Whether nothing changed that an address says. @param {State} a @param {State} b */
function isSameView(a, b) {
  /** @type {(keyof State)[]} */
  const read = ['doc', 'step', 'selected', 'view', 'mode', 'tab', 'gaps', 'bound', 'hex', 'filter', 'filters', 'sort', 'margin', 'settings', 'names', 'phase', 'lay', 'arena', 'absent'];
  return read.every((key) => a[key] === b[key]);
}
