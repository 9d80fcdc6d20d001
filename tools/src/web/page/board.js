// The board: the server's drawing of an empty one, on which stones come and go. It can be played on
// with the mouse, a finger, or the keyboard alone, and tells screen readers what is where.

import { colorName, neighbour } from "./notation.js";
import * as server from "./server.js";

const SVG = "http://www.w3.org/2000/svg";
const STONE = 14;
// On an upright phone the board stands on its corner, so that cells are half as large again.
const UPRIGHT = matchMedia("(max-width: 40rem) and (orientation: portrait)");
const TURN = 60;
// From the middle of a corner's cell to the end of the drawing, in its units: the names of rows fit
// in.
const BORDER = 46;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Adds an SVG element to another.
export function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

export class Board {
  #container;
  #side = 0;
  #cells = new Map();
  #layers = {};
  #focused = "a1";

  // `onPlay` gets the cell that somebody wants to play, `onKey` other keys pressed on the board.
  constructor(container, onPlay, onKey) {
    this.#container = container;
    container.addEventListener("click", (event) => {
      const { cell } = event.target.dataset;
      if (cell === undefined) return;
      this.#focus(cell);
      onPlay(cell);
    });
    container.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const isPlay = event.key === "Enter" || event.key === " ";
      if (isPlay) onPlay(this.#focused);
      else if (event.key in ARROWS) this.#focus(neighbour(this.#focused, ...ARROWS[event.key], this.#side));
      else if (!onKey(event.key.toLowerCase())) return;
      event.preventDefault();
    });
    UPRIGHT.addEventListener("change", () => this.#turn());
    container.addEventListener("focusin", () => this.#ring(true));
    container.addEventListener("focusout", () => this.#ring(false));
  }

  // Draws an empty board, if another one is needed.
  async prepare(side) {
    if (side === this.#side) return;
    // Our own drawing, not anybody's text.
    this.#container.innerHTML = await server.board(side);
    this.#side = side;
    const svg = this.#container.querySelector("svg");
    // The title would be shown wherever the mouse rests.
    svg.querySelector("title").remove();
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label",
      `Board of side ${side}. Red joins the first row with the last, Blue the first column with the last.`);
    const drawn = [...svg.children];
    const whole = draw(svg, "g", { class: "whole" });
    whole.append(...drawn);
    const polygons = [...svg.querySelectorAll(".cell")];
    this.#cells = new Map(polygons.map((polygon) => [polygon.dataset.cell, polygon]));
    for (const polygon of polygons) {
      polygon.setAttribute("role", "button");
      polygon.removeAttribute("fill");
      polygon.removeAttribute("stroke");
    }
    for (const name of ["paths", "stones", "line", "labels", "proofs", "ring"]) {
      this.#layers[name] = draw(whole, "g", { class: `layer ${name}`, "aria-hidden": "true" });
    }
    const middle = Math.floor(side / 2);
    this.#makeFocusable(neighbour("a1", middle, middle, side));
    this.#turn();
  }

  // Turns the board as the screen wants it.
  #turn() {
    const svg = this.#container.querySelector("svg");
    if (svg === null) return;
    const angle = UPRIGHT.matches ? TURN : 0;
    const whole = svg.querySelector(".whole");
    whole.classList.toggle("turned", UPRIGHT.matches);
    whole.setAttribute("transform", `rotate(${angle})`);
    const turn = new DOMMatrix().rotate(angle);
    const last = this.#side - 1;
    const corners = [[0, 0], [last, 0], [0, last], [last, last]]
      .map(([cols, rows]) => turn.transformPoint(this.at(neighbour("a1", cols, rows, this.#side))));
    const from = (key) => Math.min(...corners.map((corner) => corner[key])) - BORDER;
    const to = (key) => Math.max(...corners.map((corner) => corner[key])) + BORDER;
    svg.setAttribute("viewBox", [from("x"), from("y"), to("x") - from("x"), to("y") - from("y")].join(" "));
  }

  // A group of drawings above the cells, emptied.
  layer(name) {
    this.#layers[name].replaceChildren();
    return this.#layers[name];
  }

  // Where the middle of a cell is in the drawing.
  at(cell) {
    const { x, y } = this.#cells.get(cell).dataset;
    return { x: Number(x), y: Number(y) };
  }

  // How strongly each cell is shaded: a function from the cell to 0 … 1.
  shade(share) {
    for (const [cell, polygon] of this.#cells) polygon.style.setProperty("--share", `${100 * share(cell)}%`);
  }

  // What screen readers hear of some cells besides what lies there: a map from the cell to the
  // words.
  say(words) {
    for (const [cell, polygon] of this.#cells) {
      const [name, state] = polygon.getAttribute("aria-label").split(", ");
      if (state === "empty") polygon.setAttribute("aria-label", [name, state, words.get(cell)].filter(Boolean).join(", "));
    }
  }

  // Shows the stones of a position; `canPlay` says whether a click would be a move.
  show(view, canPlay) {
    const last = Math.max(0, ...view.stones.map((stone) => stone.number));
    const byCell = new Map(view.stones.map((stone) => [stone.cell, stone]));
    const chain = new Set(view.chain);
    for (const [cell, polygon] of this.#cells) {
      const stone = byCell.get(cell);
      polygon.setAttribute("aria-label", label(cell, stone, last, chain));
      polygon.setAttribute("aria-disabled", String(!canPlay || stone !== undefined));
      polygon.classList.toggle("open", canPlay && stone === undefined);
      polygon.classList.toggle("won", chain.has(cell));
    }
    const layer = this.layer("stones");
    for (const stone of view.stones) this.#stone(layer, stone, stone.number === last, chain.has(stone.cell));
  }

  #stone(layer, { cell, color }, isLast, isWinning) {
    const { x, y } = this.at(cell);
    const classes = ["stone", color, isLast && "last", isWinning && "winning"].filter(Boolean);
    const group = draw(layer, "g", { class: classes.join(" "), transform: `translate(${x} ${y})` });
    draw(group, "circle", { r: STONE });
    // A bar shows which way the colour goes, for those who cannot tell the colours apart.
    const [width, height] = color === "red" ? [3, 13] : [13, 3];
    draw(group, "rect", { class: "way", x: -width / 2, y: -height / 2, width, height, rx: 1.5 });
    if (isLast) draw(group, "circle", { class: "mark", r: STONE + 2.5 });
  }

  #focus(cell) {
    if (cell === null) return;
    this.#makeFocusable(cell);
    this.#cells.get(cell).focus();
    this.#ring(true);
  }

  // One cell at a time is reached by Tab, the others from there by arrows.
  #makeFocusable(cell) {
    this.#focused = cell;
    for (const [name, polygon] of this.#cells) polygon.setAttribute("tabindex", name === cell ? "0" : "-1");
  }

  // The ring around the cell that the keyboard has reached, above its neighbours' borders.
  #ring(isFocused) {
    const layer = this.layer("ring");
    const cell = this.#cells.get(this.#focused);
    if (isFocused && cell.matches(":focus-visible")) draw(layer, "polygon", { points: cell.getAttribute("points") });
  }
}

function label(cell, stone, last, chain) {
  if (stone === undefined) return `${cell}, empty`;
  const parts = [cell, `${colorName(stone.color)} stone`];
  if (stone.number > 0) parts.push(`move ${stone.number}`);
  if (stone.number === last) parts.push("last move");
  if (chain.has(cell)) parts.push("in the winning chain");
  return parts.join(", ");
}
