// The game of this tab: its moves, where in it we are, who plays, what is shown. The address bar
// holds all of it, so that a link or a reload brings it back; what was thought of its positions
// lies beside it in the tab's own storage. Whatever changes it says so by the event "change".

import { LEVELS } from "./levels.js";
import { formatGame, movers, parseGame } from "./notation.js";

export const SIDES = { first: 3, last: 19, usual: 11 };
const SECONDS = { least: 0.1, most: 60, usual: 1 };
const HEATS = ["visits", "priors", "off"];
const THOUGHTS = "thoughts";

export class Session extends EventTarget {
  side = SIDES.usual;
  moves = [];
  // How many of the moves have been played; the others can be redone.
  ply = 0;
  // "person" or a level of the bot, "1" to "10".
  players = { red: "person", blue: "5" };
  seconds = SECONDS.usual;
  show = { analysis: false, heat: "visits", line: true, paths: false };
  // Does no bot move by itself?
  paused = false;
  // From a record: { names: [red, blue], remarks, result }.
  record = null;
  // What is known of positions: game → { redWins, time, proven }. A reload finds it again.
  #thoughts = new Map();

  // The game up to here (or up to another place), as the server reads it.
  text(ply = this.ply) {
    return `${this.side},${this.moves.slice(0, ply).join("")}`;
  }

  get isAtEnd() {
    return this.ply === this.moves.length;
  }

  // --- Changes.

  changed() {
    history.replaceState(null, "", this.address());
    this.dispatchEvent(new Event("change"));
  }

  // Plays a move here; what came after is gone.
  play(move) {
    this.moves = [...this.moves.slice(0, this.ply), move];
    if (this.record !== null && this.record.remarks.length >= this.moves.length) this.record = null;
    this.goTo(this.moves.length);
  }

  goTo(ply) {
    this.ply = Math.max(0, Math.min(this.moves.length, ply));
    this.changed();
  }

  // The nearest place before (-1) or after (+1) where a person is to move; without persons the next
  // place.
  nearestTurn(step) {
    const turns = movers([...this.moves, ""]);
    const isPerson = (ply) => this.players[turns[ply]] === "person";
    let ply = this.ply + step;
    while (0 < ply && ply < this.moves.length && !isPerson(ply)) ply += step;
    const isThere = 0 <= ply && ply <= this.moves.length;
    return isThere ? ply : this.ply;
  }

  begin(side) {
    Object.assign(this, { side, moves: [], ply: 0, paused: false, record: null });
    this.#forget();
    this.changed();
  }

  // Shows a game from a record, { game, names, remarks, result }, for persons to go through.
  open(record) {
    Object.assign(this, parseGame(record.game), { record, paused: false });
    this.players = { red: "person", blue: "person" };
    this.#forget();
    this.changed();
  }

  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  // --- What was thought.

  thoughtOf(ply) {
    return this.#thoughts.get(this.text(ply));
  }

  // Keeps a thought of a position, if it is the longest or the last word.
  learn(game, { redWins, time, proven }) {
    const old = this.#thoughts.get(game);
    if (old !== undefined && !proven && (old.proven || old.time > time)) return;
    this.#thoughts.set(game, { redWins, time, proven: Boolean(proven) });
    keep(THOUGHTS, [...this.#thoughts]);
  }

  // Keeps how a game ended, as if it were a thought.
  learnOutcome(game, { winner }) {
    this.learn(game, { redWins: winner === "red" ? 1 : 0, time: 0, proven: true });
  }

  #forget() {
    this.#thoughts.clear();
    sessionStorage.removeItem(THOUGHTS);
    keep("record", this.record);
  }

  // --- The address bar.

  address() {
    const { analysis, heat, line, paths } = this.show;
    const settings = [`red=${this.players.red}`, `blue=${this.players.blue}`, `seconds=${this.seconds}`];
    if (analysis) settings.push("analysis");
    if (heat !== HEATS[0]) settings.push(`heat=${heat}`);
    if (!line) settings.push("line=off");
    if (paths) settings.push("paths");
    if (this.paused) settings.push("paused");
    return `#${formatGame(this)};${settings.join(";")}`;
  }

  // Takes over what an address says, and says "change". Throws if it cannot be read; nothing is
  // changed then.
  load(hash) {
    const [game, ...words] = decodeURIComponent(hash).replace(/^#/, "").split(";");
    const settings = new Map(words.map((word) => word.split("=", 2)));
    const read = parseGame(game || String(SIDES.usual));
    const player = (color) => readPlayer(settings.get(color) ?? this.players[color]);
    const players = { red: player("red"), blue: player("blue") };
    const seconds = readSeconds(settings.get("seconds") ?? this.seconds);
    const heat = HEATS.includes(settings.get("heat")) ? settings.get("heat") : HEATS[0];
    const show = { analysis: settings.has("analysis"), heat, line: settings.get("line") !== "off",
      paths: settings.has("paths") };
    Object.assign(this, read, { players, seconds, show, paused: settings.has("paused") });
    this.#thoughts = new Map(kept(THOUGHTS) ?? []);
    const record = kept("record");
    this.record = record !== null && record.game === formatGame({ ...this, ply: this.moves.length }) ? record : null;
    this.changed();
  }
}

function readPlayer(text) {
  const isLevel = /^\d+$/.test(text) && 1 <= Number(text) && Number(text) <= LEVELS;
  if (text !== "person" && !isLevel) throw new Error(`"${text}" is no player: person, or a level from 1 to ${LEVELS}`);
  return text;
}

export function readSeconds(text) {
  const seconds = Number(text);
  if (!(SECONDS.least <= seconds && seconds <= SECONDS.most)) {
    throw new Error(`${text} seconds a move are not possible, choose ${SECONDS.least} to ${SECONDS.most}`);
  }
  return seconds;
}

// --- The tab's own storage: it survives a reload, not the tab.

// Keeps a value; says whether there was room for it.
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    sessionStorage.removeItem(name);
    return false;
  }
}

// The value that was kept, or null.
export const kept = (name) => JSON.parse(sessionStorage.getItem(name));
