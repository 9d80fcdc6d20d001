// The first games: steps from a small board and a weak bot upwards. The browser stores the next
// step.

import { byId } from "./dom.js";
import { optionName } from "./levels.js";
import { preferences } from "./prefs.js";

// Each step has the side of the board, the person's colour and the bot's level.
const STEPS = [
  { side: 7, own: "red", level: "1" },
  { side: 7, own: "blue", level: "2" },
  { side: 9, own: "red", level: "2" },
  { side: 9, own: "blue", level: "3" },
  { side: 11, own: "red", level: "3" },
  { side: 11, own: "blue", level: "4" },
];

const players = ({ own, level }) => (own === "red" ? { red: "person", blue: level } : { red: level, blue: "person" });

// The index of the next step to win; STEPS.length if all are won.
const next = () => Math.min(preferences.get("path"), STEPS.length);

// Whether the user still has a first game to win and has never chosen another game.
export const isBeginner = () => next() < STEPS.length && !preferences.get("leftPath");

// The hash for a tab without one: the next step for beginners, else "".
export function startHash() {
  if (!isBeginner()) return "";
  const step = STEPS[next()];
  const { red, blue } = players(step);
  return `#${step.side},;red=${red};blue=${blue}`;
}

// The index of the step with these settings, or -1.
function stepOf(session) {
  if (session.record !== null || session.setup !== "") return -1;
  return STEPS.findIndex((step) => step.side === session.side && Object.entries(players(step)).every(([color, player]) => session.players[color] === player));
}

export class Path {
  #session;
  // The index of the step that was just lost; null if none was.
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

  // Starts a step; the next one by default.
  begin(index = this.#nextStep()) {
    const step = STEPS[index];
    this.#session.players = players(step);
    this.#session.begin(step.side);
    window.scrollTo({ top: 0 });
  }

  // Stores the result of a finished step; returns whether there is a next step, and whether this
  // one is won.
  update({ outcome }) {
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

  // The next step to win. After a loss the user may skip that step.
  #nextStep() {
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
