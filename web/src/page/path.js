// The first games: a path of small steps from a small board and a weak bot on. The step that comes next is
// remembered in the browser.

import { optionName } from "./levels.js";
import { preferences } from "./prefs.js";

const byId = (id) => document.getElementById(id);

// What each step is: the side of the board, the colour of the person, the bot's level.
const STEPS = [
  { side: 7, own: "red", level: "1" },
  { side: 7, own: "blue", level: "2" },
  { side: 9, own: "red", level: "2" },
  { side: 9, own: "blue", level: "3" },
  { side: 11, own: "red", level: "3" },
  { side: 11, own: "blue", level: "4" },
];

const players = ({ own, level }) => (own === "red" ? { red: "person", blue: level } : { red: level, blue: "person" });

// The number of the step that is to be won next; as many as there are when all are.
const next = () => Math.min(preferences.get("path"), STEPS.length);

// Is a first game still to be won by somebody who has never chosen another one?
export const isBeginner = () => next() < STEPS.length && !preferences.get("leftPath");

// The address that a tab without one begins with: the next step for a beginner, else "".
export function beginning() {
  if (!isBeginner()) return "";
  const step = STEPS[next()];
  const { red, blue } = players(step);
  return `#${step.side},;red=${red};blue=${blue}`;
}

// The number of the step that a game is, or -1: a later one of the same kind counts as well.
function stepOf(session) {
  if (session.record !== null || session.setup !== "") return -1;
  return STEPS.findIndex((step) => step.side === session.side && Object.entries(players(step)).every(([color, player]) => session.players[color] === player));
}

export class Path {
  #session;
  // The number of the step that is shown as lost; null if none is.
  #lost = null;

  constructor(session) {
    this.#session = session;
    STEPS.forEach((step, index) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.addEventListener("click", () => this.begin(index));
      item.append(button);
      byId("path").append(item);
    });
    this.#draw();
  }

  // Begins a step, or the one that comes next.
  begin(index = this.#following()) {
    const step = STEPS[index];
    this.#session.players = players(step);
    this.#session.begin(step.side);
    window.scrollTo({ top: 0 });
  }

  // Takes note of a game that is over; returns whether there is a next step to offer, and whether it is won.
  note({ outcome }) {
    const at = outcome === null ? -1 : stepOf(this.#session);
    this.#lost = null;
    if (at === -1) return { hasNext: false, isWon: false };
    const isWon = outcome.winner === STEPS[at].own;
    if (isWon && at >= next()) {
      preferences.set({ path: at + 1 });
      this.#draw();
    }
    if (!isWon) this.#lost = at;
    return { hasNext: at + 1 < STEPS.length, isWon };
  }

  // The next step that is to be won; whoever has just lost that one may go on all the same.
  #following() {
    return Math.min(Math.max(next(), (this.#lost ?? -1) + 1), STEPS.length - 1);
  }

  #draw() {
    [...byId("path").children].forEach(({ firstChild: button }, index) => {
      const { side, level, own } = STEPS[index];
      const isWon = index < next();
      button.textContent = `${index + 1}. ${side} × ${side} as ${own === "red" ? "Red" : "Blue"}, ${optionName(level)}${isWon ? " ✓" : ""}`;
      button.classList.toggle("main", index === next() && isBeginner());
      if (isWon) button.setAttribute("aria-label", `${button.textContent.replace(" ✓", "")}, won`);
      else button.removeAttribute("aria-label");
    });
  }
}
