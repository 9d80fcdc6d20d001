// A worker that runs the engine. It gets { code } once, then questions { id, path, body } and
// orders { order }, and says { id, answer }, { message }, and { idle: true } when it has nothing
// more to do. It searches for a moment at a time, and hears between.

import { Engine } from "./engine.js";

let engine = null;
// What has come before the code.
const early = [];
// Brings us back after what the page has said meanwhile.
const next = new MessageChannel();
let isSearching = false;

addEventListener("message", ({ data }) => {
  if (data.code !== undefined) {
    engine = new Engine(data.code);
    early.splice(0).forEach(hear);
  } else if (engine === null) {
    early.push(data);
  } else {
    hear(data);
  }
});

function hear({ id, path, body, order }) {
  if (order === undefined) {
    postMessage({ id, answer: engine.ask(path, body) });
  } else {
    tell(engine.order(order));
    if (!isSearching) next.port2.postMessage(null);
    isSearching = true;
  }
  if (!isSearching) postMessage({ idle: true });
}

next.port1.onmessage = () => {
  const { more, messages } = engine.search();
  tell(messages);
  isSearching = more;
  if (more) next.port2.postMessage(null);
  else postMessage({ idle: true });
};

function tell(messages) {
  for (const message of messages) postMessage({ message });
}
