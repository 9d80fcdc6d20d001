// The panel's three tabs. Beside the board one is always open; on a very wide screen the study stands
// on the other side of the board besides; on an upright screen the open one follows the board.

import { isByPointer } from "./keys.js";

const NAMES = ["game", "analysis", "games"];
// The same as in page.css.
const STACKED = matchMedia("(max-width: 68.74rem) and (orientation: portrait), (max-width: 30rem)");
const WIDE = matchMedia("(min-width: 100rem) and (min-height: 38rem)");
// What has a place of its own on a very wide screen.
const STUDY = "analysis";
// The share of the screen that the board keeps when a tab that lies below it is opened.
const BOARD = 0.5;

const tab = (name) => document.getElementById(`tab-${name}`);
const panel = (name) => document.getElementById(`panel-${name}`);

// The tab that was opened last, and the last one besides the study.
let opened = NAMES[0];
let beside = NAMES[0];

// Opens a tab, "game", "analysis" or "games"; scrolls to it where it lies below the board, if that is wanted.
export function showTab(name, isWanted = false) {
  opened = name;
  if (name !== STUDY) beside = name;
  settle();
  if (isWanted && STACKED.matches) scroll(false);
}

function settle() {
  const shown = WIDE.matches ? beside : opened;
  for (const name of NAMES) {
    panel(name).hidden = name !== shown && !(WIDE.matches && name === STUDY);
    tab(name).setAttribute("aria-selected", String(name === shown));
    tab(name).tabIndex = name === shown ? 0 : -1;
  }
}

// Shows as much of a tab below the board as fits beside half of the board; all of the board again if
// that is seen already.
function scroll(wasOpen) {
  const top = panel(opened).offsetTop - BOARD * innerHeight;
  window.scrollTo({ top: wasOpen && scrollY >= top - 1 ? 0 : top });
}

// Shows all of the board, where a panel below it was scrolled to.
export function showBoard() {
  if (STACKED.matches) window.scrollTo({ top: 0 });
}

// Connects the tabs.
export function connect() {
  for (const name of NAMES) {
    tab(name).addEventListener("click", () => {
      const wasOpen = opened === name;
      showTab(name);
      if (STACKED.matches) scroll(wasOpen);
    });
    tab(name).addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      // After a click they are for the moves.
      if (step === undefined || isByPointer()) return;
      const names = WIDE.matches ? NAMES.filter((other) => other !== STUDY) : NAMES;
      const next = names[(names.indexOf(name) + step + names.length) % names.length];
      showTab(next);
      tab(next).focus();
      event.preventDefault();
    });
  }
  for (const media of [STACKED, WIDE]) media.addEventListener("change", settle);
  settle();
}
