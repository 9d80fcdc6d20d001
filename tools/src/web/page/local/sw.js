// Keeps the files of this version of the page: they come from here, with a network or without, and
// a new version takes their place when the page is opened the next time.

const VERSION = "{version}";
const FILES = "{files}".split(" ");

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function keep() {
  const kept = await caches.open(VERSION);
  // Not what the browser has of an older version.
  await kept.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await self.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("hex-") && name !== VERSION).map((name) => caches.delete(name)));
}

let opened = null;

async function answer(request) {
  opened ??= caches.open(VERSION);
  const kept = await opened;
  return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
}
