// The game of this tab: its variations, where in them we are, who plays, what is shown. The address
// bar holds the line that is shown, so that a link or a reload brings it back; variations, and what
// was thought of positions, lie beside it in the tab's own storage. Whatever changes it says so by
// the event "change".

import * as branches from "./branches.js";
import { LEVELS } from "./levels.js";
import { formatGame, movers, parseGame } from "./notation.js";
import { Tree } from "./tree.js";

export const SIDES = { first: 3, last: 19, usual: 11 };
const SECONDS = { least: 0.1, most: 60, usual: 1 };
const HEATS = ["visits", "priors", "wins", "openings", "off"];
// What a match notes of a move that it has made for the player.
const GIVEN = "forced";
const THOUGHTS = "thoughts";
// Games that were replaced and can be brought back: at most so many.
const ASIDE = { name: "aside", most: 5 };
// Moves of the best line that are kept with a thought.
const LINE = 8;
// A browser that stores anything stores at least this number of letters.
const SMALL = 1_000_000;

export class Session extends EventTarget {
  side = SIDES.usual;
  // Stones set up before the first move, as text; see notation.js.
  setup = "";
  tree = new Tree();
  // The nodes of the line that is shown, the root's child first.
  line = [];
  // How many of its moves have been played; the others can be redone.
  ply = 0;
  // "person" or a level of the bot, "1" to "10".
  players = { red: "person", blue: "5" };
  seconds = SECONDS.usual;
  show = { analysis: false, heat: "visits", line: true, paths: false, endless: false };
  // Does no bot move by itself?
  paused = false;
  // From a record: { names: [red, blue], result, reason }, the reason for which the game has ended, if it
  // says more than the moves.
  record = null;
  // The line of which the mistakes were asked for, and the one that is known to be over.
  reviewed = kept("reviewed");
  finished = null;
  // Has nobody looked at all of the line yet whether it is a game?
  isUnchecked = false;
  // What is known of positions: game → { redWins, time, proven, line }, with the colour that wins for
  // certain, if one does, as `proven`. A reload finds it again.
  #thoughts = new Map();
  // What was shown last without the server's objecting, and the game that it replaces.
  #confirmed = null;
  #replaced = null;
  // Was it said that the tree is too large for the tab's storage?
  #isTooLarge = false;
  // The whole line that setting up has made last; null while no stones are being set up.
  #arranged = null;

  get moves() {
    return this.line.map((node) => node.move);
  }

  // The node that is shown.
  get here() {
    return this.ply === 0 ? this.tree.root : this.line[this.ply - 1];
  }

  // The game up to here (or up to another place), as the server reads it.
  text(ply = this.ply) {
    return `${this.#head},${this.moves.slice(0, ply).join("")}`;
  }

  // The whole line.
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

  // Are stones being set up? Not any more once another game is shown, or a move was played.
  get isBeingSetUp() {
    return this.#arranged !== null && this.#arranged === this.wholeText;
  }

  // Do bots and clocks wait, though somebody is to move?
  get isHeld() {
    return this.paused || this.isBeingSetUp;
  }

  // May what the bot thinks of this game be told? Not during a game, if nobody has asked for it. What
  // was told of one line may be told of its variations, unless a bot plays them.
  get isOpen() {
    const isTold = [this.reviewed, this.finished].includes(this.wholeText);
    return this.show.analysis || isTold || (this.tree.isTold && !this.hasBots);
  }

  // How many moves at the beginning of the line the match has made, not the players.
  get given() {
    const own = this.line.findIndex((node) => node.comment !== GIVEN);
    return own === -1 ? this.line.length : own;
  }

  // --- Changes.

  changed() {
    // A game that comes back is not being set up again.
    if (!this.isBeingSetUp) this.#arranged = null;
    history.replaceState(null, "", this.address());
    this.dispatchEvent(new Event("change"));
  }

  // Plays a move here. What came after stays in the tree.
  play(move) {
    const isKnown = this.here.children.some((child) => child.move === move);
    if (!isKnown) this.tree.isEdited = true;
    const node = this.tree.add(this.here, move);
    const isNext = this.line[this.ply] === node;
    // In a game against a bot it answers anew.
    if (this.hasBots || !isNext) this.line = [...this.line.slice(0, this.ply), node];
    if (!this.hasBots && !isNext) this.line.push(...this.tree.continuation(node));
    this.#keepTree();
    this.goTo(this.ply + 1);
  }

  // Plays a line that begins after the first `from` moves, and shows its last position.
  playLine(from, moves) {
    let node = from === 0 ? this.tree.root : this.line[from - 1];
    for (const move of moves) node = this.tree.add(node, move);
    this.tree.isEdited = true;
    this.#keepTree();
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

  // The line goes on with the main line of the tree, behind where it is now.
  extend() {
    this.line = [...this.line.slice(0, this.ply), ...this.tree.continuation(this.here)];
  }

  // Makes the variation that is shown the main line.
  promote() {
    this.tree.promote(this.here);
    this.edited();
  }

  // Takes the move that is shown away, with all that follows it.
  removeHere() {
    const { here } = this;
    if (here.parent === null) return;
    this.tree.remove(here);
    this.line = this.line.slice(0, this.ply - 1);
    this.ply -= 1;
    this.extend();
    this.edited();
  }

  // Brings back what was deleted last from this game, and shows it; says whether there was anything.
  restore() {
    const node = this.tree.restore();
    if (node === null) return false;
    this.line = [...this.tree.path(node), ...this.tree.continuation(node)];
    this.ply = node.depth;
    this.edited();
    return true;
  }

  // Somebody has changed the tree.
  edited() {
    this.tree.isEdited = true;
    this.#keepTree();
    this.changed();
  }

  // Keeps the tree; without a new look at the position. For remarks.
  remarked() {
    this.tree.isEdited = true;
    this.#keepTree();
  }

  // The nearest place before (-1) or after (+1) where a person is to move; without persons the next
  // place.
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
    if (this.tree.root.children.length > 0) this.#putAside(this.#stored());
    this.#take({ side, setup, tree: Tree.ofMoves(moves), moves, ply: moves.length });
    Object.assign(this, { paused: false, record: null });
    this.#forget();
    this.changed();
  }

  // Shows a position of a lesson for one person, which nobody keeps; before the first one the game is put aside.
  // Returns it as text.
  teach(text, isFirst) {
    if (isFirst && this.tree.root.children.length > 0) this.#putAside(this.#stored());
    const { side, setup, moves, ply } = parseGame(text);
    this.#take({ side, setup, tree: Tree.ofMoves(moves), moves, ply });
    Object.assign(this, { paused: false, record: null, players: { red: "person", blue: "person" } });
    this.show.analysis = false;
    this.#forget();
    this.changed();
    return this.text();
  }

  // Ends the lessons with the game that was put aside; returns whether there was one.
  endLessons() {
    this.tree.isEdited = false;
    const isThere = this.isAside;
    if (isThere) this.bringBack();
    return isThere;
  }

  // Begins anew with these stones, and goes on setting them up; a first such change puts the game
  // before aside.
  setUp(setup, moves) {
    const isSame = setup === this.setup && moves.join() === this.moves.join();
    const isFirst = this.setup === "" || !this.isBeingSetUp;
    this.#arranged = `${this.side}${setup},${moves.join("")}`;
    if (isSame) this.changed();
    else if (isFirst) this.begin(this.side, setup, moves);
    else {
      this.#take({ side: this.side, setup, tree: Tree.ofMoves(moves), moves, ply: moves.length });
      this.record = null;
      this.edited();
    }
  }

  // The stones stand as they are wanted.
  endSetUp() {
    this.#arranged = null;
    this.changed();
  }

  // Shows a game from a record for persons to go through: { game, names, result, nodes }, or remarks
  // in the place of nodes.
  open(record) {
    const read = parseGame(record.game);
    // A record that nobody has changed can be opened again.
    if (this.tree.isEdited) this.#putAside(this.#stored());
    const tree = record.nodes ? Tree.ofNodes(record.nodes) : Tree.ofMoves(read.moves, record.remarks);
    this.#take({ ...read, tree });
    const { names, result, reason } = record;
    Object.assign(this, { record: { names, result, reason, game: this.wholeText }, paused: false,
      players: { red: "person", blue: "person" } });
    this.#forget();
    this.changed();
  }

  #take({ side, setup, tree, moves, ply }) {
    Object.assign(this, { side, setup, tree, ply, line: tree.find(moves) });
  }

  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  // --- Games that were replaced.

  get isAside() {
    return (kept(ASIDE.name) ?? []).length > 0;
  }

  // Keeps a game that is about to be replaced, once the server has shown the other one.
  #putAside(game) {
    this.#replaced = game;
  }

  // Shows the game that was replaced last; the one that is shown takes its place, if there is
  // anything in it.
  bringBack() {
    const games = kept(ASIDE.name) ?? [];
    const game = games.pop();
    if (game === undefined) return;
    if (this.tree.isEdited) games.unshift(this.#stored());
    keep(ASIDE.name, games);
    const tree = Tree.ofNodes(game.nodes);
    Object.assign(tree, { isEdited: true, isTold: game.isTold ?? false });
    this.#take({ ...parseGame(game.game), tree });
    Object.assign(this, { players: game.players, record: game.record, paused: false });
    this.#forget();
    this.changed();
  }

  #stored() {
    const { players, record, tree } = this;
    return { game: formatGame(this), head: this.#head, nodes: tree.nodes(), isEdited: tree.isEdited, isTold: tree.isTold, players, record };
  }

  #keepTree() {
    if (keep("tree", this.#stored())) {
      this.#isTooLarge = false;
      return;
    }
    // Where the browser stores nothing at all, no warning is needed.
    const size = JSON.stringify(this.tree.nodes()).length;
    if (size < SMALL || this.#isTooLarge) return;
    this.#isTooLarge = true;
    this.dispatchEvent(new CustomEvent("unkept", { detail: megabytes(size) }));
  }

  // --- What the server thinks of it.

  // The server has shown this position.
  confirm() {
    this.isUnchecked = false;
    if (this.#replaced !== null) keep(ASIDE.name, [...(kept(ASIDE.name) ?? []), this.#replaced].slice(-ASIDE.most));
    this.#replaced = null;
    const { side, setup, tree, line, ply, players, record } = this;
    this.#confirmed = { side, setup, tree, line, ply, players, record };
  }

  // The server says that this is no game: back to what was shown before.
  revert() {
    const { here } = this;
    const before = this.#confirmed;
    this.isUnchecked = false;
    this.#replaced = null;
    if (before === null) {
      this.tree = new Tree();
      this.begin(SIDES.usual);
      return;
    }
    if (before.tree === this.tree && here.parent !== null && !before.line.includes(here)) this.tree.remove(here);
    Object.assign(this, before);
    this.#keepTree();
    this.changed();
  }

  // --- What was thought.

  thoughtOf(ply) {
    return this.#thoughts.get(this.text(ply));
  }

  // What is known of any game.
  known(game) {
    return this.#thoughts.get(game);
  }

  // Keeps a thought of a position, if it is the longest or the last word.
  learn(game, { redWins, time, proven, line }) {
    const old = this.#thoughts.get(game);
    if (old !== undefined && !proven && (old.proven || old.time > time)) return;
    const thought = { redWins, time, proven: proven ?? null, line: (line ?? old?.line ?? []).slice(0, LINE) };
    this.#thoughts.set(game, thought);
    keep(THOUGHTS, [...this.#thoughts]);
  }

  // Keeps how a game ended, as if it were a thought.
  learnOutcome(game, { winner }) {
    this.learn(game, { redWins: winner === "red" ? 1 : 0, time: 0, proven: winner });
  }

  // All of this line may be told now: the game is over, or its mistakes were asked for.
  tellAll(isReview) {
    if (!isReview) this.finished = this.wholeText;
    else keep("reviewed", this.reviewed = this.wholeText);
    if (this.tree.isTold) return;
    this.tree.isTold = true;
    this.#keepTree();
  }

  #forget() {
    this.#thoughts.clear();
    forget(THOUGHTS);
    this.#keepTree();
  }

  // --- The address bar.

  address() {
    const { analysis, heat, line, paths } = this.show;
    const settings = [`red=${this.players.red}`, `blue=${this.players.blue}`, `seconds=${this.seconds}`];
    if (analysis) settings.push("analysis");
    if (heat !== HEATS[0]) settings.push(`heat=${heat}`);
    if (!line) settings.push("line=off");
    if (paths) settings.push("paths");
    if (this.show.endless) settings.push("endless");
    if (this.paused) settings.push("paused");
    return `#${formatGame(this)};${settings.join(";")}`;
  }

  // The address with all variations, for others.
  link() {
    const tree = branches.hasVariations(this.tree) ? `;tree=${branches.written(this.tree)}` : "";
    return `${this.address()}${tree}`;
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
    const tree = settings.has("tree") ? branches.read(settings.get("tree")) : null;
    if (tree !== null && tree.find(read.moves) === null) throw new Error("its variations are those of another game");
    const show = { analysis: settings.has("analysis"), heat, line: settings.get("line") !== "off",
      paths: settings.has("paths"), endless: settings.has("endless") };
    Object.assign(this, { players, seconds, show, paused: settings.has("paused"), isUnchecked: true });
    this.#thoughts = new Map(keptThoughts());
    this.#takeWithVariations(read, tree);
    this.tree.isTold ||= this.reviewed === this.wholeText;
    this.changed();
  }

  // Takes a line over, with its variations if the link holds them or they are known.
  #takeWithVariations(read, linked) {
    const stored = this.#confirmed === null ? kept("tree") : this.#stored();
    if (linked === null && stored?.head === `${read.side}${read.setup}`) {
      const tree = this.#confirmed === null ? Tree.ofNodes(stored.nodes) : this.tree;
      tree.isEdited ||= stored.isEdited;
      tree.isTold ||= stored.isTold ?? false;
      if (tree.find(read.moves) !== null) {
        this.#take({ ...read, tree });
        this.record = stored.record;
        return;
      }
    }
    if (stored?.isEdited) this.#putAside(stored);
    const tree = linked ?? Tree.ofMoves(read.moves);
    // The address is lost with the next move.
    tree.isEdited = read.moves.length > 0;
    this.#take({ ...read, tree });
    this.record = null;
    this.#keepTree();
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

// A number of bytes for people, rounded up: what is above a limit reads so.
export const megabytes = (bytes) => `${Math.ceil(bytes / 100_000) / 10} MB`;

// --- The tab's own storage: it survives a reload, not the tab. A browser that may keep nothing throws
// at the mere name of it.

// Keeps a value; says whether it could.
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    forget(name);
    return false;
  }
}

export function forget(name) {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // There is nothing.
  }
}

// The value that was kept, or null.
export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

// The thoughts that were kept, by game. An older page of this tab has kept that somebody wins for
// certain, but not who.
function keptThoughts() {
  return (kept(THOUGHTS) ?? []).map(([game, thought]) => {
    const winner = thought.redWins > 0.5 ? "red" : "blue";
    return [game, { ...thought, proven: thought.proven ? winner : null }];
  });
}
