// What is said beside the board: the bar of win probability and its curve over the game, the
// mistakes, how well each player has played.

import { draw } from "./board.js";
import { accuracy, GRADES, mistakes, valueAt, withSwap } from "./judgement.js";
import { fillLine } from "./lines.js";
import { colorName, moveName } from "./notation.js";

const byId = (id) => document.getElementById(id);
const percent = (share) => `${Math.round(100 * share)} %`;

// --- The bar.

// Of a first stone the bot thinks as if it could not be taken over; the bar knows better. `opening`
// is Red's value of the best first move, where that is to be made, else null.
export function showThought(view, thought, opening) {
  const bar = byId("bar");
  bar.hidden = thought === null;
  byId("thought").textContent = byId("thought").title = thought === null ? "" : describe(view, thought, opening);
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
  return `${result}${swap}${best}: ${moveName(thought.line[0] ?? "")} · ${count} simulations in ${(thought.time / 1000).toFixed(1)} s`;
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
const HEIGHT = 84;

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
  for (const mistake of mistakes(session)) {
    const { ply, grade } = mistake;
    const at = y(valueAt(session, ply));
    const mark = draw(svg, "circle", { class: `mistake ${GRADES[grade].name}`, cx: x(ply), cy: at, r: 4.5 });
    draw(mark, "title", {}, title(mistake));
  }
  svg.addEventListener("click", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    session.goTo(Math.round(((event.clientX - left) / width) * count));
  });
}

const title = ({ ply, color, move, grade, loss }) => `${ply}. ${colorName(color)} ${moveName(move)} ${grade}: −${percent(loss)}`;

// Lists the mistakes of the line that is shown. `deeds` has the methods show(mistake), tryAgain(mistake) for
// who wants to do better, play(ply, line) and preview(line, color) for what is better. While somebody is at a puzzle,
// `isSecret`, that is not told.
export function showMistakes(session, deeds, isSecret) {
  const found = mistakes(session);
  const list = byId("mistakes");
  while (list.children.length > found.length) list.lastChild.remove();
  while (list.children.length < found.length) list.append(emptyItem(deeds));
  found.forEach((mistake, index) => {
    const item = list.children[index];
    const [go, better, again] = item.children;
    item.mistake = mistake;
    go.textContent = title(mistake);
    go.className = GRADES[mistake.grade].name;
    go.onclick = () => deeds.show(mistake);
    if (mistake.ply === session.ply) go.setAttribute("aria-current", "step");
    else go.removeAttribute("aria-current");
    const line = isSecret ? [] : mistake.better.slice(0, 6);
    better.firstChild.textContent = line.length > 0 ? " better " : " ";
    fillLine(better.lastChild, line, 0, (moves) => deeds.play(mistake.ply - 1, moves),
      (moves) => deeds.preview(moves, item.mistake.color));
    again.setAttribute("aria-label", `Try again at move ${mistake.ply}`);
  });
  showSteps(session, found);
  byId("accuracy").textContent = said(accuracy(session), found);
}

// Buttons that are there already stay, so that the one with the focus keeps it while search results come in.
function emptyItem(deeds) {
  const item = document.createElement("li");
  const [go, better, again] = ["button", "span", "button"].map((name) => document.createElement(name));
  better.append(document.createTextNode(" "), document.createElement("span"));
  again.textContent = "Try again";
  again.onclick = () => deeds.tryAgain(item.mistake);
  item.append(go, better, again);
  return item;
}

// The mistakes before and after the place that is shown.
function showSteps(session, found) {
  const go = (id, mistake) => {
    byId(id).disabled = mistake === undefined;
    byId(id).onclick = () => session.goTo(mistake.ply);
  };
  go("mistake-before", found.findLast(({ ply }) => ply < session.ply));
  go("mistake-next", found.find(({ ply }) => ply > session.ply));
}

function said({ red, blue }, found) {
  const part = (name, value) => {
    if (value === null) return "";
    const own = found.filter(({ color }) => colorName(color) === name);
    const signs = Object.keys(GRADES).map((sign) => [sign, own.filter(({ grade }) => grade === sign).length]);
    const counts = signs.filter(([, count]) => count > 0).map(([sign, count]) => ` ${count} ${sign}`);
    return `${name} ${Math.round(value)} %${counts.join("")}`;
  };
  const parts = [part("Red", red), part("Blue", blue)].filter(Boolean);
  return parts.length === 0 ? "" : `Accuracy: ${parts.join(" · ")}`;
}
