// Keeps the files of this version of the page: they come from here, with a network or without, and
// a new version takes their place when the page is opened the next time.

const VERSION = "{version}";
// All pages of a host have their caches in one place; the scope tells them apart.
const PAGE = `hex ${self.registration.scope} `;
const KEPT = PAGE + VERSION;
const FILES = "{files}".split(" ");

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function keep() {
  const kept = await caches.open(KEPT);
  // Not what the browser has of an older version.
  await kept.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await self.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PAGE) && name !== KEPT).map((name) => caches.delete(name)));
}

let opened = null;

async function answer(request) {
  opened ??= caches.open(KEPT);
  const kept = await opened;
  return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
}
