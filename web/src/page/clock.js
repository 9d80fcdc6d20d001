// Clocks for people: initial minutes, and an increment in seconds for each move. The bot has
// seconds per move instead. The remaining times are stored for every move, so taking a move back
// also restores the time.

import { byId } from "./dom.js";
import { loadItem, storeItem } from "./session.js";
import { preferences } from "./prefs.js";

const STORED = "clock";
const TICK_MS = 100;
// Below this, tenths of a second are shown.
const SHORT_MS = 20_000;
const COLORS = ["red", "blue"];

// The offered clocks: minutes + seconds.
export const CLOCKS = ["off", "1+1", "3+2", "5+5", "10+5", "20+10", "45+15"];

function read(text) {
  const [minutes, seconds] = text.split("+").map(Number);
  return { initial: 60_000 * minutes, increment: 1000 * seconds };
}

export class Clock {
  #session;
  #onTimeout;
  // The remaining times after each number of moves, { game, red, blue }, for the clock `kind`.
  #kind = "off";
  #left = [];
  // The remaining times at the shown position.
  #now = null;
  // The colour whose clock runs, and since when (performance.now(), which never jumps).
  #running = null;
  #since = 0;

  // `onTimeout(color)` is called when a colour's time is up.
  constructor(session, onTimeout) {
    this.#session = session;
    this.#onTimeout = onTimeout;
    const found = loadItem(STORED);
    if (found !== null) [this.#kind, this.#left] = [found.kind, found.left];
    setInterval(() => this.#tick(), TICK_MS);
    // A page from the back-forward cache continues; the time in between does not count.
    window.addEventListener("pagehide", () => this.#deduct());
    window.addEventListener("pageshow", () => this.#since = performance.now());
  }

  // Updates the clocks for the position `view`.
  show(view) {
    const kind = preferences.get("clock");
    this.#stop();
    if (kind !== this.#kind) [this.#kind, this.#left] = [kind, []];
    for (const color of COLORS) byId(`clock-${color}`).hidden = kind === "off" || this.#session.players[color] !== "person";
    this.#now = null;
    if (kind === "off") return;
    const { ply, isAtEnd, isOnHold, players } = this.#session;
    this.#setTimes(ply);
    const isRunning = view.outcome === null && isAtEnd && !isOnHold && ply > 0 && players[view.toMove] === "person";
    this.#running = isRunning ? view.toMove : null;
    this.#since = performance.now();
    this.#draw();
  }

  // Finds the remaining times at this ply, or computes them for a new move.
  #setTimes(ply) {
    const game = this.#session.text();
    this.#now = this.#left[ply];
    if (this.#now?.game === game) return;
    const { initial, increment } = read(this.#kind);
    const before = this.#left[ply - 1];
    const now = { game, red: initial, blue: initial };
    if (ply > 0 && before?.game === this.#session.text(ply - 1)) {
      const mover = this.#moverAt(ply);
      for (const color of COLORS) now[color] = before[color];
      // The first move is made before the clocks start.
      if (ply > 1) now[mover] += increment;
    }
    this.#left.length = ply;
    this.#left[ply] = this.#now = now;
  }

  #moverAt(ply) {
    const moves = this.#session.moves.slice(0, ply - 1);
    // After a swap of sides the same colour moves again.
    const turns = moves.filter((move) => move !== ":S").length;
    return COLORS[turns % 2];
  }

  #stop() {
    this.#deduct();
    this.#running = null;
  }

  // Deducts the elapsed time from the running clock.
  #deduct() {
    const now = performance.now();
    if (this.#running !== null) this.#now[this.#running] -= now - this.#since;
    this.#since = now;
    storeItem(STORED, { kind: this.#kind, left: this.#left });
  }

  #remaining(color) {
    return this.#now[color] - (color === this.#running ? performance.now() - this.#since : 0);
  }

  #tick() {
    // A move was made but is not shown yet.
    if (this.#running === null || this.#now.game !== this.#session.text()) return;
    this.#draw();
    const late = this.#running;
    if (this.#remaining(late) > 0) return;
    this.#stop();
    this.#onTimeout(late);
  }

  #draw() {
    for (const color of COLORS) {
      const place = byId(`clock-${color}`);
      place.textContent = formatTime(this.#remaining(color));
      place.classList.toggle("running", color === this.#running);
    }
  }
}

function formatTime(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (ms < SHORT_MS) return seconds.toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
