// @ts-check
// Work without a network: registers the service worker, and says when a newer page is ready.

import { byId, fill, h } from './dom.js';
import { t } from './texts.js';

export async function workOffline() {
  if (!('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register(new URL('../sw.js', import.meta.url));
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const fresh = registration.installing;
      fresh?.addEventListener('statechange', () => {
        // Without a worker in charge this is the first visit, and nothing is old.
        if (fresh.state === 'installed' && navigator.serviceWorker.controller) offer(fresh);
      });
    });
  } catch {
    // Some browsers allow no service workers in private windows; the page works without.
  }
}

/** @param {ServiceWorker} fresh */
function offer(fresh) {
  const notice = byId('notice');
  fill(notice, t('update.ready'), ' ', h('button', {
    type: 'button',
    onclick() {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      fresh.postMessage('update');
    },
  }, t('update.reload')));
  notice.hidden = false;
}
