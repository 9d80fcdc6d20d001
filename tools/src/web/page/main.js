// The plot of the page: something changes the session; the server says what the rules make of it;
// board, panels and fields show it; the director sees what there is to think about.

import { Board } from "./board.js";
import * as controls from "./controls.js";
import { Director } from "./director.js";
import * as look from "./look.js";
import { colorName, moveName, movers } from "./notation.js";
import { drawOverlay } from "./overlay.js";
import * as panel from "./panel.js";
import { Records } from "./records.js";
import * as save from "./save.js";
import * as server from "./server.js";
import { Session } from "./session.js";
import { Table } from "./table.js";
import { Thinking } from "./thinking.js";

const byId = (id) => document.getElementById(id);
const session = new Session();
// What the rules say of the position that is shown, which game that is, and what is thought of it.
let view = null;
let viewed = null;
let shownThought = null;
// Which of its moves are proven, { winner, winning, losing }, and of which game.
let proof = null;
let proven = null;
// What is to be said once the next position is shown.
let notice = "";

const thinking = new Thinking((isConnected) => tell(isConnected ? "" : "The server does not answer. Trying again …"));
const director = new Director(session, thinking, {
  thought: showThought,
  proof: showProof,
  review: showReview,
  problem: tell,
});
const board = new Board(byId("board"), play, redraw);
const records = new Records((record) => session.open(record), tell);

// Says what went wrong, until something goes right.
function tell(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = problem === "";
}

// The view, once the server has said what the rules make of the last change; null until then.
const now = () => (viewed === session.text() ? view : null);

function play(cell) {
  if (now() === null || view.outcome !== null || director.botIsToMove(view)) return;
  if (!view.stones.some((stone) => stone.cell === cell)) session.play(cell);
}

async function refresh() {
  const game = session.text();
  byId("board").setAttribute("aria-busy", "true");
  let found;
  try {
    found = await server.look(game);
  } catch (error) {
    if (game === session.text()) tell(error.message);
    return;
  }
  // Somebody may have gone on meanwhile.
  if (game !== session.text()) return;
  board.prepare(found.side);
  tell(notice);
  notice = "";
  if (game !== viewed) shownThought = null;
  view = found;
  viewed = game;
  if (view.outcome !== null) session.learnOutcome(game, view.outcome);
  showAll();
  director.decide(view);
}

function showAll() {
  const isBotsTurn = director.botIsToMove(view);
  board.show(view, view.outcome === null && !isBotsTurn);
  controls.update(session, view, isBotsTurn, board);
  table.show(view, isBotsTurn);
  byId("status").textContent = status(isBotsTurn);
  byId("hexworld").href = look.written(view.link, board.lies);
  panel.showNeeds(view, session.show.analysis && session.show.paths && view.outcome === null);
  byId("board").setAttribute("aria-busy", "false");
  showPanels();
}

// Shows again what is shown, once its look has changed.
function redraw() {
  if (view !== null && viewed === session.text()) showAll();
}

function showPanels() {
  const { analysis } = session.show;
  const marks = proven === viewed ? proof : null;
  panel.showThought(view, (analysis && judged(shownThought ?? session.thoughtOf(session.ply), marks)) || null);
  drawOverlay(board, view, shownThought, marks, session.show);
  panel.showCurve(session);
  panel.showMistakes(session);
  panel.showMoves(session);
}

// A thought with what is proven in the place of what is believed.
function judged(thought, marks) {
  if (!thought || !marks?.winner) return thought;
  return { ...thought, redWins: marks.winner === "red" ? 1 : 0, proven: marks.winner };
}

function showProof(game, found) {
  [proven, proof] = [game, found];
  showPanels();
}

function showThought(game, thought) {
  if (game === session.text()) shownThought = thought;
  showPanels();
}

function showReview(done, count) {
  byId("review").textContent = director.isReviewing ? "Stop" : "Find mistakes";
  const isFinished = done === null;
  byId("review-state").textContent = isFinished ? "" : `${done} of ${count} positions`;
  if (isFinished && view !== null) {
    showPanels();
    director.decide(view);
  }
}

// --- What is going on, in words.

function name(color) {
  const recorded = session.record?.names[color === "red" ? 0 : 1];
  return recorded || controls.playerName(session.players[color]);
}

function status(isBotsTurn) {
  const last = session.ply === 0 ? "" : `${lastMove()} `;
  if (view.outcome !== null) {
    const { winner, ending } = view.outcome;
    const how = { connection: "the edges are joined", resignation: "the other resigned" }[ending] ?? "the other forfeits";
    return `${last}${colorName(winner)} (${name(winner)}) has won: ${how}.`;
  }
  const who = `${colorName(view.toMove)} (${name(view.toMove)})`;
  if (isBotsTurn) return `${last}${who} is thinking …`;
  return `${last}${who} to move${view.maySwap ? ", or to swap" : ""}.`;
}

function lastMove() {
  const index = session.ply - 1;
  const mover = movers(session.moves)[index];
  const move = session.moves[index];
  const said = move.length > 2 && move.startsWith(":") ? moveName(move) : `${colorName(mover)}: ${moveName(move)}`;
  return `${session.ply}. ${said}.`;
}

// --- The beginning.

function load() {
  try {
    session.load(look.take(location.hash, board));
  } catch (error) {
    notice = `The address is not understood: ${error.message}`;
    session.load("");
  }
}

controls.connect(session, director, now, board);
const table = new Table(session, board, redraw);
save.connect(() => ({
  game: session.text(),
  players: session.record?.names ?? ["red", "blue"].map((color) => controls.playerName(session.players[color])),
  remarks: session.record?.remarks.slice(0, session.ply) ?? [],
}), tell);
session.addEventListener("change", refresh);
window.addEventListener("hashchange", load);
const isNewTab = location.hash === "";
load();
records.start(isNewTab);
