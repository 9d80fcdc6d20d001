// Runs the engine in a worker: gets { modules } once, then { order } as text, and sends replies as
// text. It searches for a moment at a time and handles messages in between.

import { Engine } from "./engine.js";

// `send` sends a text; `schedule` calls a function after pending messages.
export function serve(send, schedule) {
  let engine = null;
  let isSearching = false;

  function search() {
    const { more, messages } = engine.search();
    messages.forEach(send);
    isSearching = more;
    if (more) schedule(search);
  }

  return ({ modules, order }) => {
    if (modules !== undefined) {
      engine = new Engine(modules);
      return;
    }
    const messages = engine.order(order);
    messages.forEach(send);
    const { do: kind, id } = JSON.parse(order);
    // The engine does not reply about positions that it does not try.
    if (kind === "prove" && messages.length === 0) {
      send(JSON.stringify({ id, kind: "proof", winner: null, winning: [], losing: [] }));
    }
    if (!isSearching) schedule(search);
    isSearching = true;
  };
}
