// @ts-check
// Turns numbers into words, by the same rules as the core: adaptive and exact bytes, hexadecimal, percent.

const KIB = 1024;
const MIB = KIB * 1024;
const GIB = MIB * 1024;

/** `1,048,576`; a text has at most three digits behind its point. @param {number | string} value */
export function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `63.0 KiB` @param {number} bytes */
export function adaptive(bytes) {
  const size = Math.abs(bytes);
  if (size < KIB) return `${bytes} B`;
  if (size < MIB) return `${rounded(bytes / KIB, 1)} KiB`;
  if (size < GIB) return `${rounded(bytes / MIB, 2)} MiB`;
  return `${rounded(bytes / GIB, 2)} GiB`;
}

/** As the core rounds: what lies just between two goes to the even one, so that page and picture say the same.
 * @param {number} value @param {number} digits */
function rounded(value, digits) {
  const scaled = value * 10 ** digits;
  const low = Math.floor(scaled);
  const near = scaled - low === 0.5 ? low + Math.abs(low % 2) : Math.round(scaled);
  return grouped((near / 10 ** digits).toFixed(digits));
}

/** `64,512 B` @param {number} bytes */
export function exact(bytes) {
  return `${grouped(bytes)} B`;
}

/** `63.0 KiB (64,512 B)` @param {number} bytes */
export function both(bytes) {
  return Math.abs(bytes) < KIB ? adaptive(bytes) : `${adaptive(bytes)} (${exact(bytes)})`;
}

/** `+4.0 KiB`, `−512 B`, `±0` @param {number} bytes */
export function signed(bytes) {
  if (bytes === 0) return '±0';
  return `${bytes > 0 ? '+' : '−'}${adaptive(Math.abs(bytes))}`;
}

/** `0xF000` @param {number} value */
export function hex(value) {
  return `0x${value.toString(16).toUpperCase()}`;
}

/** An offset as the user wants it. @param {number} value @param {boolean} asHex */
export function offset(value, asHex) {
  return asHex ? hex(value) : grouped(value);
}

/** How much larger `value` is than `base`: `9 %`, `0.4 %`. @param {number} value @param {number} base */
export function percentAbove(value, base) {
  const share = (value / base - 1) * 100;
  if (share > 0 && share < 0.05) return '< 0.1 %';
  return `${grouped(share < 10 && share > 0 ? share.toFixed(1) : share.toFixed(0))} %`;
}

/** `[1,48,48,16]` @param {number[]} shape */
export function shapeText(shape) {
  return `[${shape.join(',')}]`;
}

// Characters that would turn the direction of text, or that are no text at all.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ufffe\uffff]/g;

/** A name from a file, fit to be shown in one line. @param {string} name */
export function clean(name) {
  const text = name.replace(/[\t\n\r]/g, ' ').replace(UNSAFE, '\ufffd');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
