// @ts-check
// Where bytes come from: a dropped file, a chosen one, a sample. Knows nothing of what they are.

import { byId, fill, h } from './dom.js';
import { t } from './texts.js';

/** @param {(files: File[]) => void} onFiles */
export function listenForFiles(onFiles) {
  const picker = /** @type {HTMLInputElement} */ (byId('picker'));
  const veil = byId('drop');
  picker.addEventListener('change', () => {
    onFiles([...(picker.files ?? [])]);
    // The same file again is a new choice.
    picker.value = '';
  });

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
    if (!holdsFiles(event)) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  return { choose: () => picker.click() };
}
