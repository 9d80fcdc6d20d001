// The settings dialog. Changes apply at once.

import { byId } from "./dom.js";
import { DIAMOND, FLAT, STANDING, UPRIGHT } from "./geometry.js";
import * as orientation from "./orientation.js";
import * as threads from "./threads.js";
import { preferences } from "./prefs.js";

const TURNS = 12;
const NAMED = { [FLAT]: "flat", [DIAMOND]: "diamond", [STANDING]: "standing", [UPRIGHT]: "upright diamond" };
// The rotations that F cycles through.
const CYCLE = [FLAT, DIAMOND, STANDING, UPRIGHT];
const SWITCHES = ["mirrored", "numbers", "sides", "pattern", "sound", "turn", "twice", "ponder"];

// Connects the fields. `redraw()` shows the position again.
export function connect(board, redraw) {
  const rotations = [...CYCLE, ...Array.from({ length: TURNS }, (_, index) => index + 1).filter((turn) => !(turn in NAMED))];
  byId("rotation").append(new Option("best fit", "auto"), ...rotations.map((turn) => new Option(turnName(turn), turn)));
  byId("rotation").addEventListener("change", ({ target }) =>
    orient(board, { rotation: target.value === "auto" ? "auto" : Number(target.value) }));
  byId("mirrored").addEventListener("change", ({ target }) => orient(board, { mirrored: target.checked }));
  byId("turn-left").addEventListener("click", () => orient(board, { rotation: rotatedBy(board, -1) }));
  byId("turn-right").addEventListener("click", () => orient(board, { rotation: rotatedBy(board, 1) }));
  byId("theme").addEventListener("change", ({ target }) => preferences.set({ theme: target.value }));
  for (const name of SWITCHES.filter((name) => name !== "mirrored")) {
    byId(name).addEventListener("change", ({ target }) => preferences.set({ [name]: target.checked }));
  }
  threads.connect();
  byId("settings-open").addEventListener("click", () => {
    show(board);
    byId("settings").showModal();
  });
  byId("keys-open").addEventListener("click", () => byId("keys").showModal());
  preferences.addEventListener("change", () => {
    show(board);
    redraw();
  });
  show(board);
}

// Rotates the board to the next common rotation.
export function rotateBoard(board) {
  const next = (CYCLE.indexOf(board.orientation.rotation) + 1) % CYCLE.length;
  orient(board, { rotation: CYCLE[next] });
}

const rotatedBy = (board, step) => ((board.orientation.rotation - 1 + step + TURNS) % TURNS) + 1;

function turnName(turn) {
  return NAMED[turn] ?? `rotated by ${30 * ((turn - FLAT + TURNS) % TURNS)}°`;
}

// The user's choice replaces the orientation from a link.
function orient(board, changes) {
  const mirrored = board.orientation.mirrored;
  orientation.forgetLink();
  board.setOrientation(null);
  preferences.set({ mirrored, ...changes });
}

// Applies the preferred theme.
export function applyTheme() {
  const theme = preferences.get("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function show(board) {
  applyTheme();
  byId("theme").value = preferences.get("theme");
  byId("rotation").value = preferences.get("rotation");
  for (const name of SWITCHES) byId(name).checked = name === "mirrored" ? board.orientation.mirrored : preferences.get(name);
}
