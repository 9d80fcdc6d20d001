// How much of the machine a search uses: the number of threads, and pondering.

import { byId } from "./dom.js";
import { LEVELS } from "./levels.js";
import { preferences } from "./prefs.js";
import * as server from "./server.js";

// The most threads for one search.
let available = 1;

// Loads the number of threads (1 if the server does not say) and the name of the network's code.
export async function load() {
  available = await server.threads().catch(() => 1);
  byId("threads-box").hidden = available === 1;
  const counts = Array.from({ length: available }, (_, index) => index + 1);
  byId("threads").replaceChildren(new Option(`all ${available}`, 0), ...counts.slice(0, -1).map((count) => new Option(count, count)));
  show();
  const code = await server.code().catch(() => null);
  byId("code").textContent = code === null ? "" : `The network is computed by ${code}.`;
}

// Connects the field.
export function connect() {
  byId("threads").addEventListener("change", ({ target }) => preferences.set({ threads: Number(target.value) }));
  preferences.addEventListener("change", show);
}

// The preference 0 stands for all threads, on every machine.
function show() {
  const wanted = preferences.get("threads");
  byId("threads").value = wanted < available ? wanted : 0;
}

// The order with its number of threads. Weak levels are limited to simulations; more threads would
// change their moves.
export function withThreads(order) {
  const wanted = preferences.get("threads");
  const threads = wanted === 0 ? available : Math.min(wanted, available);
  const isAlone = !["move", "analyse", "ponder"].includes(order.do) || (order.do === "move" && order.level < LEVELS);
  return threads === 1 || isAlone ? order : { ...order, threads };
}

// Whether a bot of this level ponders. It would make weak levels stronger.
export const shouldPonder = (player) => preferences.get("ponder") && player === String(LEVELS);
