// The panel's three tabs. Beside the board one is always open; on an upright phone they lie at the
// bottom, and the one that is open takes a part of the screen until it is touched again.

import { isByPointer } from "./keys.js";

const NAMES = ["game", "analysis", "games"];
// The same as in page.css.
const SHEET = matchMedia("(max-width: 44rem) and (orientation: portrait)");

const tab = (name) => document.getElementById(`tab-${name}`);
const panel = (name) => document.getElementById(`panel-${name}`);

// The name of the open tab; null if none is.
const opened = () => NAMES.find((name) => !panel(name).hidden) ?? null;

// Opens a tab, "game", "analysis" or "games"; null closes them where they hide the board.
export function showTab(shown) {
  for (const name of NAMES) {
    panel(name).hidden = name !== shown;
    tab(name).setAttribute("aria-selected", String(name === shown));
    tab(name).tabIndex = name === (shown ?? NAMES[0]) ? 0 : -1;
  }
}

// Connects the tabs.
export function connect() {
  for (const name of NAMES) {
    tab(name).addEventListener("click", () => showTab(SHEET.matches && opened() === name ? null : name));
    tab(name).addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      // After a click they are for the moves.
      if (step === undefined || isByPointer()) return;
      const next = NAMES[(NAMES.indexOf(name) + step + NAMES.length) % NAMES.length];
      showTab(next);
      tab(next).focus();
      event.preventDefault();
    });
  }
  const settle = () => showTab(SHEET.matches ? null : opened() ?? NAMES[0]);
  SHEET.addEventListener("change", settle);
  settle();
}
