// Caches the page's own files, so that it opens without the server. The server comes first if it
// answers, so a new version shows at once. Requests about games (api/) are not cached.

const CACHE = "page";
const HERE = new URL("./", self.location.href).href;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && isOwn(request.url)) event.respondWith(answer(request));
});

// A page that was loaded before the service worker started sends its files, { files }.
self.addEventListener("message", (event) => event.waitUntil(cacheAll(event.data.files)));

const isOwn = (address) => address.startsWith(HERE) && !address.startsWith(`${HERE}api/`);

async function cacheAll(files) {
  const cache = await caches.open(CACHE);
  await Promise.all(files.filter(isOwn).map((file) => cache.add(file)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  // Links differ only after the "#", which is not sent.
  const key = request.mode === "navigate" ? HERE : request.url;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const cached = await cache.match(key);
    if (cached !== undefined) return cached;
    throw error;
  }
}
