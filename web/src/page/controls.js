// The buttons and fields. Players, time and what is shown apply at once, the size with a new game.

import { CLOCKS } from "./clock.js";
import { LEVELS, levelFigures, levelWords, optionName } from "./levels.js";
import { moveName, resignation } from "./notation.js";
import { preferences } from "./prefs.js";
import { readSeconds, SIDES } from "./session.js";
import { showTab } from "./tabs.js";

const byId = (id) => document.getElementById(id);
// Pixels of a wheel that are one move.
const NOTCH = 40;
// From move to move, where they are played by themselves.
const AUTO_MS = 1000;

// Fills the fields and connects them and all buttons with the game. `now()` is what the rules say
// of the position; null while that is not known. `board` shows hints; `play` takes a move, as from the
// board.
export function connect(session, director, now, board, play) {
  fill();
  byId("clock").addEventListener("change", ({ target }) => preferences.set({ clock: target.value }));
  for (const color of ["red", "blue"]) {
    byId(color).addEventListener("change", (event) =>
      session.set({ players: { ...session.players, [color]: event.target.value } }));
  }
  byId("seconds").addEventListener("change", (event) => {
    if (event.target.reportValidity()) session.set({ seconds: readSeconds(event.target.value) });
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
  const clickToMove = (id, action) => click(id, () => now() !== null && action(now()));
  click("swap", () => play(":s"));
  clickToMove("hint", (view) => director.hint(view, (move) => {
    hint = { game: session.text(), move };
    showHint(session, board);
  }));
  clickToMove("bot-moves", (view) => director.moveOnce(view));
  clickToMove("resign", (view) => session.play(resignation(view.toMove)));
  click("pause", () => session.set({ paused: !session.paused }));
  click("again", () => {
    session.begin(session.side);
    window.scrollTo({ top: 0 });
  });
  click("my-mistakes", () => {
    showTab("analysis", true);
    director.beginReview();
  });
  click("review", () => (director.isReviewing ? director.endReview() : director.beginReview()));
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
  return clock === "off" ? "no clock" : `${minutes} min, ${seconds} s more a move`;
}

// What the bot would play, and in which game: { game, move }.
let hint = null;

// Shows the hint as long as its game is shown.
function showHint(session, board) {
  const move = hint?.game === session.text() ? hint.move : null;
  const isCell = move !== null && !move.startsWith(":");
  board.showHint(isCell ? move : null);
  byId("swap").classList.toggle("main", move === ":s");
  byId("hinted").textContent = move === null ? "" : `Hint: ${moveName(move)}.`;
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

// What a beginner wants to know of the levels, and behind that the figures.
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

// The wheel over the board goes move by move, unless the page itself scrolls.
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
    if (0 <= session.ply + step && session.ply + step <= session.moves.length) session.goTo(session.ply + step);
  }, { passive: false });
}

// Plays the moves of the line one after the other, until its end or until somebody goes elsewhere.
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

// Shows the state of the game in all fields and buttons.
// `offers` says whether this is a game and no lesson, `isOpen`, whether there is a next step of the first games,
// `hasNext`, and whether this one is won, `isWon`.
export function update(session, view, isBotsTurn, board, offers) {
  const { players, seconds, side, moves, ply } = session;
  byId("red").value = players.red;
  byId("blue").value = players.blue;
  // What is being typed is not applied yet.
  if (document.activeElement !== byId("seconds")) byId("seconds").value = seconds;
  byId("clock").value = preferences.get("clock");
  const levels = [...new Set([players.red, players.blue])].filter((player) => player !== "person");
  showLevels(levels);
  showHint(session, board);
  // The size may have been chosen for the next game already.
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
  // In the place of what is no use any more stands what can be done with a game that is over.
  const isEnd = isOver && session.isAtEnd && offers.isOpen;
  const isOffered = isEnd && session.record === null;
  for (const id of ["swap", "hint"]) byId(id).hidden = isEnd;
  for (const id of ["bot-moves", "resign"]) byId(id).hidden = isEnd || !offers.isOpen;
  byId("again").hidden = !isOffered;
  byId("again").classList.toggle("main", !offers.isWon);
  byId("my-mistakes").hidden = !isEnd || moves.length < 2;
  byId("my-mistakes").textContent = isOffered ? "My mistakes" : "Find mistakes";
  byId("next-step").hidden = !isOffered || !offers.hasNext;
  byId("next-step").classList.toggle("main", offers.isWon);
  for (const id of ["hint", "bot-moves"]) byId(id).disabled = isOver || isBotsTurn;
  byId("resign").disabled = isOver || isBotsTurn;
  byId("pause").hidden = isEnd || !offers.isOpen || (players.red === "person" && players.blue === "person");
  byId("pause").setAttribute("aria-pressed", session.paused);
  byId("pause").textContent = session.paused ? "Go on" : "Pause";
  byId("review").disabled = moves.length === 0;
}
