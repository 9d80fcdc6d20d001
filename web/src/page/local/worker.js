// A worker that runs the engine. It gets { modules } once, then requests { id, path, body } and
// orders { order }. It posts { id, answer }, { message }, and { idle: true } when nothing is left
// to do. It searches for a moment at a time and handles messages in between.

import { Engine } from "./engine.js";

let engine = null;
// Messages that arrived before the modules.
const queued = [];
// Continues the search after pending messages.
const next = new MessageChannel();
let isSearching = false;

addEventListener("message", ({ data }) => {
  if (data.modules !== undefined) {
    engine = new Engine(data.modules);
    queued.splice(0).forEach(handle);
  } else if (engine === null) {
    queued.push(data);
  } else {
    handle(data);
  }
});

function handle({ id, path, body, order }) {
  if (order === undefined) {
    postMessage({ id, answer: engine.ask(path, body) });
  } else {
    send(engine.order(order));
    if (!isSearching) next.port2.postMessage(null);
    isSearching = true;
  }
  if (!isSearching) postMessage({ idle: true });
}

next.port1.onmessage = () => {
  const { more, messages } = engine.search();
  send(messages);
  isSearching = more;
  if (more) next.port2.postMessage(null);
  else postMessage({ idle: true });
};

function send(messages) {
  for (const message of messages) postMessage({ message });
}
