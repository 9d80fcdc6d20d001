// The analysis on the board: heat map, best line, both sides' shortest paths, and proven moves.

import { draw } from "./board.js";
import { other } from "./notation.js";

// The most moves of the best line.
const LINE = 8;
// A cell shows its number from this share of all visits or priors on.
const LABELLED = 0.02;
const MARK = 5;
// The distance of a line's number from the centre of its cell.
const PLACE = 14;

// `analysis` belongs to the position or is null. `preview` replaces the best line, { line, color },
// or is null. `openings` is the map of first moves, or null.
export function drawOverlay(board, view, { analysis, proof, preview, openings }, show) {
  drawPaths(board, view, show.analysis && show.paths);
  const isShown = show.analysis && analysis !== null && view.outcome === null;
  const best = isShown && show.line ? analysis.line : [];
  const { line, color } = preview ?? { line: best, color: view.toMove };
  drawLine(board, line.slice(0, LINE), color);
  if (openings !== null) drawOpenings(board, openings, view);
  else drawHeat(board, isShown && show.heat !== "off" ? analysis.moves : [], show.heat, view.toMove);
  drawProof(board, show.analysis && view.outcome === null ? proof : null);
}

// Red's win probability after each first move, in percent; even ones are dark.
function drawOpenings(board, openings, view) {
  const stones = new Set(view.stones.map(({ cell }) => cell));
  board.shade((cell) => Math.max(0, 1 - 3 * Math.abs(openings[cell] - 0.5)));
  const layer = board.layer("labels");
  for (const [cell, redWins] of Object.entries(openings)) {
    if (!stones.has(cell)) label(board, layer, cell, Math.round(100 * redWins));
  }
}

// A check for proven wins, a cross for proven losses.
function drawProof(board, proof) {
  const [winning, losing] = [proof?.winning ?? [], proof?.losing ?? []];
  board.describe(new Map([...winning.map((cell) => [cell, "proven to win"]), ...losing.map((cell) => [cell, "proven to lose"])]));
  const layer = board.layer("proofs");
  const mark = (cell, kind, path) => {
    const { x, y } = board.at(cell);
    draw(layer, "path", { class: kind, d: path, transform: `translate(${x} ${y - 11})` });
  };
  for (const cell of winning) mark(cell, "wins", "M-4 0l3 3 5-6");
  for (const cell of losing) mark(cell, "loses", "M-2.5-2.5l5 5m0-5l-5 5");
}

// The win probability of each searched move for the player to move, in percent; better ones are
// darker.
function drawWinProbabilities(board, moves, toMove) {
  const known = moves.filter(({ redWins }) => redWins !== null);
  const probabilities = new Map(known.map(({ cell, redWins }) => [cell, toMove === "red" ? redWins : 1 - redWins]));
  const [least, most] = [Math.min(...probabilities.values()), Math.max(...probabilities.values())];
  board.shade((cell) => (probabilities.has(cell) ? 0.08 + 0.92 * ((probabilities.get(cell) - least) / (most - least || 1)) ** 2 : 0));
  const layer = board.layer("labels");
  for (const [cell, probability] of probabilities) label(board, layer, cell, Math.round(100 * probability));
}

// A number in the centre of a cell.
function label(board, layer, cell, number) {
  const { x, y } = board.at(cell);
  draw(layer, "text", { x, y: y + 4 }, number);
}

function drawHeat(board, moves, kind, toMove) {
  if (kind === "wins") return drawWinProbabilities(board, moves, toMove);
  const weight = (move) => (kind === "visits" ? move.visits : move.prior) ?? 0;
  const weights = new Map(moves.map((move) => [move.cell, weight(move)]));
  const most = Math.max(Number.MIN_VALUE, ...weights.values());
  const sum = [...weights.values()].reduce((a, b) => a + b, Number.MIN_VALUE);
  // The square root makes small shares visible.
  board.shade((cell) => Math.sqrt((weights.get(cell) ?? 0) / most));
  const layer = board.layer("labels");
  for (const [cell, amount] of weights) {
    if (amount / sum < LABELLED) continue;
    label(board, layer, cell, Math.round((100 * amount) / sum));
  }
}

// Rings leave room for the number of the heat map; their own numbers are at the edge of the cell.
function drawLine(board, line, first) {
  const layer = board.layer("line");
  let color = first;
  line.forEach((cell, index) => {
    if (!cell.startsWith(":")) {
      const { x, y } = board.at(cell);
      draw(layer, "circle", { class: color, cx: x, cy: y, r: 14 });
      draw(layer, "circle", { class: `place ${color}`, cx: x, cy: y + PLACE, r: 6 });
      draw(layer, "text", { x, y: y + PLACE + 3.2 }, index + 1);
    }
    color = other(color);
  });
}

function drawPaths(board, view, isShown) {
  const layer = board.layer("paths");
  if (!isShown || view.outcome !== null) return;
  for (const color of ["red", "blue"]) {
    // Red's marks are on the left of a flat board, Blue's on the right, so that both fit into a
    // cell. They rotate with the board.
    const shift = color === "red" ? -9 : 9;
    for (const cell of view.paths[color]?.cells ?? []) {
      const { x, y } = board.at(cell);
      const [width, height] = color === "red" ? [MARK, 2.4 * MARK] : [2.4 * MARK, MARK];
      draw(layer, "rect", { class: color, x: shift - width / 2, y: -height / 2, width, height, rx: 2,
        transform: `translate(${x} ${y}) rotate(${board.directionOf("blue")})` });
    }
  }
}
