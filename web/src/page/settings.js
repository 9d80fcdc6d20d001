// The dialog with what the reader prefers, and what follows from it at once.

import { DIAMOND, FLAT, STANDING, UPRIGHT } from "./geometry.js";
import * as look from "./look.js";
import * as power from "./power.js";
import { preferences } from "./prefs.js";

const byId = (id) => document.getElementById(id);
const TURNS = 12;
const NAMED = { [FLAT]: "flat", [DIAMOND]: "diamond", [STANDING]: "standing", [UPRIGHT]: "upright diamond" };
// What F goes through.
const ROUND = [FLAT, DIAMOND, STANDING, UPRIGHT];
const SWITCHES = ["mirrored", "numbers", "sides", "sound", "turn", "twice", "ponder"];

// Connects the fields. `board` is what is turned, `redraw` shows what was changed on its stones.
export function connect(board, redraw) {
  const rotations = [...ROUND, ...Array.from({ length: TURNS }, (_, index) => index + 1).filter((turn) => !(turn in NAMED))];
  byId("rotation").append(new Option("what fits best", "auto"), ...rotations.map((turn) => new Option(turnName(turn), turn)));
  byId("rotation").addEventListener("change", ({ target }) =>
    lay(board, { rotation: target.value === "auto" ? "auto" : Number(target.value) }));
  byId("mirrored").addEventListener("change", ({ target }) => lay(board, { mirrored: target.checked }));
  byId("turn-left").addEventListener("click", () => lay(board, { rotation: turned(board, -1) }));
  byId("turn-right").addEventListener("click", () => lay(board, { rotation: turned(board, 1) }));
  byId("theme").addEventListener("change", ({ target }) => preferences.set({ theme: target.value }));
  for (const name of SWITCHES.filter((name) => name !== "mirrored")) {
    byId(name).addEventListener("change", ({ target }) => preferences.set({ [name]: target.checked }));
  }
  power.connect();
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

// Turns the board to the next of the usual ways.
export function turnOn(board) {
  const next = (ROUND.indexOf(board.lies.rotation) + 1) % ROUND.length;
  lay(board, { rotation: ROUND[next] });
}

const turned = (board, step) => ((board.lies.rotation - 1 + step + TURNS) % TURNS) + 1;

function turnName(turn) {
  return NAMED[turn] ?? `turned by ${30 * ((turn - FLAT + TURNS) % TURNS)}°`;
}

// What the reader chooses counts from now on, whatever a link has asked for.
function lay(board, changes) {
  const mirrored = board.lies.mirrored;
  look.forget();
  board.ask(null);
  preferences.set({ mirrored, ...changes });
}

// The page in the colours that are preferred.
export function wearTheme() {
  const theme = preferences.get("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function show(board) {
  wearTheme();
  byId("theme").value = preferences.get("theme");
  byId("rotation").value = preferences.get("rotation");
  for (const name of SWITCHES) byId(name).checked = name === "mirrored" ? board.lies.mirrored : preferences.get(name);
}
