// The main module. A change of the session makes the server describe the new position. Board,
// panels and fields show it, and the scheduler decides what to search.

import { Board } from "./board.js";
import { Candidates } from "./candidates.js";
import * as cards from "./cards.js";
import * as controls from "./controls.js";
import { byId } from "./dom.js";
import { Scheduler } from "./scheduler.js";
import { bestOpening, setGrades, remarks, valueAt } from "./judgement.js";
import * as orientation from "./orientation.js";
import { Marks } from "./marks.js";
import { colorName, moveName, movers } from "./notation.js";
import { drawOverlay } from "./overlay.js";
import * as panel from "./panel.js";
import { Lessons } from "./lessons.js";
import * as path from "./path.js";
import { holdEvents, runTasks } from "./startup.js";
import { Puzzle } from "./puzzle.js";
import { Records } from "./records.js";
import * as save from "./save.js";
import * as server from "./server.js";
import { Session, SIDES } from "./session.js";
import { applyTheme } from "./settings.js";
import { Setup } from "./setup.js";
import * as share from "./share.js";
import { Shell } from "./shell.js";
import * as tabs from "./tabs.js";
import { Connection } from "./connection.js";
import { UNAVAILABLE, onLoading } from "./transport.js";
import { Variations } from "./variations.js";

const session = new Session();
// The shown position as the server describes it, its game, and its analysis.
let view = null;
let viewedGame = null;
let shownAnalysis = null;
// The proven moves, { winner, winning, losing }, and their game.
let proof = null;
let provenGame = null;
// A hovered line that is shown on the board instead of the best one, { line, color }; `color` makes
// its first move.
let preview = null;
// Red's value of each first move, by board size; loaded on demand.
const openings = new Map();
// A move made before the position was known, { cell, game }. It is played afterwards.
let queuedMove = null;
// A message to show with the next position.
let notice = "";
// Whether a position has been shown completely.
let isComplete = false;
const RETRY_MS = 1000;

const connection = new Connection((isConnected) => {
  // Does not replace other messages by this one.
  const isShown = byId("problem").textContent.startsWith(UNAVAILABLE);
  if (isConnected === isShown) showProblem(isConnected ? "" : `${UNAVAILABLE} Trying again …`);
  // The user may have made moves meanwhile.
  if (isConnected && viewedGame !== null && viewedGame !== session.text()) refresh();
});
const scheduler = new Scheduler(session, connection, {
  analysis: showAnalysis,
  proof: showProof,
  review: showReview,
  problem: showProblem,
});
const board = new Board(byId("board"), onCell, redraw);
const setup = new Setup(session, () => currentView());
const marks = new Marks(session, showStudy);
const variations = new Variations(session);
const candidates = new Candidates(([first, ...others]) => {
  if (others.length === 0) play(first);
  else if (canPlay(first) && !puzzle.isActive) playLine(session.ply, [first, ...others]);
}, (line) => showPreview(line, view?.toMove));
const puzzle = new Puzzle(session, (game) => scheduler.evaluate(game), () => {
  if (currentView() === null) return;
  showPanels();
  if (!puzzle.isActive) scheduler.decide(view);
});
const steps = new path.Path(session);
const lessons = new Lessons(session, board, () => session.endLessons() || steps.begin());
const records = new Records(open, { showProblem, showWarning }, () => session.tree.isEdited || session.text() !== opened);

// The game that was opened last, as text.
let opened = null;

// The number of messages so far.
let messages = 0;

// Shows an error until the next success.
function showProblem(problem) {
  messages += 1;
  byId("problem").textContent = problem;
  byId("problem").hidden = problem === "";
}

// Shows a warning until the user closes it.
function showWarning(text) {
  byId("warning-text").textContent = text;
  byId("warning").hidden = false;
}

// Shows a game from a record, with the notes of its reader.
function open(record) {
  notice = (record.notes ?? []).map((note) => `Note: ${note}.`).join(" ");
  session.open(record);
  opened = session.text();
}

// The shown position; null until the server has described the last change.
const currentView = () => (viewedGame === session.text() ? view : null);

function onCell(cell) {
  if (session.isSetupMode) setup.click(cell);
  else if (lessons.isActive && !lessons.isWaiting) return;
  else if (marks.isActive) {
    marks.click(cell);
    showOverlay();
  } else if (currentView() === null) {
    queuedMove = { cell, game: session.text() };
    byId("hint-text").textContent = `${cell} will be played in a moment.`;
  } else if (canPlay(cell)) {
    if (board.needsSecondTouch(cell, view.toMove)) byId("hint-text").textContent = `Tap ${cell} again.`;
    else play(cell);
  }
}

function canPlay(move) {
  if (currentView() === null || view.outcome !== null || scheduler.isBotsTurn(view)) return false;
  return move === ":s" ? view.maySwap : !view.stones.some((stone) => stone.cell === move);
}

// Plays a cell or a swap if that is legal now.
function play(move) {
  if (!canPlay(move)) return;
  preview = null;
  if (lessons.isWaiting && !lessons.attempt(move)) return;
  if (puzzle.isActive) puzzle.attempt(move);
  else session.play(move);
}

// Plays a line after the first `from` moves.
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
  const messagesBefore = messages;
  byId("board").setAttribute("aria-busy", "true");
  let found;
  try {
    if (session.isUnchecked && session.wholeText !== game) await server.look(session.wholeText);
    found = await server.look(game);
  } catch (error) {
    if (game === session.text()) failed(error);
    return;
  }
  // The user may have gone elsewhere meanwhile.
  if (game !== session.text()) return;
  board.prepare(found.side);
  session.confirm();
  // Messages about this position stay, and so do those shown during the request.
  if (notice !== "" || (messages === messagesBefore && game !== viewedGame)) showProblem(notice);
  notice = "";
  if (game !== viewedGame) shownAnalysis = null;
  view = found;
  viewedGame = game;
  if (view.outcome !== null) {
    session.storeOutcome(game, view.outcome);
    if (session.isAtEnd) session.revealEvaluations(false);
  }
  puzzle.update();
  lessons.update();
  if (isComplete) showAll();
  else if (!(await showFirstPosition(game))) return;
  scheduler.decide(view);
  playQueuedMove();
}

function playQueuedMove() {
  const move = queuedMove;
  queuedMove = null;
  if (move?.game === session.text()) play(move.cell);
}

// A refused change is reverted; a request without an answer is repeated.
function failed(error) {
  if (error.isRefusal) {
    notice = error.message;
    session.revert();
    return;
  }
  showProblem(error.message);
  setTimeout(() => viewedGame !== session.text() && refresh(), RETRY_MS);
}

// The steps that show a position, the board first.
const renderSteps = [
  () => board.show(view, view.outcome === null && !scheduler.isBotsTurn(view)),
  () => {
    const offers = { isGame: !lessons.isActive, ...steps.update(view) };
    controls.update(session, view, scheduler.isBotsTurn(view), board, offers);
    board.highlightEdges(path.isBeginner() ? cards.beginnerColor(session, view) : null);
  },
  () => {
    const isBotsTurn = scheduler.isBotsTurn(view);
    shell.show(view, isBotsTurn);
    byId("status").textContent = cards.statusText(session, view, isBotsTurn, session.ply === 0 ? "" : `${lastMove()} `,
      (color) => board.sidesOf(color));
    byId("status").classList.toggle("over", view.outcome !== null);
    cards.show(session, view, isBotsTurn);
    byId("hexworld").href = orientation.oriented(view.link, board.orientation);
    share.showTurn(view.turnInput);
    byId("endless").checked = session.show.endless;
    panel.showDistances(view, session.show.analysis && session.show.paths && view.outcome === null);
    byId("bring-back").hidden = !session.hasSetAside || lessons.isActive;
  },
  showStudy,
  () => byId("board").setAttribute("aria-busy", "false"),
];

function showAll() {
  for (const show of renderSteps) show();
}

// Shows the first position in steps: the board at once, the rest after the controls are connected.
// Returns false if the user has gone elsewhere meanwhile.
async function showFirstPosition(game) {
  const [showBoard, ...others] = renderSteps;
  showBoard();
  await connected;
  const isShown = await runTasks(others, () => game === session.text());
  isComplete ||= isShown;
  // The grades may have come after the panels and before the last step.
  if (isShown && view !== null) showPanels();
  return isShown;
}

function showStudy() {
  setup.update();
  if (view !== null) showPanels();
}

// Shows the position again after its look has changed.
function redraw() {
  if (currentView() === null) return;
  if (!isComplete) {
    // The other steps follow.
    renderSteps[0]();
    return;
  }
  showAll();
  scheduler.preferencesChanged(view);
}

function showPanels() {
  // A puzzle hides the analysis until it is solved.
  const isOn = session.show.analysis && !puzzle.isActive;
  const proofs = provenGame === viewedGame ? proof : null;
  const isLive = isOn && view.outcome === null;
  const map = isLive && isFirstMove() ? openingMap() : null;
  const analysis = (isOn && withProof(shownAnalysis ?? session.evaluationAt(session.ply), proofs)) || null;
  panel.showEvaluation(view, analysis, map && bestOpening(map));
  candidates.show(view, isLive ? shownAnalysis : null, map, proofs, isLive);
  panel.showCurve(session);
  panel.showMistakes(session, actions, puzzle.isActive);
  variations.show();
  showOverlay();
}

// The actions on a mistake.
const actions = {
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
  // The engine's first move does not take the swap into account, so its line is not shown.
  const show = { ...session.show, analysis: session.show.analysis && !isPuzzle, line: session.show.line && !isFirstMove() };
  const tried = isPuzzle && puzzle.tried !== null ? { line: [puzzle.tried], color: view.toMove } : null;
  const proofs = provenGame === viewedGame ? proof : null;
  // The map is only valid for the first move.
  const isEarly = session.ply <= 1 && session.setup === "";
  const map = show.analysis && show.heat === "openings" && isEarly ? openingMap() : null;
  if (show.heat === "openings") show.heat = "visits";
  drawOverlay(board, view, { analysis: shownAnalysis, proof: proofs, preview: tried ?? preview, openings: map }, show);
  marks.draw(board);
}

const isFirstMove = () => session.ply === 0 && session.setup === "";

// Loads the grades of mistakes, with retries.
async function loadGrades() {
  try {
    setGrades(await server.grades());
    if (currentView() !== null && isComplete) showPanels();
  } catch {
    setTimeout(loadGrades, RETRY_MS);
  }
}

// The map of first moves; null until it is loaded.
function openingMap() {
  const { side } = view;
  if (!openings.has(side)) {
    openings.set(side, null);
    server.openings(side).then((map) => {
      openings.set(side, map);
      if (view?.side === side) showPanels();
    }, ({ message, isRefusal }) => {
      if (isRefusal) showProblem(message);
      else openings.delete(side);
    });
  }
  return openings.get(side);
}

// The analysis with the proven result instead of the estimate.
function withProof(analysis, proofs) {
  if (!analysis || !proofs?.winner) return analysis || null;
  return { ...analysis, redWins: proofs.winner === "red" ? 1 : 0, proven: proofs.winner };
}

function showProof(game, found) {
  [provenGame, proof] = [game, found];
  showPanels();
}

function showAnalysis(game, analysis) {
  if (game === session.text()) shownAnalysis = analysis;
  showPanels();
}

function showReview(done, count) {
  byId("review").textContent = scheduler.isReviewing ? "Stop" : "Find mistakes";
  const isFinished = done === null;
  byId("review-state").textContent = isFinished ? "" : `${done} of ${count} positions`;
  if (isFinished && view !== null) {
    showPanels();
    scheduler.decide(view);
  }
}

// The last move in words.
function lastMove() {
  const index = session.ply - 1;
  const mover = movers(session.moves)[index];
  const move = session.moves[index];
  const words = move.length > 2 && move.startsWith(":") ? moveName(move) : `${colorName(mover)}: ${moveName(move)}`;
  return `${session.ply}. ${words}.`;
}

// --- Start.

function load() {
  try {
    session.load(orientation.applyLink(location.hash || path.startHash(), board));
  } catch (error) {
    notice = `The address cannot be read: ${error.message}`;
    session.load("");
  }
}

// Shows how much of the engine is loaded until the first position appears.
onLoading((share) => {
  if (view !== null) return;
  const percent = Math.round(100 * share);
  byId("status").textContent = `Loading the bot: ${percent} %. Moves that you make now are played afterwards.`;
});

// Null until it is connected.
let shell = null;
const names = () => ["red", "blue"].map((color) => cards.playerName(session, color));

// The board first, while the server describes the position; then the other parts.
const startupTasks = [
  () => {
    const { side } = session;
    if (view === null && SIDES.first <= side && side <= SIDES.last) board.prepare(side);
  },
  () => {
    connection.connect();
    records.start(isNewTab);
    loadGrades();
  },
  () => controls.connect(session, scheduler, currentView, board, play),
  () => shell = new Shell(session, board, redraw),
  () => {
    // An SGF file has the whole game, a picture the position.
    save.connect((format) => (format === "sgf"
      ? { game: session.wholeText, players: names(), nodes: session.tree.nodes(remarks(session)) }
      : { game: session.text(), labels: session.here.labels, arrows: session.here.arrows }), names, showProblem);
    share.connect((record) => records.openRecord("Pasted games", record), (hash) => session.load(hash), () => session.link(), showProblem);
    byId("bring-back").addEventListener("click", () => session.bringBack());
    byId("warning-read").addEventListener("click", () => { byId("warning").hidden = true; });
    byId("next-step").addEventListener("click", () => steps.begin());
    byId("steps").open = path.isBeginner();
    byId("endless").addEventListener("change", ({ target }) =>
      session.set({ show: { ...session.show, endless: target.checked } }));
  },
];

const release = holdEvents();
const isNewTab = location.hash === "";
// The layout and the colours are set before the first drawing.
tabs.connect();
applyTheme();
session.addEventListener("change", refresh);
session.addEventListener("unkept", ({ detail }) => {
  showWarning(`This study (${detail}) is too large to survive a reload of the page; the limit is about 5 MB. Save it as SGF.`);
});
window.addEventListener("hashchange", load);
load();
const connected = runTasks(startupTasks).finally(release);
