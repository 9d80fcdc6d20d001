// What lies around the board: keys, settings, clocks, sounds. It follows the game
// and, but for a clock that runs out, leaves it alone.

import { Clock } from "./clock.js";
import * as keys from "./keys.js";
import * as settings from "./settings.js";
import { announce } from "./sound.js";

// The end of a game when the time of a colour is over.
const FORFEIT = { red: ":fb", blue: ":fw" };
const OUT_OF_TIME = "out of time";

export class Table {
  #session;
  #clock;

  // `redraw` shows the position again, as something about its look has changed.
  constructor(session, board, redraw) {
    this.#session = session;
    this.#clock = new Clock(session, (late) => {
      session.play(FORFEIT[late]);
      session.here.comment = OUT_OF_TIME;
      session.remarked();
    });
    settings.connect(board, redraw);
    keys.connect(() => settings.turnOn(board), () => session.restore());
    keepForLater();
  }

  // Follows the game, of which the rules say `view`.
  show(view, isBotsTurn) {
    this.#clock.show(view);
    announce(this.#session, view, isBotsTurn);
  }
}

// Lets the browser keep the page, so that it can be installed and opens while the server is away.
async function keepForLater() {
  const keepers = navigator.serviceWorker;
  // A page that is not from this machine needs HTTPS for it.
  if (keepers === undefined) return;
  const isFirst = keepers.controller === null;
  try {
    await keepers.register("sw.js");
  } catch {
    // The browser was told to keep nothing.
    return;
  }
  if (!isFirst) return;
  const { active } = await keepers.ready;
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  active.postMessage({ files: [new URL("./", location.href).href, ...files] });
}
