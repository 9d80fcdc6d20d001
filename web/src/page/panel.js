// The study panel: the evaluation bar, its curve over the game, mistakes and accuracy.

import { draw } from "./board.js";
import { byId, percent } from "./dom.js";
import { accuracy, GRADES, mistakes, valueAt, withSwap } from "./judgement.js";
import { fillLine } from "./lines.js";
import { colorName, moveName } from "./notation.js";


// --- The evaluation bar.

// The engine's evaluation of a first stone ignores the swap; the bar includes it. `opening` is
// Red's value of the best first move before the game begins, else null.
export function showEvaluation(view, analysis, opening) {
  const bar = byId("bar");
  bar.hidden = analysis === null;
  byId("evaluation").textContent = byId("evaluation").title = analysis === null ? "" : describe(view, analysis, opening);
  if (analysis === null) return;
  const redWins = opening ?? withSwap(analysis.redWins, view.maySwap);
  byId("bar-red").style.width = `${100 * redWins}%`;
  byId("bar-text").textContent = `Red ${percent(redWins)} · Blue ${percent(1 - redWins)}${analysis.proven ? ", proven" : ""}`;
  bar.setAttribute("aria-valuenow", Math.round(100 * redWins));
  bar.setAttribute("aria-valuetext", byId("bar-text").textContent);
}

function describe(view, analysis, opening) {
  if (opening !== null) return `The best first move leaves Red ${percent(opening)}, whether Blue swaps or not.`;
  const result = analysis.proven ? `${colorName(analysis.proven)} has a proven win. ` : "";
  const swap = view.maySwap ? `Blue would ${analysis.redWins > 0.5 ? "" : "not "}swap: ${percent(Math.max(analysis.redWins, 1 - analysis.redWins))}. ` : "";
  if (analysis.simulations === undefined) return `${result}${swap}`;
  const best = view.maySwap ? "Without a swap" : "Best";
  const count = analysis.simulations.toLocaleString("en");
  return `${result}${swap}${best}: ${moveName(analysis.line[0] ?? "")} · ${count} simulations in ${(analysis.time / 1000).toFixed(1)} s`;
}

export function showDistances(view, isShown) {
  const distance = (color) => {
    const path = view.paths[color];
    return `${colorName(color)} ${path === null ? "cannot connect" : path.moves}`;
  };
  byId("distances").textContent = isShown ? `Stones needed to connect without an answer: ${distance("red")}, ${distance("blue")}.` : "";
}

// --- The curve.

const WIDTH = 340;
const HEIGHT = 84;

export function showCurve(session) {
  const box = byId("curve");
  const count = Math.max(1, session.moves.length);
  const values = [...session.moves, ""].map((_, ply) => [ply, valueAt(session, ply)]);
  const known = values.filter(([, value]) => value !== undefined);
  box.hidden = !session.canShowEvaluations;
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
    const value = valueAt(session, ply);
    if (value === undefined) continue;
    const at = y(value);
    const mark = draw(svg, "circle", { class: `mistake ${GRADES[grade].name}`, cx: x(ply), cy: at, r: 4.5 });
    draw(mark, "title", {}, title(mistake));
  }
  svg.addEventListener("click", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    session.goTo(Math.round(((event.clientX - left) / width) * count));
  });
}

function title({ ply, color, move, grade, loss }) {
  const lost = loss === undefined ? "" : `: −${percent(loss)}`;
  return `${ply}. ${colorName(color)} ${moveName(move)} ${grade}${lost}`;
}

// Lists the mistakes of the shown line. `actions` has show(mistake), tryAgain(mistake), play(ply,
// line) and preview(line, color). `isSecret` hides the better line during a puzzle.
export function showMistakes(session, actions, isSecret) {
  const found = mistakes(session);
  const list = byId("mistakes");
  while (list.children.length > found.length) list.lastChild.remove();
  while (list.children.length < found.length) list.append(emptyItem(actions));
  found.forEach((mistake, index) => {
    const item = list.children[index];
    const [go, better, again] = item.children;
    item.mistake = mistake;
    go.textContent = title(mistake);
    go.className = GRADES[mistake.grade].name;
    go.onclick = () => actions.show(mistake);
    go.ariaCurrent = mistake.ply === session.ply ? "step" : null;
    const line = isSecret ? [] : mistake.better.slice(0, 6);
    better.firstChild.textContent = line.length > 0 ? " better " : tooGood(session, mistake) ? " too good: Blue swaps " : " ";
    fillLine(better.lastChild, line, 0, (moves) => actions.play(mistake.ply - 1, moves),
      (moves) => actions.preview(moves, item.mistake.color));
    again.setAttribute("aria-label", `Try again at move ${mistake.ply}`);
  });
  showSteps(session, found);
  byId("accuracy").textContent = accuracyText(accuracy(session), found);
}

// Whether a first stone is a mistake because Blue takes it over.
const tooGood = (session, { ply, loss }) => ply === 1 && loss !== undefined && session.setup === "" && session.evaluationAt(1).redWins > 0.5;

// Existing items are reused, so that the focus survives new search results.
function emptyItem(actions) {
  const item = document.createElement("li");
  const [go, better, again] = ["button", "span", "button"].map((name) => document.createElement(name));
  better.append(document.createTextNode(" "), document.createElement("span"));
  again.textContent = "Try again";
  again.onclick = () => actions.tryAgain(item.mistake);
  item.append(go, better, again);
  return item;
}

// Connects the buttons to the previous and next mistake.
function showSteps(session, found) {
  const go = (id, mistake) => {
    byId(id).disabled = mistake === undefined;
    byId(id).onclick = () => session.goTo(mistake.ply);
  };
  go("mistake-before", found.findLast(({ ply }) => ply < session.ply));
  go("mistake-next", found.find(({ ply }) => ply > session.ply));
}

function accuracyText({ red, blue }, found) {
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
