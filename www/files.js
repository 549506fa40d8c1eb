// @ts-check
// Where files come from: dropped, chosen, or in a folder. Knows nothing of what they are.

import { byId, fill, h } from './dom.js';
import { ofDrop, ofList } from './gather.js';
import { t } from './texts.js';

/** @typedef {import('./folder-types.d.ts').Gathered} Gathered */

/**
 * @param {{
 *   onGathered: (found: Gathered) => void,
 *   onListing: (title: string) => () => boolean,
 * }} actions `onListing` is called when a folder takes its time to be listed, and gives what tells whether to go on.
 */
export function listenForFiles({ onGathered, onListing }) {
  const [picker, folderPicker] = ['picker', 'folder-picker'].map((id) => /** @type {HTMLInputElement} */ (byId(id)));
  const veil = byId('drop');
  for (const input of [picker, folderPicker]) {
    input?.addEventListener('change', () => {
      if (input.files?.length) onGathered(ofList(input.files));
      // The same file again is a new choice.
      input.value = '';
    });
  }

  const holdsFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  window.addEventListener('dragenter', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    fill(veil, h('div', {}, h('strong', {}, t('drop.here')), h('span', {}, t('drop.note'))));
    veil.hidden = false;
  });
  window.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) veil.hidden = true;
  });
  window.addEventListener('drop', (event) => {
    veil.hidden = true;
    if (!holdsFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    let isWanted = () => true;
    void ofDrop(event.dataTransfer, { isStopped: () => !isWanted(), onFolder: (title) => { isWanted = onListing(title); } })
      .then((found) => { if (isWanted()) onGathered(found); });
  });
  return { choose: () => picker?.click(), chooseFolder: () => folderPicker?.click() };
}
