// @ts-check
// Packs plans into links and unpacks them, away from the page: neither a large plan nor a hostile link holds it up.

import { packed, unpacked } from './share.js';

self.addEventListener('message', async (/** @type {MessageEvent<import('./links.js').Job>} */ { data }) => {
  try {
    const result = data.what === 'pack' ? await packed(typeof data.plan === 'string' ? data.plan : new TextDecoder().decode(data.plan), data.names) : await unpacked(data.version, data.packed);
    self.postMessage({ id: data.id, result });
  } catch {
    self.postMessage({ id: data.id, result: null });
  }
});
