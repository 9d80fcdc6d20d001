// What is said beside the board: the bar of win probability and its curve over the game, the
// mistakes, how well each player has played.

import { draw } from "./board.js";
import { accuracy, mistakes, valueAt, withSwap } from "./judgement.js";
import { colorName, moveName } from "./notation.js";

const byId = (id) => document.getElementById(id);
const percent = (share) => `${Math.round(100 * share)} %`;

// --- The bar.

// Of a first stone the bot thinks as if it could not be taken over; the bar knows better. `opening`
// is Red's value of the best first move, where that is to be made, else null.
export function showThought(view, thought, opening) {
  const bar = byId("bar");
  bar.hidden = thought === null;
  byId("thought").textContent = thought === null ? "" : describe(view, thought, opening);
  if (thought === null) return;
  const redWins = opening ?? withSwap(thought.redWins, view.maySwap);
  byId("bar-red").style.width = `${100 * redWins}%`;
  byId("bar-text").textContent = `Red ${percent(redWins)} · Blue ${percent(1 - redWins)}${thought.proven ? ", proven" : ""}`;
  bar.setAttribute("aria-valuenow", Math.round(100 * redWins));
  bar.setAttribute("aria-valuetext", byId("bar-text").textContent);
}

function describe(view, thought, opening) {
  if (opening !== null) return `The best first move leaves Red ${percent(opening)}, whether Blue swaps or not.`;
  const result = thought.proven ? `${colorName(thought.proven)} wins for certain. ` : "";
  const swap = view.maySwap ? `Blue would ${thought.redWins > 0.5 ? "" : "not "}swap: ${percent(Math.max(thought.redWins, 1 - thought.redWins))}. ` : "";
  if (thought.simulations === undefined) return `${result}${swap}`;
  const best = view.maySwap ? "Without a swap" : "Best";
  const count = thought.simulations.toLocaleString("en");
  return `${result}${swap}${best}: ${thought.line.slice(0, 6).join(" ")} · ${count} simulations in ${(thought.time / 1000).toFixed(1)} s`;
}

export function showNeeds(view, isShown) {
  const need = (color) => {
    const path = view.paths[color];
    return `${colorName(color)} ${path === null ? "cannot connect" : `needs ${path.moves} more`}`;
  };
  byId("needs").textContent = isShown ? `If the other never answered: ${need("red")}, ${need("blue")}.` : "";
}

// --- The curve.

const WIDTH = 340;
const HEIGHT = 110;

export function showCurve(session) {
  const box = byId("curve");
  const count = Math.max(1, session.moves.length);
  const values = [...session.moves, ""].map((_, ply) => [ply, valueAt(session, ply)]);
  const known = values.filter(([, value]) => value !== undefined);
  box.hidden = !session.isOpen;
  box.replaceChildren();
  if (box.hidden || known.length < 2) return;
  const x = (ply) => 4 + ((WIDTH - 8) * ply) / count;
  const y = (share) => 4 + (HEIGHT - 8) * (1 - share);
  const label = `Red's chance to win over the game, now after ${session.ply} of ${session.moves.length} moves`;
  const svg = draw(box, "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  draw(svg, "rect", { class: "red", width: WIDTH, height: HEIGHT / 2 });
  draw(svg, "rect", { class: "blue", y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 });
  draw(svg, "line", { class: "now", x1: x(session.ply), x2: x(session.ply), y1: 0, y2: HEIGHT });
  const points = known.map(([ply, value]) => `${x(ply)},${y(value)}`).join(" ");
  draw(svg, "polyline", { points });
  for (const { ply, color } of mistakes(session)) {
    const at = y(valueAt(session, ply));
    const mark = draw(svg, "circle", { class: `mistake ${color}`, cx: x(ply), cy: at, r: 5 });
    draw(mark, "title", {}, `Mistake at move ${ply}`);
  }
  svg.addEventListener("click", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    session.goTo(Math.round(((event.clientX - left) / width) * count));
  });
}

// `tryAgain` gets the mistake that somebody wants to do better; while they are at it, `isSecret`,
// what is better is not told.
export function showMistakes(session, tryAgain, isSecret) {
  const found = mistakes(session);
  const item = (mistake) => ({
    text: `${mistake.ply}. ${colorName(mistake.color)} ${moveName(mistake.move)}: −${percent(mistake.loss)}`,
    isCurrent: mistake.ply === session.ply,
    onClick: () => session.goTo(mistake.ply),
  });
  fill(byId("mistakes"), found.map(item));
  found.forEach((mistake, index) => {
    const line = byId("mistakes").children[index];
    line.children[1].textContent = mistake.better.length > 0 && !isSecret ? ` better ${mistake.better.slice(0, 6).map(moveName).join(" ")} ` : " ";
    line.children[2].onclick = () => tryAgain(mistake);
    line.children[2].setAttribute("aria-label", `Try again at move ${mistake.ply}`);
  });
  byId("accuracy").textContent = said(accuracy(session));
}

function said({ red, blue }) {
  const part = (name, value) => (value === null ? "" : `${name} ${Math.round(value)} %`);
  const parts = [part("Red", red), part("Blue", blue)].filter(Boolean);
  return parts.length === 0 ? "" : `Accuracy: ${parts.join(", ")}.`;
}

// Makes a list show these items, each a button, a text and a button to try again. Buttons that are
// there already stay, so that the one with the focus keeps it while thoughts come in.
function fill(list, items) {
  while (list.children.length > items.length) list.lastChild.remove();
  while (list.children.length < items.length) {
    list.append(document.createElement("li"));
    const again = document.createElement("button");
    again.textContent = "Try again";
    list.lastChild.append(document.createElement("button"), document.createElement("span"), again);
  }
  items.forEach(({ text, className, isCurrent, onClick }, index) => {
    const line = list.children[index];
    const button = line.firstChild;
    line.className = className ?? "";
    button.textContent = text;
    button.onclick = onClick;
    if (isCurrent) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
}
