// The parts around the board: keys, settings, clocks, sounds and the service worker.

import { Clock } from "./clock.js";
import * as keys from "./keys.js";
import * as settings from "./settings.js";
import { announce } from "./sound.js";

// The move with which a colour forfeits.
const FORFEIT = { red: ":fb", blue: ":fw" };
const OUT_OF_TIME = "out of time";

export class Shell {
  #session;
  #clock;

  // `redraw()` shows the position again.
  constructor(session, board, redraw) {
    this.#session = session;
    this.#clock = new Clock(session, (late) => {
      session.play(FORFEIT[late]);
      session.here.comment = OUT_OF_TIME;
      session.annotated();
    });
    settings.connect(board, redraw);
    keys.connect(() => settings.rotateBoard(board), () => session.restore());
    registerServiceWorker();
  }

  // Updates clocks and sounds for the position `view`.
  show(view, isBotsTurn) {
    this.#clock.show(view);
    announce(this.#session, view, isBotsTurn);
  }
}

// Lets the browser cache the page, so that it can be installed and opens without the server.
async function registerServiceWorker() {
  const container = navigator.serviceWorker;
  // Browsers offer this to HTTPS and to this machine only.
  if (container === undefined) return;
  const isFirst = container.controller === null;
  try {
    await container.register("sw.js");
  } catch {
    // The browser is set to store nothing.
    return;
  }
  if (!isFirst) return;
  const { active } = await container.ready;
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  active.postMessage({ files: [new URL("./", location.href).href, ...files] });
}
