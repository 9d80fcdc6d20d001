// Keeps the page's own files, so that it opens while the server is away and goes on when the server
// is back. The server comes first whenever it answers: a new version is never held back. What is
// asked of the game (api/) is never kept.

const KEPT = "page";
const HERE = new URL("./", self.location.href).href;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && isOurs(request.url)) event.respondWith(answer(request));
});

// A page that was loaded before there was anybody to keep it names its files, { files }.
self.addEventListener("message", (event) => event.waitUntil(keepAll(event.data.files)));

const isOurs = (address) => address.startsWith(HERE) && !address.startsWith(`${HERE}api/`);

async function keepAll(files) {
  const kept = await caches.open(KEPT);
  await Promise.all(files.filter(isOurs).map((file) => kept.add(file)));
}

async function answer(request) {
  const kept = await caches.open(KEPT);
  // Links differ behind the "#" only, which is not sent.
  const key = request.mode === "navigate" ? HERE : request.url;
  try {
    const response = await fetch(request);
    if (response.ok) await kept.put(key, response.clone());
    return response;
  } catch (error) {
    const known = await kept.match(key);
    if (known !== undefined) return known;
    throw error;
  }
}
