/**
 * Service worker of the published lab: it keeps every file of one version, so that the lab opens, reloads and trains without
 * a connection after one visit. The files of a newer version wait until no tab shows the older one, or until the person asks
 * for them. onnxruntime's WebAssembly, 14 and 17 MB, is kept from its first use on.
 */
import { cacheNames, clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

/** Put in by scripts/serviceWorker.mjs: paths below the page. */
declare const FILES: PrecacheEntry[];
declare const LARGE_FILES: string[];

/** Part of the global scope that is used; TypeScript has its type in another library than the page’s. */
interface Scope {
  readonly registration: { readonly scope: string };
  addEventListener(type: 'activate', listener: (event: { waitUntil(done: Promise<unknown>): void }) => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  skipWaiting(): Promise<void>;
}

const scope = globalThis as unknown as Scope;
const large = new Set(LARGE_FILES.map((path) => new URL(path, scope.registration.scope).href));

// A part in another page's frame has its name in the address and is the same file.
precacheAndRoute(FILES, { ignoreURLParametersMatching: [/^embed$/] });
cleanupOutdatedCaches();
registerRoute(({ url }) => large.has(url.href), new CacheFirst());
// The tab of the first visit too is served from here as soon as all is kept.
clientsClaim();

scope.addEventListener('activate', (event) => event.waitUntil(forgetFormerLargeFiles()));

async function forgetFormerLargeFiles(): Promise<void> {
  const cache = await caches.open(cacheNames.runtime);
  for (const { url } of await cache.keys()) if (!large.has(url)) await cache.delete(url);
}

scope.addEventListener('message', ({ data }) => {
  if ((data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void scope.skipWaiting();
});
