// Buttons and fields of the game. Players, time and display settings apply at once, the size with
// the next game.

import { CLOCKS } from "./clock.js";
import { byId } from "./dom.js";
import { isTyping } from "./keys.js";
import { LEVELS, levelFigures, levelWords, optionName } from "./levels.js";
import { moveName, resignation } from "./notation.js";
import { preferences } from "./prefs.js";
import { readSeconds, SIDES } from "./session.js";
import { showPart, showTab } from "./tabs.js";

// Wheel movement for one move, in pixels.
const NOTCH = 40;
// The time between moves that are played automatically.
const AUTO_MS = 1000;

// Fills the fields and connects them and all buttons. `currentView()` is the shown position, or
// null while the server has not described it yet. `play(move)` is called as for a click on the
// board.
export function connect(session, scheduler, currentView, board, play) {
  fill();
  byId("clock").addEventListener("change", ({ target }) => preferences.set({ clock: target.value }));
  for (const color of ["red", "blue"]) {
    byId(color).addEventListener("change", (event) =>
      session.set({ players: { ...session.players, [color]: event.target.value } }));
  }
  byId("seconds").addEventListener("change", (event) => {
    if (event.target.reportValidity()) session.set({ seconds: readSeconds(event.target.value) });
  });
  // Enter applies the time; the form's button would begin another game.
  byId("seconds").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.target.blur();
  });
  byId("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    preferences.set({ leftPath: true });
    session.begin(Number(byId("side").value));
    window.scrollTo({ top: 0 });
  });
  for (const name of ["analysis", "line", "paths"]) {
    byId(name).addEventListener("change", (event) => show(session, { [name]: event.target.checked }));
  }
  byId("heat").addEventListener("change", (event) => show(session, { heat: event.target.value }));
  connectSteps(session);
  const click = (id, action) => byId(id).addEventListener("click", action);
  const clickToMove = (id, action) => click(id, () => currentView() !== null && action(currentView()));
  click("swap", () => play(":s"));
  clickToMove("hint", (view) => scheduler.hint(view, (move) => {
    hint = { game: session.text(), move };
    showHint(session, board);
  }));
  clickToMove("bot-moves", (view) => scheduler.playBotMove(view));
  clickToMove("resign", (view) => session.play(resignation(view.toMove)));
  click("pause", () => session.set({ paused: !session.paused }));
  click("again", () => {
    session.begin(session.side);
    window.scrollTo({ top: 0 });
  });
  click("my-mistakes", () => {
    showTab("analysis");
    showPart(byId("curve").parentElement);
    scheduler.startReview();
  });
  click("review", () => (scheduler.isReviewing ? scheduler.stopReview() : scheduler.startReview()));
}

function fill() {
  const levels = Array.from({ length: LEVELS }, (_, index) => String(index + 1));
  for (const color of ["red", "blue"]) {
    byId(color).append(...["person", ...levels].map((player) => new Option(optionName(player), player)));
  }
  byId("clock").append(...CLOCKS.map((clock) => new Option(clockName(clock), clock)));
  for (let side = SIDES.first; side <= SIDES.last; side++) byId("side").append(new Option(`${side} × ${side}`, side));
}

function clockName(clock) {
  const [minutes, seconds] = clock.split("+");
  return clock === "off" ? "no clock" : `${minutes} min + ${seconds} s per move`;
}

// The hint and its game, { game, move }.
let hint = null;

// Shows the hint while its game is shown.
function showHint(session, board) {
  const move = hint?.game === session.text() ? hint.move : null;
  const isCell = move !== null && !move.startsWith(":");
  board.showHint(isCell ? move : null);
  byId("swap").classList.toggle("main", move === ":s");
  byId("hint-text").textContent = move === null ? "" : `Hint: ${moveName(move)}.`;
}

function show(session, changes) {
  session.set({ show: { ...session.show, ...changes } });
}

function connectSteps(session) {
  const go = (id, target) => byId(id).addEventListener("click", () => session.goTo(target()));
  go("first", () => 0);
  go("back", () => session.ply - 1);
  go("forward", () => session.ply + 1);
  go("last", () => session.moves.length);
  go("undo", () => session.nearestTurn(-1));
  go("redo", () => session.nearestTurn(1));
  byId("slider").addEventListener("input", (event) => session.goTo(Number(event.target.value)));
  connectWheel(session);
  connectAuto(session);
}

// Describes the levels for beginners; the figures are in a collapsed section.
function showLevels(levels) {
  const place = byId("level-words");
  if (place.dataset.levels === levels.join()) return;
  place.dataset.levels = levels.join();
  place.replaceChildren();
  if (levels.length === 0) return;
  const [details, summary] = ["details", "summary"].map((name) => document.createElement(name));
  summary.textContent = "In figures";
  details.append(summary, levels.map(levelFigures).join(" "));
  place.append(levels.map(levelWords).join(" "), details);
}

// The wheel over the board steps through the moves, unless the page itself scrolls.
function connectWheel(session) {
  let turned = 0;
  byId("board").addEventListener("wheel", (event) => {
    const { scrollHeight, clientHeight } = document.documentElement;
    if (event.ctrlKey || event.deltaY === 0 || scrollHeight > clientHeight + 1) return;
    event.preventDefault();
    // Touchpads send many small steps.
    const isSame = Math.sign(turned) === Math.sign(event.deltaY);
    turned = (isSame ? turned : 0) + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH);
    if (Math.abs(turned) < NOTCH) return;
    const step = Math.sign(turned);
    turned = 0;
    // A field with the focus keeps its comment while its user types. Here the user has gone on.
    if (isTyping(document.activeElement)) document.activeElement.blur();
    if (0 <= session.ply + step && session.ply + step <= session.moves.length) session.goTo(session.ply + step);
  }, { passive: false });
}

// Plays the moves of the line one by one until its end, or until the user goes elsewhere.
function connectAuto(session) {
  let timer = null;
  let expected = null;
  const show = (isOn) => {
    byId("auto").setAttribute("aria-pressed", isOn);
    byId("auto").textContent = isOn ? "Stop" : "Auto";
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    show(false);
  };
  const step = () => {
    expected = session.ply + 1;
    session.goTo(expected);
    if (session.isAtEnd) stop();
  };
  byId("auto").addEventListener("click", () => {
    if (timer !== null) return stop();
    timer = setInterval(step, AUTO_MS);
    show(true);
    step();
  });
  session.addEventListener("change", () => timer !== null && session.ply !== expected && stop());
}

// Shows the state of the game in all fields and buttons. `offers`: `isGame` is false in a lesson,
// `hasNext` is true if there is a next step of the first games, `isWon` if this step is won.
export function update(session, view, isBotsTurn, board, offers) {
  const { players, seconds, side, moves, ply } = session;
  byId("red").value = players.red;
  byId("blue").value = players.blue;
  // The user may be typing.
  if (document.activeElement !== byId("seconds")) byId("seconds").value = seconds;
  byId("clock").value = preferences.get("clock");
  const levels = [...new Set([players.red, players.blue])].filter((player) => player !== "person");
  showLevels(levels);
  showHint(session, board);
  // The user may have chosen a size for the next game.
  if (byId("side").dataset.shown !== String(side)) {
    byId("side").value = side;
    byId("side").dataset.shown = side;
  }
  byId("heat").value = session.show.heat;
  for (const name of ["analysis", "line", "paths"]) byId(name).checked = session.show[name];
  byId("slider").max = moves.length;
  byId("slider").value = ply;
  for (const id of ["first", "back", "undo"]) byId(id).disabled = ply === 0;
  for (const id of ["last", "forward", "redo", "auto"]) byId(id).disabled = session.isAtEnd;
  const isOver = view.outcome !== null;
  byId("swap").disabled = !view.maySwap || isBotsTurn;
  // A finished game has other buttons.
  const isEnd = isOver && session.isAtEnd && offers.isGame;
  const isOffered = isEnd && session.record === null;
  for (const id of ["swap", "hint"]) byId(id).hidden = isEnd;
  for (const id of ["bot-moves", "resign"]) byId(id).hidden = isEnd || !offers.isGame;
  byId("again").hidden = !isOffered;
  byId("again").classList.toggle("main", !offers.isWon);
  byId("my-mistakes").hidden = !isEnd || moves.length < 2;
  byId("my-mistakes").textContent = isOffered ? "My mistakes" : "Find mistakes";
  byId("next-step").hidden = !isOffered || !offers.hasNext;
  byId("next-step").classList.toggle("main", offers.isWon);
  for (const id of ["hint", "bot-moves"]) byId(id).disabled = isOver || isBotsTurn;
  byId("resign").disabled = isOver || isBotsTurn;
  byId("pause").hidden = isEnd || !offers.isGame || (players.red === "person" && players.blue === "person");
  byId("pause").setAttribute("aria-pressed", session.paused);
  byId("pause").textContent = session.paused ? "Resume" : "Pause";
  byId("review").disabled = moves.length === 0;
}
