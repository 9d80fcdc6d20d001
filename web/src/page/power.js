// How much of the machine a thought gets: how many threads of the server, and whether the bot goes on
// while a person thinks.

import { LEVELS } from "./levels.js";
import { preferences } from "./prefs.js";
import * as server from "./server.js";

const byId = (id) => document.getElementById(id);
// How many threads the server offers for one thought.
let offered = 1;

// Asks the server how many threads there are, of one that does not say, one; and which code it runs.
export async function ask() {
  offered = await server.threads().catch(() => 1);
  byId("threads-box").hidden = offered === 1;
  const counts = Array.from({ length: offered }, (_, index) => index + 1);
  byId("threads").replaceChildren(new Option(`all ${offered}`, 0), ...counts.slice(0, -1).map((count) => new Option(count, count)));
  show();
  const code = await server.code().catch(() => null);
  byId("code").textContent = code === null ? "" : `The network is computed by ${code}.`;
}

// Connects the field.
export function connect() {
  byId("threads").addEventListener("change", ({ target }) => preferences.set({ threads: Number(target.value) }));
  preferences.addEventListener("change", show);
}

// All is what holds on every machine; so 0 is kept for it.
function show() {
  const wanted = preferences.get("threads");
  byId("threads").value = wanted < offered ? wanted : 0;
}

// An order as it is to be sent. Weaker levels are counted in simulations, of which several threads
// at once would make other ones.
export function powered(order) {
  const wanted = preferences.get("threads");
  const threads = wanted === 0 ? offered : Math.min(wanted, offered);
  const isAlone = !["move", "analyse", "ponder"].includes(order.do) || (order.do === "move" && order.level < LEVELS);
  return threads === 1 || isAlone ? order : { ...order, threads };
}

// Does a bot of this level think while a person does? The weaker ones would get stronger by it.
export const ponders = (player) => preferences.get("ponder") && player === String(LEVELS);
