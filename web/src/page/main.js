// The plot of the page: something changes the session; the server says what the rules make of it;
// board, panels and fields show it; the director sees what there is to think about.

import { Board } from "./board.js";
import { Candidates } from "./candidates.js";
import * as cards from "./cards.js";
import * as controls from "./controls.js";
import { Director } from "./director.js";
import { bestOpening, learnGrades, remarks, valueAt } from "./judgement.js";
import * as look from "./look.js";
import { Marks } from "./marks.js";
import { colorName, moveName, movers } from "./notation.js";
import { drawOverlay } from "./overlay.js";
import * as panel from "./panel.js";
import { Lessons } from "./lessons.js";
import * as path from "./path.js";
import { hold, inPieces } from "./pieces.js";
import { Puzzle } from "./puzzle.js";
import { Records } from "./records.js";
import * as save from "./save.js";
import * as server from "./server.js";
import { Session, SIDES } from "./session.js";
import { wearTheme } from "./settings.js";
import { Setup } from "./setup.js";
import * as share from "./share.js";
import { Table } from "./table.js";
import * as tabs from "./tabs.js";
import { Thinking } from "./thinking.js";
import { AWAY, onLoading } from "./transport.js";
import { Variations } from "./variations.js";

const byId = (id) => document.getElementById(id);
const session = new Session();
// What the rules say of the position that is shown, which game that is, and what is thought of it.
let view = null;
let viewed = null;
let shownThought = null;
// Which of its moves are proven, { winner, winning, losing }, and of which game.
let proof = null;
let proven = null;
// A line that is shown on the board in the place of the best one while somebody points at it, { line, color }
// with who makes its first move.
let preview = null;
// How good each first move is, by side; asked for when it is needed.
const openings = new Map();
// A cell that was pressed before the rules had said anything of the position, { cell, game }: it is played then.
let early = null;
// What is to be said once the next position is shown.
let notice = "";
// Has all of a first position been shown?
let isComplete = false;
const RETRY_MS = 1000;

const thinking = new Thinking((isConnected) => {
  // What else was said is as true as before, and a reason better than none.
  const isTold = byId("problem").textContent.startsWith(AWAY);
  if (isConnected === isTold) tell(isConnected ? "" : `${AWAY} Trying again …`);
  // Somebody may have gone on while it was away.
  if (isConnected && viewed !== null && viewed !== session.text()) refresh();
});
const director = new Director(session, thinking, {
  thought: showThought,
  proof: showProof,
  review: showReview,
  problem: tell,
});
const board = new Board(byId("board"), pressed, redraw);
const setup = new Setup(session, () => now());
const marks = new Marks(session, showStudy);
const variations = new Variations(session);
const candidates = new Candidates(([first, ...others]) => {
  if (others.length === 0) play(first);
  else if (canPlay(first) && !puzzle.isActive) playLine(session.ply, [first, ...others]);
}, (line) => showPreview(line, view?.toMove));
const puzzle = new Puzzle(session, (game) => director.judge(game), () => {
  if (now() === null) return;
  showPanels();
  if (!puzzle.isActive) director.decide(view);
});
const steps = new path.Path(session);
const lessons = new Lessons(session, board, () => session.endLessons() || steps.begin());
const records = new Records(open, { tell, warn }, () => session.tree.isEdited || session.text() !== opened);

// The game that a record has brought last, as it was then.
let opened = null;

// How often something was said.
let told = 0;

// Says what went wrong, until something goes right.
function tell(problem) {
  told += 1;
  byId("problem").textContent = problem;
  byId("problem").hidden = problem === "";
}

// Says what is to be known even once other moves are shown: it stays until it has been read.
function warn(text) {
  byId("warning-text").textContent = text;
  byId("warning").hidden = false;
}

// Shows a game from a record, and what its reader notes about it.
function open(record) {
  notice = (record.notes ?? []).map((note) => `Note: ${note}.`).join(" ");
  session.open(record);
  opened = session.text();
}

// The view, once the server has said what the rules make of the last change; null until then.
const now = () => (viewed === session.text() ? view : null);

// Somebody has pressed a cell of the board.
function pressed(cell) {
  if (session.isBeingSetUp) setup.click(cell);
  else if (lessons.isActive && !lessons.isAsking) return;
  else if (marks.isActive) {
    marks.click(cell);
    showOverlay();
  } else if (now() === null) {
    early = { cell, game: session.text() };
    byId("hinted").textContent = `${cell} will be played in a moment.`;
  } else if (canPlay(cell)) {
    if (board.isAiming(cell, view.toMove)) byId("hinted").textContent = `Touch ${cell} again.`;
    else play(cell);
  }
}

function canPlay(move) {
  if (now() === null || view.outcome !== null || director.botIsToMove(view)) return false;
  return move === ":s" ? view.maySwap : !view.stones.some((stone) => stone.cell === move);
}

// Plays a cell or a swap, if that is possible now.
function play(move) {
  if (!canPlay(move)) return;
  preview = null;
  if (lessons.isAsking && !lessons.attempt(move)) return;
  if (puzzle.isActive) puzzle.attempt(move);
  else session.play(move);
}

// Plays a line that begins after some number of moves.
function playLine(from, line) {
  preview = null;
  session.playLine(from, line);
}

function showPreview(line, color) {
  preview = line && { line, color };
  if (view !== null) showOverlay();
}

async function refresh() {
  const game = session.text();
  const toldBefore = told;
  byId("board").setAttribute("aria-busy", "true");
  let found;
  try {
    if (session.isUnchecked && session.wholeText !== game) await server.look(session.wholeText);
    found = await server.look(game);
  } catch (error) {
    if (game === session.text()) failed(error);
    return;
  }
  // Somebody may have gone on meanwhile.
  if (game !== session.text()) return;
  board.prepare(found.side);
  session.confirm();
  // What was said of this position stays, and so does what was said since the question was sent.
  if (notice !== "" || (told === toldBefore && game !== viewed)) tell(notice);
  notice = "";
  if (game !== viewed) shownThought = null;
  view = found;
  viewed = game;
  if (view.outcome !== null) {
    session.learnOutcome(game, view.outcome);
    if (session.isAtEnd) session.tellAll(false);
  }
  puzzle.update();
  lessons.update();
  if (isComplete) showAll();
  else if (!(await showFirst(game))) return;
  director.decide(view);
  playEarly();
}

// Plays what was pressed too early.
function playEarly() {
  const pressed = early;
  early = null;
  if (pressed?.game === session.text()) play(pressed.cell);
}

// What the server will not have is taken back; where it did not answer it is asked again.
function failed(error) {
  if (error.isRefusal) {
    notice = error.message;
    session.revert();
    return;
  }
  tell(error.message);
  setTimeout(() => viewed !== session.text() && refresh(), RETRY_MS);
}

// Shows all of a position, the board first.
const shows = [
  () => board.show(view, view.outcome === null && !director.botIsToMove(view)),
  () => {
    const offers = { isOpen: !lessons.isActive, ...steps.note(view) };
    controls.update(session, view, director.botIsToMove(view), board, offers);
    board.light(path.isBeginner() ? cards.litColor(session, view) : null);
  },
  () => {
    const isBotsTurn = director.botIsToMove(view);
    table.show(view, isBotsTurn);
    byId("status").textContent = cards.sentence(session, view, isBotsTurn, session.ply === 0 ? "" : `${lastMove()} `,
      (color) => board.sidesOf(color));
    byId("status").classList.toggle("over", view.outcome !== null);
    cards.show(session, view, isBotsTurn);
    byId("hexworld").href = look.written(view.link, board.lies);
    share.showTurn(view.turnInput);
    byId("endless").checked = session.show.endless;
    panel.showNeeds(view, session.show.analysis && session.show.paths && view.outcome === null);
    byId("bring-back").hidden = !session.isAside || lessons.isActive;
  },
  showStudy,
  () => byId("board").setAttribute("aria-busy", "false"),
];

function showAll() {
  for (const show of shows) show();
}

// Shows the first position piece by piece: the board at once, the rest once it is connected. Returns
// false if somebody has gone on meanwhile.
async function showFirst(game) {
  const [showBoard, ...others] = shows;
  showBoard();
  await connected;
  const isShown = await inPieces(others, () => game === session.text());
  isComplete ||= isShown;
  return isShown;
}

// What marks and puzzle show, whether stones are being set up, and all that is thought.
function showStudy() {
  setup.update();
  if (view !== null) showPanels();
}

// Shows again what is shown, once its look has changed.
function redraw() {
  if (now() === null) return;
  if (!isComplete) {
    // The rest follows.
    shows[0]();
    return;
  }
  showAll();
  director.preferred(view);
}

function showPanels() {
  // A puzzle tells nothing before it is solved.
  const analysis = session.show.analysis && !puzzle.isActive;
  const proofs = proven === viewed ? proof : null;
  const isOpen = analysis && view.outcome === null;
  const map = isOpen && isFirstMove() ? openingMap() : null;
  const thought = (analysis && judged(shownThought ?? session.thoughtOf(session.ply), proofs)) || null;
  panel.showThought(view, thought, map && bestOpening(map));
  candidates.show(view, isOpen ? shownThought : null, map, proofs, isOpen);
  panel.showCurve(session);
  panel.showMistakes(session, deeds, puzzle.isActive);
  variations.show();
  showOverlay();
}

// What can be done to a mistake.
const deeds = {
  show(mistake) {
    session.goTo(mistake.ply);
    tabs.showBoard();
  },
  tryAgain: (mistake) => puzzle.begin(mistake, valueAt(session, mistake.ply - 1)),
  play: playLine,
  preview: showPreview,
};

function showOverlay() {
  const isPuzzle = puzzle.isActive;
  // The bot's first move counts on no swap, so its line is not shown.
  const show = { ...session.show, analysis: session.show.analysis && !isPuzzle, line: session.show.line && !isFirstMove() };
  const tried = isPuzzle && puzzle.tried !== null ? { line: [puzzle.tried], color: view.toMove } : null;
  const proofs = proven === viewed ? proof : null;
  // After the first two moves the map of the first says nothing.
  const isEarly = session.ply <= 1 && session.setup === "";
  const map = show.analysis && show.heat === "openings" && isEarly ? openingMap() : null;
  if (show.heat === "openings") show.heat = "visits";
  drawOverlay(board, view, { thought: shownThought, proof: proofs, preview: tried ?? preview, openings: map }, show);
  marks.draw(board);
}

// Is the first move of a game to be made?
const isFirstMove = () => session.ply === 0 && session.setup === "";

// Asks for the grades of mistakes until they are there.
async function askForGrades() {
  try {
    learnGrades(await server.grades());
    if (now() !== null && isComplete) showPanels();
  } catch {
    setTimeout(askForGrades, RETRY_MS);
  }
}

// The map of first moves; null until the server has told it.
function openingMap() {
  const { side } = view;
  if (!openings.has(side)) {
    openings.set(side, null);
    server.openings(side).then((map) => {
      openings.set(side, map);
      if (view?.side === side) showPanels();
    }, ({ message, isRefusal }) => {
      if (isRefusal) tell(message);
      else openings.delete(side);
    });
  }
  return openings.get(side);
}

// A thought with what is proven in the place of what is believed.
function judged(thought, marks) {
  if (!thought || !marks?.winner) return thought || null;
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

// The last move in words.
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
    session.load(look.take(location.hash || path.beginning(), board));
  } catch (error) {
    notice = `The address is not understood: ${error.message}`;
    session.load("");
  }
}

// How much of the bot is there, until the first position is.
onLoading((share) => {
  if (view !== null) return;
  const percent = Math.round(100 * share);
  byId("status").textContent = `The bot is being loaded: ${percent} %. What you touch now is played then.`;
});

// What lies around the board; null until it is connected.
let table = null;
const names = () => ["red", "blue"].map((color) => cards.playerName(session, color));

// The board first, which the server is asked about while it is drawn; then the rest, piece by piece.
const pieces = [
  () => {
    const { side } = session;
    if (view === null && SIDES.first <= side && side <= SIDES.last) board.prepare(side);
  },
  () => {
    thinking.connect();
    records.start(isNewTab);
    askForGrades();
  },
  () => controls.connect(session, director, now, board, play),
  () => table = new Table(session, board, redraw),
  () => {
    // A file has the whole game, a drawing the position.
    save.connect((format) => (format === "sgf"
      ? { game: session.wholeText, players: names(), nodes: session.tree.nodes(remarks(session)) }
      : { game: session.text(), labels: session.here.labels, arrows: session.here.arrows }), names, tell);
    share.connect((record) => records.openRecord("Pasted games", record), (hash) => session.load(hash), () => session.link(), tell);
    byId("bring-back").addEventListener("click", () => session.bringBack());
    byId("warning-read").addEventListener("click", () => { byId("warning").hidden = true; });
    byId("next-step").addEventListener("click", () => steps.begin());
    byId("steps").open = path.isBeginner();
    byId("endless").addEventListener("change", ({ target }) =>
      session.set({ show: { ...session.show, endless: target.checked } }));
  },
];

const release = hold();
const isNewTab = location.hash === "";
// What the board's place and colours follow from is settled before anything is drawn.
tabs.connect();
wearTheme();
session.addEventListener("change", refresh);
session.addEventListener("unkept", ({ detail }) => {
  warn(`This study (${detail}) is too large to be kept over a reload of the page, which is possible up to about 5 MB. Save it as SGF.`);
});
window.addEventListener("hashchange", load);
load();
const connected = inPieces(pieces).finally(release);
