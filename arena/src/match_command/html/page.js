"use strict";
// Steps through the games of the match. The page contains the board; this script adds the stones.
const byId = (id) => document.getElementById(id);
const data = read();
const board = document.querySelector(".game .board");
const cells = new Map([...board.querySelectorAll(".cell")].map((cell) => [cell.dataset.cell, cell]));
const PAINT = { red: "#c8402f", blue: "#2f63b8" };
const SVG = "http://www.w3.org/2000/svg";
let shown = data.games;
let game = null;
let ply = 0;

// The games of the page. If the file is damaged, returns none and shows an error.
function read() {
  try {
    const { players, games } = JSON.parse(byId("data").textContent);
    const isSound = (g) => [g.red, g.blue, g.winner].every((player) => players[player] !== undefined) &&
      g.moves.length === g.times.length;
    if (games.every(isSound)) return { players, games };
  } catch {
    // The error is shown below.
  }
  byId("damage").textContent = "The games in this file are damaged and cannot be shown. The log beside it, " +
    "games.jsonl, has them, too: the match's command with --resume writes this file anew.";
  byId("damage").hidden = false;
  document.querySelector(".viewer").hidden = true;
  return { players: [], games: [] };
}

// The mirror image in the long diagonal: column and row are exchanged.
function mirrored(cell) {
  const column = cell.charCodeAt(0) - 97;
  const row = Number(cell.slice(1)) - 1;
  return String.fromCharCode(97 + row) + (column + 1);
}

// The stones after `count` moves, each with the number of its move.
function stonesAfter(moves, count) {
  let stones = [];
  moves.slice(0, count).forEach((move, number) => {
    const color = number % 2 === 0 ? "red" : "blue";
    if (move === "swap-pieces") {
      stones = [{ cell: mirrored(stones[0].cell), color, number: number + 1 }];
    } else {
      stones.push({ cell: move, color, number: number + 1 });
    }
  });
  return stones;
}

function add(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  if (text !== undefined) element.textContent = text;
  parent.append(element);
}

function drawStones() {
  board.querySelector(".stones")?.remove();
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "stones");
  for (const stone of stonesAfter(game.moves, ply)) {
    const { x, y } = cells.get(stone.cell).dataset;
    const isLast = stone.number === ply;
    add(layer, "circle", { class: "stone " + stone.color, cx: x, cy: y, r: 14, fill: PAINT[stone.color],
      stroke: isLast ? "#ffd54a" : "none", "stroke-width": 3 });
    add(layer, "text", { x, y: Number(y) + 4, fill: "#ffffff", "font-size": 11 }, stone.number);
  }
  board.append(layer);
}

function show() {
  drawStones();
  byId("slider").max = game.moves.length;
  byId("slider").value = ply;
  const time = game.times[ply - 1];
  const mover = data.players[ply % 2 === 1 ? game.red : game.blue];
  byId("move").textContent = ply === 0 ? "The empty board"
    : `${ply}. ${game.moves[ply - 1]} · ${mover} · ${time === null ? "forced" : time.toFixed(1) + " ms"}`;
  const isEnd = ply === game.moves.length;
  byId("fault").textContent = isEnd && game.fault ? game.fault : "";
}

function goTo(target) {
  ply = Math.max(0, Math.min(game.moves.length, target));
  show();
}

function open(next) {
  game = next;
  byId("title").textContent = `Game ${game.id + 1}: ${data.players[game.red]} (Red) against ` +
    `${data.players[game.blue]} (Blue), ${data.players[game.winner]} won by ${reason(game)}` +
    (game.stalled ? ", because the machine stalled" : "");
  byId("link").href = game.link;
  // The logs of a game that was lost by a fault are files beside this one.
  byId("logs").replaceChildren(...(game.logs ?? []).flatMap((path) => {
    const link = document.createElement("a");
    link.href = path;
    link.textContent = path;
    return [link, " "];
  }));
  document.querySelectorAll("#games tr").forEach((row) =>
    row.setAttribute("aria-selected", row.dataset.id === String(game.id)));
  goTo(game.moves.length);
}

function reason(g) {
  return g.fault === null ? g.reason : `the other's ${g.reason}`;
}

function row(g) {
  const line = document.createElement("tr");
  line.dataset.id = g.id;
  line.tabIndex = 0;
  const name = (player) => data.players[player];
  [g.id + 1, name(g.red), name(g.blue), g.moves.length, g.reason + (g.stalled ? ", machine stalled" : "")].forEach((text, column) => {
    const cell = document.createElement("td");
    cell.textContent = text;
    if ((column === 1 && g.winner === g.red) || (column === 2 && g.winner === g.blue)) cell.className = "won";
    line.append(cell);
  });
  line.addEventListener("click", () => open(g));
  line.addEventListener("keydown", (event) => { if (event.key === "Enter") open(g); });
  return line;
}

const FILTERS = [["all games", () => true],
  ...data.players.map((name, player) => ["won by " + name, (g) => g.winner === player]),
  ["lost by fault", (g) => g.fault !== null],
  ["lost by a stall of the machine", (g) => g.stalled]];

function list() {
  shown = data.games.filter(FILTERS[byId("filter").selectedIndex][1]);
  byId("games").replaceChildren(...shown.map(row));
  if (shown.length > 0) open(shown[0]);
}

FILTERS.forEach(([label]) => byId("filter").append(new Option(label)));
byId("filter").addEventListener("change", list);
byId("first").addEventListener("click", () => goTo(0));
byId("back").addEventListener("click", () => goTo(ply - 1));
byId("forward").addEventListener("click", () => goTo(ply + 1));
byId("last").addEventListener("click", () => goTo(game.moves.length));
byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
document.addEventListener("keydown", (event) => {
  const isControl = ["SELECT", "INPUT"].includes(event.target.tagName);
  if (game === null || isControl) return;
  if (event.key === "ArrowLeft") goTo(ply - 1);
  if (event.key === "ArrowRight") goTo(ply + 1);
});
if (data.games.length > 0) list();
