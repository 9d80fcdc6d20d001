// What is said beside the board: the bar of win probability and its curve over the game, the list
// of moves, the mistakes.

import { draw } from "./board.js";
import { mistakes } from "./director.js";
import { colorName, moveName, movers } from "./notation.js";

const byId = (id) => document.getElementById(id);
const percent = (share) => `${Math.round(100 * share)} %`;

// --- The bar.

export function showThought(view, thought) {
  const bar = byId("bar");
  bar.hidden = thought === null;
  byId("thought").textContent = thought === null ? "" : describe(thought);
  if (thought === null) return;
  byId("bar-red").style.width = `${100 * thought.redWins}%`;
  byId("bar-text").textContent = `Red ${percent(thought.redWins)} · Blue ${percent(1 - thought.redWins)}`;
  bar.setAttribute("aria-valuenow", Math.round(100 * thought.redWins));
  bar.setAttribute("aria-valuetext", byId("bar-text").textContent);
}

function describe(thought) {
  if (thought.line === undefined) return "";
  const count = thought.simulations.toLocaleString("en");
  const result = thought.proven ? `${colorName(thought.proven)} wins for certain. ` : "";
  return `${result}Best: ${thought.line.slice(0, 6).join(" ")} · ${count} simulations in ${(thought.time / 1000).toFixed(1)} s`;
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
  const known = [...session.moves, ""].map((_, ply) => [ply, session.thoughtOf(ply)]).filter(([, thought]) => thought);
  box.hidden = known.length < 2;
  if (box.hidden) return;
  const x = (ply) => 4 + ((WIDTH - 8) * ply) / count;
  const y = (share) => 4 + (HEIGHT - 8) * (1 - share);
  box.replaceChildren();
  const label = `Red's chance to win over the game, now after ${session.ply} of ${session.moves.length} moves`;
  const svg = draw(box, "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  draw(svg, "rect", { class: "red", width: WIDTH, height: HEIGHT / 2 });
  draw(svg, "rect", { class: "blue", y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 });
  draw(svg, "line", { class: "now", x1: x(session.ply), x2: x(session.ply), y1: 0, y2: HEIGHT });
  const points = known.map(([ply, thought]) => `${x(ply)},${y(thought.redWins)}`).join(" ");
  draw(svg, "polyline", { points });
  for (const { ply, color } of mistakes(session)) {
    const at = y(session.thoughtOf(ply).redWins);
    const mark = draw(svg, "circle", { class: `mistake ${color}`, cx: x(ply), cy: at, r: 5 });
    draw(mark, "title", {}, `Mistake at move ${ply}`);
  }
  svg.addEventListener("click", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    session.goTo(Math.round(((event.clientX - left) / width) * count));
  });
}

export function showMistakes(session) {
  fill(byId("mistakes"), mistakes(session).map(({ ply, move, color, loss }) => ({
    text: `${ply}. ${colorName(color)} ${move}: −${percent(loss)}`,
    isCurrent: ply === session.ply,
    onClick: () => session.goTo(ply),
  })));
}

// --- The moves.

// The longest remark that is shown beside its move: the time of a move is.
const SHORT_REMARK = 12;

export function showMoves(session) {
  const bad = new Set(mistakes(session).map(({ ply }) => ply));
  const color = movers(session.moves);
  const list = byId("moves");
  fill(list, session.moves.map((move, index) => {
    const ply = index + 1;
    const said = remark(session, ply);
    const parts = [moveName(move), bad.has(ply) && "?", said.length <= SHORT_REMARK && said];
    return {
      text: parts.filter(Boolean).join(" "),
      className: `${color[index]}${ply > session.ply ? " ahead" : ""}`,
      isCurrent: ply === session.ply,
      onClick: () => session.goTo(ply),
    };
  }));
  const current = list.children[session.ply - 1];
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  byId("remark").textContent = remarkLine(session);
}

const remark = (session, ply) => session.record?.remarks[ply - 1] ?? "";

function remarkLine(session) {
  if (session.record === null) return "";
  const said = remark(session, session.ply);
  const result = session.ply === session.moves.length && session.record.result;
  return [said && `Move ${session.ply}: ${said}`, result].filter(Boolean).join(". ");
}

// Makes a list show these items, each a button. Buttons that are there already stay, so that the
// one with the focus keeps it while thoughts come in.
function fill(list, items) {
  while (list.children.length > items.length) list.lastChild.remove();
  while (list.children.length < items.length) {
    list.append(document.createElement("li"));
    list.lastChild.append(document.createElement("button"));
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
