// @ts-check
// The plan in a link: `#p=3.` and the plan file as columns, deflated, with a checksum, in base64url; behind it what is looked
// at, as `&step=14&…` (view-params.js). A link says the version of its format; older ones are upgraded. Reading never throws.

/** @typedef {'kept' | 'hashed' | 'dropped'} Names */
/** What a fragment is: a plan with a view, a view alone, neither, or a link that cannot be read.
 * @typedef {{ kind: 'plan', version: number, packed: string, view: URLSearchParams } | { kind: 'view', view: URLSearchParams }
 *   | { kind: 'none' } | { kind: 'bad', why: Trouble }} Link */
/** `newer`: made by a newer page. @typedef {'damaged' | 'newer'} Trouble */
/** What a packed plan unfolds to: the plan file's text, and the view's parameters where the format kept them inside.
 * @typedef {{ plan: string, name: string, view: string | null }} Unpacked */

export const VERSION = 3;
/** The first version with addresses of a view alone. */
const FIRST_VIEW = 2;
/** Longer links are cut by mail programs and chats. */
export const MAX_LINK = 16_000;
/** A change of a buffer by its reference. */
const SAFE_CHANGE = /^(s\d+:)?(t|tmp|scratch)\d+:(keep|outside|(bytes|last)=-?\d+|type=[a-z0-9]+)$/;
/** Nobody's address is longer; what is, is not looked at. */
const MAX_FRAGMENT = 2 << 20;
/** A plan larger than this no link carries; it bounds what a hostile link can inflate to. */
const MAX_PLAN_BYTES = 16 << 20;
/** More buffers or steps than any link of a length that is sent. */
const MAX_COUNT = 200_000;
/** What gzip writes first: deflated, no name, no time. It is the same for every link, so none carries it. */
const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0);

/**
 * From each version to the next: what the packed part holds, and the view.
 * @type {Record<number, (link: { value: any, view: URLSearchParams | null }) => { value: any, view: URLSearchParams | null }>}
 */
const UPGRADERS = {
  // The first version packed the plan file as it is, and the view with it: the step, the box and the colours.
  1: ({ value: { plan, step, mode, selected } }) => {
    if (!Array.isArray(plan.buffers)) throw new Error('no plan');
    const view = new URLSearchParams();
    for (const [key, item] of Object.entries({ step, box: selected, mode })) {
      if (typeof item === 'number' || typeof item === 'string') view.set(key, String(item));
    }
    return { value: columnsOf(plan), view };
  },
  // The second one had no checksum: a changed character could show other figures.
  2: (link) => link,
};

/** What a fragment means; never throws. @param {string} fragment @returns {Link} */
export function linkOf(fragment) {
  // What a newer version writes behind its number is not ours to judge.
  if (Number(/^#[pv]=(\d{1,4})(?!\d)/.exec(fragment)?.[1] ?? 0) > VERSION) return { kind: 'bad', why: 'newer' };
  const found = /^#([pv])=(\d{1,4})(?:\.([A-Za-z0-9_-]*))?(?:&(.*))?$/s.exec(fragment.length > MAX_FRAGMENT ? '' : fragment);
  if (!found) return /^#[pv]=/.test(fragment) ? { kind: 'bad', why: 'damaged' } : { kind: 'none' };
  const [, kind, digits, packed = '', query = ''] = found;
  const version = Number(digits);
  const view = new URLSearchParams(query);
  if (kind === 'v') return version >= FIRST_VIEW && packed === '' ? { kind: 'view', view } : { kind: 'bad', why: 'damaged' };
  return version >= 1 && packed !== '' ? { kind: 'plan', version, packed, view } : { kind: 'bad', why: 'damaged' };
}

/** The fragment of a plan and a view. @param {string} packed @param {URLSearchParams} view */
export function planFragment(packed, view) {
  const query = view.toString();
  return `#p=${VERSION}.${packed}${query === '' ? '' : `&${query}`}`;
}

/** The fragment of a view alone. @param {URLSearchParams} view */
export function viewFragment(view) {
  return `#v=${VERSION}&${view}`;
}

/** A plan file's text, packed. @param {string} plan @param {Names} names @returns {Promise<string>} */
export async function packed(plan, names) {
  const columns = columnsOf(JSON.parse(plan));
  if (names !== 'kept') {
    columns.n = await renamed(columns.n, names);
    // A what-if may be told by a tensor's name.
    if (Array.isArray(columns.m?.what_if)) columns.m = { ...columns.m, what_if: columns.m.what_if.filter((/** @type {unknown} */ change) => SAFE_CHANGE.test(String(change))) };
    columns.b = await Promise.all(columns.b.map((name) => renamed(name, names)));
    // What only a custom operator is called is a name too; the builtin ones are in capitals.
    columns.s = await Promise.all(columns.s.map((name) => (/^[A-Z0-9_ ]*$/.test(name) ? name : renamed(name, names))));
  }
  // Deflated, with the checksum and the length behind it.
  const zipped = await through(new TextEncoder().encode(JSON.stringify(columns)), new CompressionStream('gzip'));
  return base64url(zipped.subarray(GZIP_HEAD.length));
}

/** What was packed; `null` when it cannot be read. @param {number} version @param {string} text @returns {Promise<Unpacked | null>} */
export async function unpacked(version, text) {
  try {
    const bytes = version < 3 ? await through(bytesOf(text), new DecompressionStream('deflate-raw'))
      : await through(new Uint8Array([...GZIP_HEAD, ...bytesOf(text)]), new DecompressionStream('gzip'));
    /** @type {{ value: any, view: URLSearchParams | null }} */
    let link = { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), view: null };
    for (let from = version; from < VERSION; from += 1) {
      const upgrade = UPGRADERS[from];
      if (!upgrade) return null;
      link = upgrade(link);
    }
    const file = fileOf(link.value);
    return file && { plan: JSON.stringify(file), name: file.name, view: link.view?.toString() ?? null };
  } catch {
    return null;
  }
}

// ── columns ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A plan file by columns, which deflate much better than rows: name, alignment and first label; the kinds of steps, which
 * step is of which kind, their operators (0: each its own place); of buffers names, sizes, their own bytes where those differ, first
 * steps from one to the next, lengths of life, offsets, references, types, shapes, roles, and whatever else is a number or a
 * yes, by its key; and what the file says of its model.
 * @typedef {{
 *   n: string, a: number, l: number, s: string[], i: number[], o: (number | null)[] | 0, b: string[], z: number[], y: number[], f: number[],
 *   d: number[], p: (number | null)[], r: string[], t: string[], h: number[][], e: string[], x: Record<string, (number | boolean | null)[]>, m: any,
 * }} Columns
 */

const OWN_COLUMNS = new Set(['name', 'size', 'bytes', 'first_step', 'last_step', 'offset', 'ref', 'dtype', 'shape', 'role']);

/** @param {any} file @returns {Columns} */
function columnsOf(file) {
  const list = (/** @type {unknown} */ value) => (Array.isArray(value) ? value : []);
  const text = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : '');
  const [steps, buffers, ops] = [list(file.steps).map(text), list(file.buffers), list(file.step_ops)];
  const kinds = [...new Set(steps)];
  const places = new Map(kinds.map((name, index) => [name, index]));
  const column = (/** @type {string} */ key) => buffers.map((buffer) => buffer[key]);
  const names = (/** @type {string} */ key) => column(key).map(text);
  return {
    n: text(file.name), a: file.alignment ?? 1, l: file.first_label ?? 0,
    s: kinds, i: steps.map((name) => places.get(name) ?? 0), o: ops.length > 0 && ops.every((op, index) => op === index) ? 0 : ops,
    b: names('name'), z: column('size'), y: column('bytes').map((bytes) => bytes ?? 0), f: buffers.map((buffer, index) => buffer.first_step - (buffers[index - 1]?.first_step ?? 0)),
    d: buffers.map((buffer) => buffer.last_step - buffer.first_step), p: column('offset').map((offset) => offset ?? null),
    r: names('ref'), t: names('dtype'), h: column('shape').map(list), e: names('role'), x: others(buffers), m: file.source ?? null,
  };
}

/** Columns of what has none of its own. Texts are left out: they could be names. @param {any[]} buffers */
function others(buffers) {
  // Keys come from a file, and may be called like what every object has.
  /** @type {Columns['x']} */
  const found = Object.create(null);
  buffers.forEach((buffer, index) => {
    for (const [key, value] of Object.entries(buffer)) {
      if (OWN_COLUMNS.has(key) || (typeof value !== 'number' && typeof value !== 'boolean')) continue;
      (found[key] ??= Array(buffers.length).fill(null))[index] = value;
    }
  });
  return found;
}

/** The plan file of columns; `null` when they are no such. What the numbers are worth is judged by the core. @param {any} columns */
function fileOf(columns) {
  if (typeof columns !== 'object' || columns === null) return null;
  const { n, a, l, s, i, o, b, z, y, f, d, p, r, t, h, e, x, m } = columns;
  const more = Object.entries(x ?? {});
  const ofBuffers = [b, z, y, f, d, p, r, t, h, e, ...more.map(([, values]) => values)];
  if (![s, i, ...ofBuffers].every(Array.isArray) || ofBuffers.some((one) => one.length !== b.length)) return null;
  if (![z, f, d, i].every((one) => one.every(Number.isSafeInteger))) return null;
  if (Math.max(b.length, i.length, Array.isArray(o) ? o.length : 0) > MAX_COUNT) return null;
  let first = 0;
  const buffers = b.map((/** @type {unknown} */ name, /** @type {number} */ index) => {
    first += f[index];
    return {
      name, size: z[index], first_step: first, last_step: first + d[index], offset: p[index], ref: r[index], dtype: t[index], shape: h[index], role: e[index],
      ...(y[index] ? { bytes: y[index] } : {}),
      ...Object.fromEntries(more.map(([key, values]) => [key, values[index]]).filter(([key, value]) => value !== null && !OWN_COLUMNS.has(key))),
    };
  });
  const steps = i.map((/** @type {number} */ kind) => (typeof s[kind] === 'string' ? s[kind] : ''));
  const ops = o === 0 ? i.map((/** @type {unknown} */ _, /** @type {number} */ index) => index) : Array.isArray(o) ? o : [];
  return { arenascope_plan: 1, name: typeof n === 'string' ? n : '', alignment: a, first_label: l, steps, step_ops: ops, buffers, ...(m ? { source: m } : {}) };
}

// ── bytes ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} name @param {Names} names */
async function renamed(name, names) {
  if (names === 'kept' || name === '') return name;
  if (names === 'dropped') return '';
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)));
  return Array.from(hash.slice(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream */
async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > MAX_PLAN_BYTES) {
      void reader.cancel().catch(() => {});
      throw new Error('too large');
    }
    parts.push(value);
  }
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
