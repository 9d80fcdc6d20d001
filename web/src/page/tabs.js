// The panel's three tabs. Beside the board one is always open. On a very wide screen the study
// panel is always visible on the other side; on an upright screen the open tab is below the board.

import { byId } from "./dom.js";
import { isByPointer } from "./keys.js";
import { loadItem, storeItem } from "./session.js";

const NAMES = ["game", "analysis", "games"];
// The same as in page.css.
const STACKED = matchMedia("(max-width: 68.74rem) and (orientation: portrait), (max-width: 30rem)");
const WIDE = matchMedia("(min-width: 100rem) and (min-height: 38rem)");
// The tab with its own place on a very wide screen.
const STUDY = "analysis";
// The share of the screen that the board keeps when a tab below it is opened.
const BOARD = 0.5;
// The name under which a reload finds the open tab.
const STORED = "tab";

const tab = (name) => byId(`tab-${name}`);
const panel = (name) => byId(`panel-${name}`);

// The tab that was opened last, and the last one other than the study.
let opened = NAMES[0];
let beside = NAMES[0];

// Opens a tab: "game", "analysis" or "games".
export function showTab(name) {
  opened = name;
  storeItem(STORED, name);
  if (name !== STUDY) beside = name;
  update();
}

function update() {
  const shown = WIDE.matches ? beside : opened;
  for (const name of NAMES) {
    panel(name).hidden = name !== shown && !(WIDE.matches && name === STUDY);
    tab(name).setAttribute("aria-selected", String(name === shown));
    tab(name).tabIndex = name === shown ? 0 : -1;
  }
}

// Scrolls to a tab below the board and keeps half of the board visible; back to the board if the
// tab was already visible.
function scroll(wasOpen) {
  const top = panel(opened).offsetTop - BOARD * innerHeight;
  window.scrollTo({ top: wasOpen && scrollY >= top - 1 ? 0 : top });
}

// Scrolls to a part of the panel if that is below the board.
export function showPart(part) {
  if (STACKED.matches) part.scrollIntoView();
}

// Scrolls to the board if it is above the panel.
export function showBoard() {
  if (STACKED.matches) window.scrollTo({ top: 0 });
}

export function connect() {
  for (const name of NAMES) {
    tab(name).addEventListener("click", () => {
      const wasOpen = opened === name;
      showTab(name);
      if (STACKED.matches) scroll(wasOpen);
    });
    tab(name).addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      // After a click, arrow keys step through the moves.
      if (step === undefined || isByPointer()) return;
      const names = WIDE.matches ? NAMES.filter((other) => other !== STUDY) : NAMES;
      const next = names[(names.indexOf(name) + step + names.length) % names.length];
      showTab(next);
      tab(next).focus();
      event.preventDefault();
    });
  }
  for (const media of [STACKED, WIDE]) media.addEventListener("change", update);
  const before = loadItem(STORED);
  showTab(NAMES.includes(before) ? before : opened);
}
