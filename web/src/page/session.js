// The state of this tab: the game tree, the current position, players and display settings. The
// address bar contains the shown line, so a link or a reload restores it. Variations and
// evaluations are in the tab's storage. Every change dispatches the event "change".

import * as branches from "./branches.js";
import { megabytes } from "./dom.js";
import { LEVELS } from "./levels.js";
import { formatGame, movers, parseGame } from "./notation.js";
import { Tree } from "./tree.js";

export const SIDES = { first: 3, last: 19, default: 11 };
const SECONDS = { least: 0.1, most: 60, default: 1 };
const HEAT_MAPS = ["visits", "priors", "wins", "openings", "off"];
// The comment of a match for a forced move.
const FORCED = "forced";
const EVALUATIONS = "evaluations";
// Replaced games that can be brought back.
const REPLACED = { name: "replaced", most: 5 };
// Moves of the best line that are stored with an evaluation.
const LINE = 8;
// A browser with any storage stores at least this many characters.
const SMALL = 1_000_000;

export class Session extends EventTarget {
  side = SIDES.default;
  // Stones set up before the first move, as text; see notation.js.
  setup = "";
  tree = new Tree();
  // The nodes of the shown line, the root's child first.
  line = [];
  // The number of moves played; the rest of the line can be redone.
  ply = 0;
  // "person" or a level of the bot, "1" to "10".
  players = { red: "person", blue: "5" };
  seconds = SECONDS.default;
  show = { analysis: false, heat: "visits", line: true, paths: false, endless: false };
  // Whether bots do not move automatically.
  paused = false;
  // From a record: { names: [red, blue], result, reason }. `reason` is why the game ended, if the
  // moves do not show it.
  record = null;
  // The line that was reviewed last, and the line that is known to be finished.
  reviewed = loadItem("reviewed");
  finished = null;
  // Whether the moves after the shown position still have to be checked.
  isUnchecked = false;
  // The evaluations by game: { redWins, time, proven, line }; `proven` is the proven winner or
  // null. A reload restores them.
  #evaluations = new Map();
  // The last position that the server accepted, and the game that it replaces.
  #confirmed = null;
  #replaced = null;
  // Whether the warning about a too large tree was shown.
  #isTooLarge = false;
  // The whole line after the last change of the setup; null outside of the setup mode.
  #setupLine = null;

  get moves() {
    return this.line.map((node) => node.move);
  }

  // The shown node.
  get here() {
    return this.ply === 0 ? this.tree.root : this.line[this.ply - 1];
  }

  // The game up to this ply, as text for the server.
  text(ply = this.ply) {
    return `${this.#head},${this.moves.slice(0, ply).join("")}`;
  }

  get wholeText() {
    return this.text(this.line.length);
  }

  get #head() {
    return `${this.side}${this.setup}`;
  }

  get isAtEnd() {
    return this.ply === this.line.length;
  }

  get hasBots() {
    return this.players.red !== "person" || this.players.blue !== "person";
  }

  // Whether stones are being set up. A move or another game ends that.
  get isSetupMode() {
    return this.#setupLine !== null && this.#setupLine === this.wholeText;
  }

  // Whether bots and clocks wait although somebody is to move.
  get isOnHold() {
    return this.paused || this.isSetupMode;
  }

  // Whether evaluations may be shown. Not during a game, unless the user has requested them. After
  // one line was revealed, its variations are too, unless a bot plays them.
  get canShowEvaluations() {
    const isRequested = [this.reviewed, this.finished].includes(this.wholeText);
    return this.show.analysis || isRequested || (this.tree.isRevealed && !this.hasBots);
  }

  // The number of forced moves at the start of the line, which the match made and not the players.
  get forcedCount() {
    const own = this.line.findIndex((node) => node.comment !== FORCED);
    return own === -1 ? this.line.length : own;
  }

  // --- Changes.

  changed() {
    // A game that comes back is no longer in setup mode.
    if (!this.isSetupMode) this.#setupLine = null;
    history.replaceState(null, "", this.address());
    this.dispatchEvent(new Event("change"));
  }

  // Plays a move. Existing moves stay in the tree as a variation.
  play(move) {
    const isKnown = this.here.children.some((child) => child.move === move);
    if (!isKnown) this.tree.isEdited = true;
    const node = this.tree.add(this.here, move);
    const isNext = this.line[this.ply] === node;
    // A bot answers again instead of following the old line.
    if (this.hasBots || !isNext) this.line = [...this.line.slice(0, this.ply), node];
    if (!this.hasBots && !isNext) this.line.push(...this.tree.continuation(node));
    this.#storeTree();
    this.goTo(this.ply + 1);
  }

  // Plays a line after the first `from` moves and shows its last position.
  playLine(from, moves) {
    let node = from === 0 ? this.tree.root : this.line[from - 1];
    for (const move of moves) node = this.tree.add(node, move);
    this.tree.isEdited = true;
    this.#storeTree();
    this.select(node);
  }

  goTo(ply) {
    this.ply = Math.max(0, Math.min(this.line.length, ply));
    this.changed();
  }

  // Shows a node of the tree, and the line through it.
  select(node) {
    const path = this.tree.path(node);
    const isOnLine = path.every((at, index) => this.line[index] === at);
    if (!isOnLine) this.line = [...path, ...this.tree.continuation(node)];
    this.goTo(path.length);
  }

  // Appends the main line after the shown node.
  extend() {
    this.line = [...this.line.slice(0, this.ply), ...this.tree.continuation(this.here)];
  }

  // Makes the shown variation the main line.
  promote() {
    this.tree.promote(this.here);
    this.edited();
  }

  // Deletes the shown move with all its descendants.
  removeHere() {
    const { here } = this;
    if (here.parent === null) return;
    this.tree.remove(here);
    this.line = this.line.slice(0, this.ply - 1);
    this.ply -= 1;
    this.extend();
    this.edited();
  }

  // Restores the last deletion in this game and shows it; returns false if there is none.
  restore() {
    const node = this.tree.restore();
    if (node === null) return false;
    this.line = [...this.tree.path(node), ...this.tree.continuation(node)];
    this.ply = node.depth;
    this.edited();
    return true;
  }

  // After a change of the tree.
  edited() {
    this.annotated();
    this.changed();
  }

  // After a change of comments or marks: the position stays the same.
  annotated() {
    this.tree.isEdited = true;
    this.#storeTree();
  }

  // The nearest ply before (-1) or after (+1) at which a person is to move; the adjacent ply if
  // there are no persons.
  nearestTurn(step) {
    const turns = movers([...this.moves, ""]);
    const persons = ["red", "blue"].filter((color) => this.players[color] === "person");
    const isTurn = (ply) => persons.length === 0 || persons.includes(turns[ply]);
    let ply = this.ply + step;
    while (0 < ply && ply < this.line.length && !isTurn(ply)) ply += step;
    const isThere = 0 <= ply && ply <= this.line.length;
    return isThere ? ply : this.ply;
  }

  begin(side, setup = "", moves = []) {
    if (this.tree.root.children.length > 0) this.#setAside(this.#stored());
    this.#setGame({ side, setup, tree: Tree.ofMoves(moves), moves, ply: moves.length });
    Object.assign(this, { paused: false, record: null });
    this.#clearEvaluations();
    this.changed();
  }

  // Shows the position of a lesson, which is not stored, and returns it as text. The first lesson
  // sets the game aside.
  showLesson(text, isFirst) {
    if (isFirst && this.tree.root.children.length > 0) this.#setAside(this.#stored());
    const { side, setup, moves, ply } = parseGame(text);
    this.#setGame({ side, setup, tree: Tree.ofMoves(moves), moves, ply });
    Object.assign(this, { paused: false, record: null, players: { red: "person", blue: "person" } });
    this.show.analysis = false;
    this.#clearEvaluations();
    this.changed();
    return this.text();
  }

  // Ends the lessons and brings back the game before them; returns false if there was none.
  endLessons() {
    this.tree.isEdited = false;
    const isThere = this.hasSetAside;
    if (isThere) this.bringBack();
    return isThere;
  }

  // Starts a game with these stones, in setup mode. The first such change sets the game aside.
  setUp(setup, moves) {
    const isSame = setup === this.setup && moves.join() === this.moves.join();
    const isFirst = this.setup === "" || !this.isSetupMode;
    this.#setupLine = `${this.side}${setup},${moves.join("")}`;
    if (isSame) this.changed();
    else if (isFirst) this.begin(this.side, setup, moves);
    else {
      this.#setGame({ side: this.side, setup, tree: Tree.ofMoves(moves), moves, ply: moves.length });
      this.record = null;
      this.edited();
    }
  }

  endSetup() {
    this.#setupLine = null;
    this.changed();
  }

  // Opens a game from a record: { game, names, result, nodes }, or remarks instead of nodes.
  open(record) {
    const read = parseGame(record.game);
    // An unchanged record can be opened again.
    if (this.tree.isEdited) this.#setAside(this.#stored());
    const tree = record.nodes ? Tree.ofNodes(record.nodes) : Tree.ofMoves(read.moves, record.remarks);
    this.#setGame({ ...read, tree });
    const { names, result, reason } = record;
    Object.assign(this, { record: { names, result, reason, game: this.wholeText }, paused: false,
      players: { red: "person", blue: "person" } });
    this.#clearEvaluations();
    this.changed();
  }

  #setGame({ side, setup, tree, moves, ply }) {
    Object.assign(this, { side, setup, tree, ply, line: tree.find(moves) });
  }

  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  // --- Replaced games.

  get hasSetAside() {
    return (loadItem(REPLACED.name) ?? []).length > 0;
  }

  // Stores a game that is about to be replaced, after the server has accepted the new one.
  #setAside(game) {
    this.#replaced = game;
  }

  // Shows the game that was replaced last. The shown game takes its place if it was edited.
  bringBack() {
    const games = loadItem(REPLACED.name) ?? [];
    const game = games.pop();
    if (game === undefined) return;
    if (this.tree.isEdited) games.unshift(this.#stored());
    storeItem(REPLACED.name, games);
    const tree = Tree.ofNodes(game.nodes);
    Object.assign(tree, { isEdited: true, isRevealed: game.isRevealed ?? false });
    this.#setGame({ ...parseGame(game.game), tree });
    Object.assign(this, { players: game.players, record: game.record, paused: false });
    this.#clearEvaluations();
    this.changed();
  }

  #stored() {
    const { players, record, tree } = this;
    return { game: formatGame(this), head: this.#head, nodes: tree.nodes(), isEdited: tree.isEdited, isRevealed: tree.isRevealed, players, record };
  }

  #storeTree() {
    if (storeItem("tree", this.#stored())) {
      this.#isTooLarge = false;
      return;
    }
    // Without any storage there is no warning.
    const size = JSON.stringify(this.tree.nodes()).length;
    if (size < SMALL || this.#isTooLarge) return;
    this.#isTooLarge = true;
    this.dispatchEvent(new CustomEvent("unkept", { detail: megabytes(size) }));
  }

  // --- The server's answers.

  // The server has accepted this position.
  confirm() {
    this.isUnchecked = false;
    if (this.#replaced !== null) storeItem(REPLACED.name, [...(loadItem(REPLACED.name) ?? []), this.#replaced].slice(-REPLACED.most));
    this.#replaced = null;
    const { side, setup, tree, line, ply, players, record } = this;
    this.#confirmed = { side, setup, tree, line, ply, players, record };
  }

  // The server has refused this game: returns to the last accepted one.
  revert() {
    const { here } = this;
    const before = this.#confirmed;
    this.isUnchecked = false;
    this.#replaced = null;
    if (before === null) {
      this.tree = new Tree();
      this.begin(SIDES.default);
      return;
    }
    if (before.tree === this.tree && here.parent !== null && !before.line.includes(here)) this.tree.remove(here);
    Object.assign(this, before);
    this.#storeTree();
    this.changed();
  }

  // --- Evaluations.

  evaluationAt(ply) {
    return this.#evaluations.get(this.text(ply));
  }

  // The evaluation of any game.
  evaluationOf(game) {
    return this.#evaluations.get(game);
  }

  // Stores the evaluation of a position, unless a longer search or a proof is known.
  storeEvaluation(game, { redWins, time, proven, line }) {
    const old = this.#evaluations.get(game);
    if (old !== undefined && !proven && (old.proven || old.time > time)) return;
    const evaluation = { redWins, time, proven: proven ?? null, line: (line ?? old?.line ?? []).slice(0, LINE) };
    this.#evaluations.set(game, evaluation);
    storeItem(EVALUATIONS, [...this.#evaluations]);
  }

  // Stores the result of a game as an evaluation.
  storeOutcome(game, { winner }) {
    this.storeEvaluation(game, { redWins: winner === "red" ? 1 : 0, time: 0, proven: winner });
  }

  // Allows evaluations for this line: the game is finished, or the user has requested a review.
  revealEvaluations(isReview) {
    if (!isReview) this.finished = this.wholeText;
    else storeItem("reviewed", this.reviewed = this.wholeText);
    if (this.tree.isRevealed) return;
    this.tree.isRevealed = true;
    this.#storeTree();
  }

  #clearEvaluations() {
    this.#evaluations.clear();
    removeItem(EVALUATIONS);
    this.#storeTree();
  }

  // --- The address bar.

  address() {
    const { analysis, heat, line, paths } = this.show;
    const settings = [`red=${this.players.red}`, `blue=${this.players.blue}`, `seconds=${this.seconds}`];
    if (analysis) settings.push("analysis");
    if (heat !== HEAT_MAPS[0]) settings.push(`heat=${heat}`);
    if (!line) settings.push("line=off");
    if (paths) settings.push("paths");
    if (this.show.endless) settings.push("endless");
    if (this.paused) settings.push("paused");
    return `#${formatGame(this)};${settings.join(";")}`;
  }

  // The address with all variations, for sharing.
  link() {
    const tree = branches.hasVariations(this.tree) ? `;tree=${branches.format(this.tree)}` : "";
    return `${this.address()}${tree}`;
  }

  // Loads an address and dispatches "change". Throws if it is malformed; nothing is changed then.
  load(hash) {
    const [game, ...words] = decodeURIComponent(hash).replace(/^#/, "").split(";");
    const settings = new Map(words.map((word) => word.split("=", 2)));
    const read = parseGame(game || String(SIDES.default));
    const player = (color) => readPlayer(settings.get(color) ?? this.players[color]);
    const players = { red: player("red"), blue: player("blue") };
    const seconds = readSeconds(settings.get("seconds") ?? this.seconds);
    const heat = HEAT_MAPS.includes(settings.get("heat")) ? settings.get("heat") : HEAT_MAPS[0];
    const tree = settings.has("tree") ? branches.parse(settings.get("tree")) : null;
    if (tree !== null && tree.find(read.moves) === null) throw new Error("its variations are those of another game");
    const show = { analysis: settings.has("analysis"), heat, line: settings.get("line") !== "off",
      paths: settings.has("paths"), endless: settings.has("endless") };
    Object.assign(this, { players, seconds, show, paused: settings.has("paused"), isUnchecked: true });
    this.#evaluations = new Map(loadItem(EVALUATIONS) ?? []);
    this.#setGameWithVariations(read, tree);
    this.tree.isRevealed ||= this.reviewed === this.wholeText;
    this.changed();
  }

  // Loads a line, with variations from the link or from the storage.
  #setGameWithVariations(read, linked) {
    const stored = this.#confirmed === null ? loadItem("tree") : this.#stored();
    if (linked === null && stored?.head === `${read.side}${read.setup}`) {
      const tree = this.#confirmed === null ? Tree.ofNodes(stored.nodes) : this.tree;
      tree.isEdited ||= stored.isEdited;
      tree.isRevealed ||= stored.isRevealed ?? false;
      if (tree.find(read.moves) !== null) {
        this.#setGame({ ...read, tree });
        this.record = stored.record;
        return;
      }
    }
    if (stored?.isEdited) this.#setAside(stored);
    const tree = linked ?? Tree.ofMoves(read.moves);
    // The address changes with the next move.
    tree.isEdited = read.moves.length > 0;
    this.#setGame({ ...read, tree });
    this.record = null;
    this.#storeTree();
  }
}

function readPlayer(text) {
  const isLevel = /^\d+$/.test(text) && 1 <= Number(text) && Number(text) <= LEVELS;
  if (text !== "person" && !isLevel) throw new Error(`"${text}" is not a player: person, or a level from 1 to ${LEVELS}`);
  return text;
}

export function readSeconds(text) {
  const seconds = Number(text);
  if (!(SECONDS.least <= seconds && seconds <= SECONDS.most)) {
    throw new Error(`${text} seconds a move are not possible, choose ${SECONDS.least} to ${SECONDS.most}`);
  }
  return seconds;
}

// --- The tab's storage, which survives a reload but not the tab. Without permission, browsers
// throw on each access.

// Stores a value; returns false if that failed.
export function storeItem(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    removeItem(name);
    return false;
  }
}

export function removeItem(name) {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // There is nothing to remove.
  }
}

// The stored value, or null.
export function loadItem(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}
