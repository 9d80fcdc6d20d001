// Runs the engine in a worker: gets { modules } once, then { order }, a text, and says replies, texts.
// It searches for a moment at a time, and hears between.

import { Engine } from "./engine.js";

// `say` sends a text; `soon` calls a function after what has come meanwhile.
export function serve(say, soon) {
  let engine = null;
  let isSearching = false;

  function search() {
    const { more, messages } = engine.search();
    messages.forEach(say);
    isSearching = more;
    if (more) soon(search);
  }

  return ({ modules, order }) => {
    if (modules !== undefined) {
      engine = new Engine(modules);
      return;
    }
    const messages = engine.order(order);
    messages.forEach(say);
    const { do: kind, id } = JSON.parse(order);
    // Of a position that is not tried the engine says nothing.
    if (kind === "prove" && messages.length === 0) {
      say(JSON.stringify({ id, kind: "proof", winner: null, winning: [], losing: [] }));
    }
    if (!isSearching) soon(search);
    isSearching = true;
  };
}
