// @ts-check
// The manifest beside a wake-word model: which belongs to a model, and its arena held against ours, in words.

import { append, fill, h } from './dom.js';
import { clean, exact, grouped } from './format.js';
import { t } from './texts.js';

/** @typedef {import('./types.d.ts').State} State */
/** @typedef {import('./folder-types.d.ts').Manifest} Manifest */

/** The last part of a path, of an address, or of a place in an archive. @param {string} path */
function nameOf(path) {
  return path.split(/[/\\!]|: /).at(-1)?.split(/[?#]/)[0] ?? '';
}

/** @param {string} path */
function stemOf(path) {
  return nameOf(path).replace(/\.[^.]*$/, '');
}

/** The folder, or the archive, that something lies in. @param {string} path */
function placeOf(path) {
  return path.slice(0, path.length - nameOf(path).length);
}

/**
 * The manifest that belongs to a model: of those in its own folder the one that names it, or is named like it.
 * @param {string} path @param {Manifest[]} manifests @returns {Manifest | null}
 */
export function manifestOf(path, manifests) {
  const near = manifests.filter((one) => placeOf(one.path) === placeOf(path));
  return near.find(({ model }) => model !== null && nameOf(model) === nameOf(path))
    ?? near.find((one) => stemOf(one.path) === stemOf(path)) ?? null;
}

/** The manifest of the model on screen: one dropped with it, or the one beside it in its archive. @param {State} state */
function current({ doc, manifests }) {
  if (!doc) return null;
  const [beside] = manifests;
  if (beside) return beside;
  const name = nameOf(doc.report.model.name);
  const [only] = doc.manifests;
  return manifestOf(name, doc.manifests.map((one) => ({ ...one, path: nameOf(one.path) })))
    ?? (doc.manifests.length === 1 && only ? only : null);
}

/** How a manifest's arena does for a model that needs so much. @param {number} arena @param {number} needed */
export function manifestWords(arena, needed) {
  if (arena === needed) return t('manifest.exact');
  const bytes = exact(Math.abs(arena - needed));
  return t(arena > needed ? 'manifest.enough' : 'manifest.short', { bytes });
}

/** @param {HTMLElement} root @param {{ onMicro: () => void }} actions */
export function createManifest(root, { onMicro }) {
  return (/** @type {State} */ state) => {
    const found = state.phase === 'ready' ? current(state) : null;
    root.hidden = found === null;
    if (!found || !state.doc) return;
    const { minimum_arena_bytes: minimum, micro, options } = state.doc.report;
    const name = clean(nameOf(found.path));
    const lead = found.arena === null ? t('manifest.none', { name }) : t('manifest.lead', { name, bytes: exact(found.arena) });
    const word = found.wake_word ? ` ${t('manifest.word', { word: clean(found.wake_word) })}` : '';
    const isShort = found.arena !== null && minimum !== null && found.arena < minimum;
    fill(root, h('span', {}, `${lead}${word} `));
    if (found.arena === null) return;
    if (minimum !== null) {
      append(root, [h('b', { class: isShort ? 'short' : 'fits' }, t('manifest.needs', { bytes: grouped(minimum) }), ' ', manifestWords(found.arena, minimum))]);
    } else if (options.runtime === 'tflite') {
      append(root, [t('manifest.tflite'), ' ', h('button', { type: 'button', id: 'manifest-micro', onclick: onMicro }, t('manifest.micro'))]);
    } else if (micro?.refusal) append(root, [t('manifest.refused')]);
  };
}
