// The worker in a browser.

import { serve } from "./serve.js";

// Faster than a timer, which browsers throttle.
const next = new MessageChannel();
let callback = null;
next.port1.onmessage = () => callback();

const handle = serve((text) => postMessage(text), (call) => {
  callback = call;
  next.port2.postMessage(null);
});
addEventListener("message", ({ data }) => handle(data));
