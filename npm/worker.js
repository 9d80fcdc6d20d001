// The worker in a browser.

import { serve } from "./serve.js";

// Faster than a timer, which browsers hold back.
const next = new MessageChannel();
let called = null;
next.port1.onmessage = () => called();

const hear = serve((text) => postMessage(text), (call) => {
  called = call;
  next.port2.postMessage(null);
});
addEventListener("message", ({ data }) => hear(data));
