// @ts-check
// Links that carry a plan, never a model: `#p=1.` and the plan file, deflated, in base64url. A link says the version of
// its format; older ones are upgraded. Reading never throws: what cannot be read is `null`.

/** @typedef {'kept' | 'hashed' | 'dropped'} Names */
/** @typedef {{ plan: string, step: number, mode: string, selected: number | null }} Shared */

const VERSION = 1;
/** Longer links are cut by mail programs and chats. */
export const MAX_LINK = 16_000;
/** A plan larger than this no link carries; it bounds what a hostile link can inflate to. */
const MAX_PLAN_BYTES = 64 << 20;

/** From each version to the next. @type {Record<number, (value: any) => any>} */
const UPGRADERS = {};

/**
 * The fragment of a link.
 * @param {Shared} shared @param {Names} names @returns {Promise<string>}
 */
export async function linkOf({ plan, step, mode, selected }, names) {
  const file = JSON.parse(plan);
  file.buffers = await Promise.all(file.buffers.map(async (/** @type {any} */ buffer) => ({ ...buffer, name: await renamed(buffer.name ?? '', names) })));
  if (names !== 'kept') file.name = await renamed(file.name ?? '', names);
  const text = JSON.stringify({ plan: file, step, mode, selected });
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  return `#p=${VERSION}.${base64url(bytes)}`;
}

/** What a fragment carries. @param {string} fragment @returns {Promise<Shared | null>} */
export async function sharedOf(fragment) {
  const found = /^#p=(\d{1,4})\.([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const bytes = await through(bytesOf(found[2] ?? ''), new DecompressionStream('deflate-raw'));
    let value = JSON.parse(new TextDecoder().decode(bytes));
    for (let version = Number(found[1]); version !== VERSION; version += 1) {
      const upgrade = UPGRADERS[version];
      if (!upgrade) return null;
      value = upgrade(value);
    }
    if (typeof value?.plan !== 'object' || value.plan === null || !Array.isArray(value.plan.buffers)) return null;
    const whole = (/** @type {unknown} */ number) => (Number.isSafeInteger(number) ? /** @type {number} */ (number) : null);
    return { plan: JSON.stringify(value.plan), step: whole(value.step) ?? 0, mode: String(value.mode), selected: whole(value.selected) };
  } catch {
    return null;
  }
}

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
    if (size > MAX_PLAN_BYTES) throw new Error('too large');
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
