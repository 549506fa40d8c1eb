// @ts-check
// The picture of the arena: a canvas that the core paints, and above it marks for the step, the selection and the pointer.
// Draws only inside an animation frame.

import { createCard } from './card.js';
import { fill, h, refocus, setText, unitOf } from './dom.js';
import { adaptive } from './format.js';
import { brightBoxes, isFilteredAnew } from './filters.js';
import { listenToPointer } from './gestures.js';
import { createMarks } from './marks.js';
import { createMinimap } from './minimap.js';
import { clock, columnOf, isDark, stepAt } from './state.js';
import { breathe } from './store.js';
import { t } from './texts.js';
import { summary } from './verdict.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./types.d.ts').View} View */
/** @typedef {import('../pkg/arenascope.js').Chart} Picture */
/** @typedef {{ left: number, top: number, width: number, height: number }} Rect */
/** @typedef {{ kind: 'box', box: number, column: number } | { kind: 'gap', column: number, text: string } | null} Hit */
/**
 * @typedef {{
 *   onView: (view: View | null) => void, onPick: (buffer: number | null, step: number | null) => void,
 *   onPatch: (patch: Partial<State>) => void, onPlay: () => void, onHover?: (box: number | null) => void,
 * }} Actions
 */

/** A picture that takes longer than this, of more device pixels than this, is coarser until it has rested for so long. */
const [SLOW_MS, LARGE_PX, REST_MS] = [10, 2_000_000, 140];

/** @type {import('./types.d.ts').ColourMode[]} */
export const MODES = ['role', 'type', 'op', 'size', 'lifetime', 'shares'];

/** A bare one has no toolbar and no small picture. @param {HTMLElement} root @param {() => State} get @param {Actions} actions @param {boolean} [isBare] */
export function createChart(root, get, actions, isBare = false) {
  const base = h('canvas', { class: 'base', 'aria-hidden': 'true' });
  const over = h('div', { class: 'over', tabindex: '0', role: 'img' });
  const empty = h('p', { class: 'nopicture', hidden: true });
  const plot = h('div', { class: 'plot' }, base, over, empty);
  const bar = h('div', { class: 'head' });
  const mini = h('canvas', { class: 'mini' });
  const note = h('p', { class: 'legendnote', id: 'legend-note' });
  const panes = h('div', { class: 'panes' }, h('div', { class: 'pane' }, plot));
  if (isBare) root.append(plot);
  else root.append(bar, note, panes, mini);
  const marks = createMarks(over);
  const card = createCard(plot);
  const minimap = isBare ? null : createMinimap(mini, (view) => actions.onView(view), () => later());

  /** @type {Picture | null} */
  let picture = null;
  /** @type {{ width: number, height: number, scale: number }} */
  let size = { width: 0, height: 0, scale: 1 };
  /** CSS pixels for one of the picture's: more on very wide screens, where all text is larger. */
  let unit = 1;
  /** @type {Hit} */
  let hover = null;
  /** The box that is pointed at in another chart; −1: none. */
  let pointed = -1;
  /** @type {Rect | null} */
  let frame = null;
  let waiting = 0;
  let stale = true;
  /** Whether the plan has not been painted yet. */
  let isNew = false;

  const view = () => /** @type {View} */ (get().view ?? whole());
  const whole = () => /** @type {View} */ (picture ? Array.from(picture.whole()) : [0, 1, 0, 1]);
  /** Where the plot is, known until the picture is drawn anew. @type {Rect | null} */
  let plotted = null;
  /** @returns {Rect} */
  const area = () => {
    if (plotted) return plotted;
    const [left = 0, top = 0, width = 1, height = 1] = picture ? picture.plot_area(size.width, size.height) : [];
    plotted = { left, top, width, height };
    return plotted;
  };

  function later() {
    if (!waiting) waiting = requestAnimationFrame(draw);
  }

  /** Paints a new plan in a task of its own: the frame that lays out the page around it has enough to do. */
  async function afterwards() {
    await breathe();
    paint();
    later();
  }

  function paint() {
    if (!picture || !stale || size.width < 60 || size.height < 60) return;
    stale = false;
    isNew = false;
    plotted = null;
    performance.mark('chart:begin');
    paintBase(picture);
    performance.measure('chart', 'chart:begin');
  }

  function draw() {
    waiting = 0;
    if (!picture || size.width < 60 || size.height < 60) return;
    paint();
    overlay();
    const { doc, step } = get();
    if (doc) minimap?.draw(picture, view(), whole(), columnOf(doc, step), colours(), { ...onPage(area()), of: size.width * unit });
  }

  /** How long the last sharp picture took, and when the last one was painted. */
  let [cost, painted] = [0, 0];
  /** @type {number | undefined} */
  let resting;
  /** Paints the picture: sharp, or on a large screen coarser while it moves, if it would take longer than a frame. @param {Picture} on */
  function paintBase(on) {
    const begun = performance.now();
    const isMoving = begun - painted < REST_MS && cost > SLOW_MS && size.width * size.height * size.scale ** 2 > LARGE_PX;
    const scale = isMoving ? size.scale / 2 : size.scale;
    const [wide, high] = [Math.max(1, Math.round(size.width * scale)), Math.max(1, Math.round(size.height * scale))];
    if (base.width !== wide) base.width = wide;
    if (base.height !== high) base.height = high;
    on.draw(base, new Float64Array(view()), size.width, size.height, scale);
    painted = performance.now();
    window.clearTimeout(resting);
    if (!isMoving) cost = painted - begun;
    else {
      resting = window.setTimeout(() => {
        painted = 0;
        stale = true;
        later();
      }, REST_MS);
    }
  }

  /** Read once for each theme: asking for styles makes the browser lay the page out. @type {ReturnType<typeof coloursOf> | null} */
  let kept = null;
  const colours = () => (kept ??= coloursOf(root));

  /** From the picture's pixels to the page's. @param {Rect} rect @returns {Rect} */
  const onPage = ({ left, top, width, height }) => ({ left: left * unit, top: top * unit, width: width * unit, height: height * unit });

  /** Puts the marks where step, selection and pointer are. */
  function overlay() {
    const { doc, step, selected } = get();
    if (!doc || !picture) return;
    const plotOnPage = onPage(area());
    const { width, height } = plotOnPage;
    const [x0, x1, y0, y1] = view();
    const across = (/** @type {number} */ at) => ((at - x0) / (x1 - x0)) * width;
    const up = (/** @type {number} */ byte) => (1 - (byte - y0) / (y1 - y0)) * height;
    marks.within(plotOnPage);
    const column = columnOf(doc, step);
    marks.step(column < 0 ? null : [across(column), across(column + 1)]);
    const placeOf = (/** @type {number} */ box) => {
      const [first = 0, end = 0, low = 0, high = 0] = box < 0 ? [] : picture?.box_area(box) ?? [];
      return box < 0 ? null : { left: across(first), top: up(high), width: Math.max(2, across(end) - across(first)), height: Math.max(2, up(low) - up(high)) };
    };
    marks.hover(placeOf(hover?.kind === 'box' ? hover.box : -1));
    marks.pointed(placeOf(pointed));
    marks.chosen(placeOf(selected === null ? -1 : doc.notes.boxes[selected] ?? -1));
    marks.frame(frame && onPage(frame));
  }

  /** What lies at a point of the overlay. @param {number} x @param {number} y @returns {Hit} */
  function hit(x, y) {
    if (!picture || !get().doc) return null;
    const { left, top, width, height } = area();
    if (x < left || y < top || x >= left + width || y >= top + height) return null;
    const current = new Float64Array(view());
    const [x0 = 0, x1 = 1] = current;
    const column = Math.floor(x0 + ((x - left) / width) * (x1 - x0));
    const box = picture.box_at((x - left) / width, (y - top) / height);
    if (box !== undefined) return { kind: 'box', box, column };
    const gap = picture.gap_at(current, x - left, y - top, width, height);
    return gap === undefined ? null : { kind: 'gap', column, text: gap };
  }

  listenToPointer(over, {
    area,
    unit: () => unit,
    view,
    zoom: (factors, about) => picture && actions.onView(/** @type {View} */ (Array.from(
      picture.zoom(new Float64Array(view()), factors.steps, about.x, factors.bytes, about.y)))),
    pan: (right, up, from) => picture && actions.onView(/** @type {View} */ (Array.from(
      picture.pan(new Float64Array(from ?? view()), right, up)))),
    zoomTo: (a, b) => picture && actions.onView(/** @type {View} */ (Array.from(
      picture.zoom_to(new Float64Array(view()), a.x, a.y, b.x, b.y)))),
    fit: () => actions.onView(null),
    frame(rect) {
      frame = rect;
      later();
    },
    hover(point) {
      hover = point ? hit(point.x, point.y) : null;
      const { doc, hex } = get();
      if (doc && point && hover) card.show(doc, hover, { x: point.x * unit, y: point.y * unit }, hex);
      else card.hide();
      actions.onHover?.(hover?.kind === 'box' ? hover.box : null);
      later();
    },
    click(point) {
      const found = hit(point.x, point.y);
      const { doc } = get();
      if (!doc) return;
      const buffer = found?.kind === 'box' ? doc.notes.members[found.box]?.[0] ?? null : null;
      const { left, top, width, height } = area();
      const inside = point.x >= left && point.x < left + width && point.y >= top && point.y < top + height;
      const [x0, x1] = view();
      const column = Math.floor(x0 + ((point.x - left) / width) * (x1 - x0));
      actions.onPick(buffer, inside ? stepAt(doc, column) : null);
    },
  });

  new ResizeObserver(() => {
    unit = unitOf(plot);
    const scale = Math.min(3, window.devicePixelRatio || 1) * unit;
    const [width, height] = [plot.clientWidth / unit, plot.clientHeight / unit];
    if (width === size.width && height === size.height && scale === size.scale) return;
    size = { width, height, scale };
    stale = true;
    if (isNew) void afterwards();
    else later();
  }).observe(plot);

  return {
    /** The picture of a new plan. @param {Picture} fresh */
    show(fresh) {
      picture?.free();
      picture = fresh;
      plotted = null;
      hover = null;
      pointed = -1;
      card.hide();
      stale = true;
      isNew = true;
    },
    picture: () => picture,
    panes,
    /** Outlines a box that is pointed at elsewhere; −1: none. @param {number} box */
    highlight(box) {
      if (box === pointed) return;
      pointed = box;
      later();
    },
    view,
    focus: () => over.focus(),
    /** Where a part of the plan is in the window: first and last step, lowest and highest byte. @param {number[]} part */
    place([a = 0, b = 0, low = 0, high = 0]) {
      const { left, top, width, height } = area();
      const { x, y } = over.getBoundingClientRect();
      const [x0, x1, y0, y1] = view();
      const across = (/** @type {number} */ step) => x + (left + Math.max(0, Math.min(1, (step - x0) / (x1 - x0))) * width) * unit;
      const up = (/** @type {number} */ byte) => y + (top + (1 - Math.max(0, Math.min(1, (byte - y0) / (y1 - y0)))) * height) * unit;
      return new DOMRect(across(a), up(high), across(b) - across(a), up(low) - up(high));
    },
    /** The boxes alive at a column, by offset. @param {number} column @returns {number[]} */
    alive: (column) => (picture ? Array.from(picture.alive_at(column)) : []),
    /** @param {State} state @param {State | null} before */
    render(state, before) {
      if (!state.doc || state.phase !== 'ready') return;
      if (!isBare) toolbar(bar, state, before, actions);
      const dark = isDark(state);
      const styled = !before || state.doc !== before.doc || state.theme !== before.theme || state.mode !== before.mode
        || state.gaps !== before.gaps || state.bound !== before.bound || state.hex !== before.hex || state.language !== before.language || isFilteredAnew(state, before) || state.before !== before.before || state.comparison !== before.comparison || state.lay !== before.lay || state.phase !== before.phase;
      if (styled) {
        picture?.set_words(words(state));
        picture?.set_bright(brightBoxes(state));
        picture?.set_style(dark ? 'dark' : 'light', state.mode, state.gaps, state.bound, state.hex);
        kept = null;
        note.textContent = t(`legend.${state.mode}`);
        over.setAttribute('aria-label', summary(state.doc));
        empty.hidden = state.doc.notes.members.length > 0;
        empty.textContent = t('chart.empty');
      }
      stale ||= styled || state.view !== before?.view;
      // The step is drawn in the same frame as the lists: we are in an animation frame already.
      if (isNew) void afterwards();
      // While a search is typed the table comes first.
      else if (before?.doc === state.doc && isFilteredAnew(state, before)) later();
      else draw();
    },
    /** The system's colours changed. */
    repaint() {
      const state = get();
      if (picture) picture.set_style(isDark(state) ? 'dark' : 'light', state.mode, state.gaps, state.bound, state.hex);
      stale = true;
      kept = null;
      later();
    },
  };
}

/** The words in the picture; TFLite-Micro's is of the head alone. @param {State} state */
function words({ doc }) {
  const kinds = ['input', 'intermediate', 'output', 'variable', 'temporary', 'scratch', 'constant', 'buffer'];
  return {
    step_axis: t(`word.${clock(doc)}`), byte_axis: t('word.byte'), peak: t('word.peak'), lower_bound: t('word.bound'), budget: t(doc?.micro ? 'word.budget.head' : 'word.budget'),
    arena: t('word.arena'), arena_at_bound: t('word.both'), gap: t('word.gap'), before: t('word.before'), scope: clock(doc) === 'scope' ? t('word.scope.short') : '', none: t('word.none'), folded: t('word.folded'), more: t('word.more'),
    kinds: kinds.map((kind) => t(`role.${kind}`)), modes: MODES.map((mode) => t(['size', 'lifetime', 'shares'].includes(mode) ? `legend.word.${mode}` : `mode.${mode}`)),
  };
}

/** The colours of the small picture. @param {HTMLElement} element */
function coloursOf(element) {
  const style = getComputedStyle(element);
  const of = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return { cursor: of('--cursor'), fill: of('--live-fill'), line: of('--cursor'), veil: of('--veil') };
}

/** What part is in sight. @param {View} view @param {import('./types.d.ts').Doc} doc */
function clipped([x0, x1, y0, y1], doc) {
  const label = (/** @type {number} */ column) => doc.report.steps[stepAt(doc, Math.max(0, column)) ?? -1]?.step ?? Math.max(0, column);
  return t(clock(doc) === 'scope' ? 'chart.clipped.scope' : 'chart.clipped', {
    first: label(Math.floor(x0)), last: label(Math.ceil(x1) - 1), low: adaptive(Math.max(0, Math.round(y0))), high: adaptive(Math.round(y1)),
  });
}

/** @param {HTMLElement} bar @param {State} state @param {State | null} before @param {Actions} actions */
function toolbar(bar, state, before, { onPatch, onPlay, onView }) {
  const same = before && before.phase === 'ready' && before.mode === state.mode && before.gaps === state.gaps && before.bound === state.bound
    && before.hex === state.hex && before.playing === state.playing && before.language === state.language && before.doc === state.doc;
  const part = state.view && state.doc ? clipped(state.view, state.doc) : '';
  if (same) {
    const words = bar.querySelector('#clipped');
    if (words) setText(words, part);
    return;
  }
  const focus = document.activeElement?.id;
  const toggle = (/** @type {'gaps' | 'bound' | 'hex'} */ name) => h('button', {
    type: 'button', id: `toggle-${name}`, class: 'chip', 'data-term': name === 'hex' ? 'offset' : name === 'bound' ? 'bound' : 'gap', 'aria-pressed': String(state[name]), onclick: () => onPatch({ [name]: !state[name] }),
  }, t(`chart.${name}`));
  const mode = h('select', {
    id: 'mode', 'aria-label': t('chart.mode'), 'aria-describedby': 'legend-note',
    onchange: () => onPatch({ mode: /** @type {State['mode']} */ (mode.value) }),
  }, ...MODES.map((name) => h('option', { value: name, selected: name === state.mode }, t(`mode.${name}`))));
  fill(bar,
    h('h2', {}, t('chart.title')),
    h('label', { class: 'inline' }, h('span', { class: 'faint' }, t('chart.mode')), mode),
    toggle('gaps'), toggle('bound'), toggle('hex'),
    h('span', { class: 'spacer' }),
    h('span', { id: 'clipped', class: 'faint' }, part),
    h('button', { type: 'button', id: 'play', class: 'quiet', title: t(state.playing ? 'chart.pause' : 'chart.play'),
      'aria-label': t(state.playing ? 'chart.pause' : 'chart.play'), onclick: onPlay }, state.playing ? '❚❚' : '▶'),
    h('button', { type: 'button', id: 'fit', class: 'quiet', title: t('chart.fit.title'), onclick: () => onView(null) }, t('chart.fit')));
  refocus(focus);
}
