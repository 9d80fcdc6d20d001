// Caches the files of this version of the page. They are served from the cache; a new version
// replaces them at the next visit.

const VERSION = "{version}";
// All pages of a host share their caches; the scope separates them.
const PAGE = `hex ${self.registration.scope} `;
const CACHE = PAGE + VERSION;
const FILES = "{files}".split(" ");

self.addEventListener("install", (event) => event.waitUntil(fillCache()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function fillCache() {
  const cache = await caches.open(CACHE);
  // Bypasses the browser's HTTP cache, which may have an older version.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await self.skipWaiting();
}

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PAGE) && name !== CACHE).map((name) => caches.delete(name)));
}

let opening = null;

async function answer(request) {
  opening ??= caches.open(CACHE);
  const cache = await opening;
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
