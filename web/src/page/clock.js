// Clocks for persons: each has its minutes, and some seconds more with every move. The bot has its
// seconds a move instead. What each had left is kept for every move, so that a move that is taken
// back gives its time back.

import { keep, kept } from "./session.js";
import { preferences } from "./prefs.js";

const byId = (id) => document.getElementById(id);
const STORED = "clock";
const TICK_MS = 100;
// Below this, tenths of a second are shown.
const SHORT_MS = 20_000;
const COLORS = ["red", "blue"];

// The clocks offered: minutes + seconds.
export const CLOCKS = ["off", "1+1", "3+2", "5+5", "10+5", "20+10", "45+15"];

function read(text) {
  const [minutes, seconds] = text.split("+").map(Number);
  return { whole: 60_000 * minutes, more: 1000 * seconds };
}

export class Clock {
  #session;
  #onTimeout;
  // What was left after each number of moves: { game, red, blue }, of the clock `kind`.
  #kind = "off";
  #left = [];
  // What is left where the game was shown last.
  #now = null;
  // Who is running, and since when (by the browser's own time, which never jumps).
  #running = null;
  #since = 0;

  // `onTimeout` is told the colour whose time is over.
  constructor(session, onTimeout) {
    this.#session = session;
    this.#onTimeout = onTimeout;
    const found = kept(STORED);
    if (found !== null) [this.#kind, this.#left] = [found.kind, found.left];
    setInterval(() => this.#tick(), TICK_MS);
    // A page that is left may come back as it was; nobody's time passes meanwhile.
    window.addEventListener("pagehide", () => this.#charge());
    window.addEventListener("pageshow", () => this.#since = performance.now());
  }

  // Takes over what has become of the game, of which the rules say `view`.
  show(view) {
    const kind = preferences.get("clock");
    this.#stop();
    if (kind !== this.#kind) [this.#kind, this.#left] = [kind, []];
    for (const color of COLORS) byId(`clock-${color}`).hidden = kind === "off" || this.#session.players[color] !== "person";
    this.#now = null;
    if (kind === "off") return;
    const { ply, isAtEnd, isHeld, players } = this.#session;
    this.#settle(ply);
    const isRunning = view.outcome === null && isAtEnd && !isHeld && ply > 0 && players[view.toMove] === "person";
    this.#running = isRunning ? view.toMove : null;
    this.#since = performance.now();
    this.#draw();
  }

  // Finds what was left at this place of the game, or what is left now that a move was made.
  #settle(ply) {
    const game = this.#session.text();
    this.#now = this.#left[ply];
    if (this.#now?.game === game) return;
    const { whole, more } = read(this.#kind);
    const before = this.#left[ply - 1];
    const now = { game, red: whole, blue: whole };
    if (ply > 0 && before?.game === this.#session.text(ply - 1)) {
      const mover = this.#moverAt(ply);
      for (const color of COLORS) now[color] = before[color];
      // The first move is made before the clocks start.
      if (ply > 1) now[mover] += more;
    }
    this.#left.length = ply;
    this.#left[ply] = this.#now = now;
  }

  #moverAt(ply) {
    const moves = this.#session.moves.slice(0, ply - 1);
    // After a swap of sides the same colour goes on.
    const turns = moves.filter((move) => move !== ":S").length;
    return COLORS[turns % 2];
  }

  #stop() {
    this.#charge();
    this.#running = null;
  }

  // Takes what has passed off the clock that runs.
  #charge() {
    const now = performance.now();
    if (this.#running !== null) this.#now[this.#running] -= now - this.#since;
    this.#since = now;
    keep(STORED, { kind: this.#kind, left: this.#left });
  }

  #of(color) {
    return this.#now[color] - (color === this.#running ? performance.now() - this.#since : 0);
  }

  #tick() {
    // A move was made and will be shown in a moment.
    if (this.#running === null || this.#now.game !== this.#session.text()) return;
    this.#draw();
    const late = this.#running;
    if (this.#of(late) > 0) return;
    this.#stop();
    this.#onTimeout(late);
  }

  #draw() {
    for (const color of COLORS) {
      const place = byId(`clock-${color}`);
      place.textContent = written(this.#of(color));
      place.classList.toggle("running", color === this.#running);
    }
  }
}

function written(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (ms < SHORT_MS) return seconds.toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
