// The board: cells, on which stones come and go. It lies as the reader wants it, can be played on
// with the mouse, a finger, or the keyboard alone, and tells screen readers what is where.

import { cellName, colOf, FLAT, Layout, RADIUS, rowOf, STANDING, UPRIGHT } from "./geometry.js";
import { isByPointer } from "./keys.js";
import { neighbour } from "./notation.js";
import { preferences } from "./prefs.js";

const SVG = "http://www.w3.org/2000/svg";
const STONE = 14;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LAYERS = ["paths", "stones", "labels", "line", "proofs", "marks", "hint", "aim", "ring"];
// Left to itself the board stands up where its cells get larger by this factor.
const WORTH_TURNING = 1.08;
// What a finger hits for certain, in CSS pixels.
const FINGER = 44;
// What a cell that is touched once says, and half of its width in units of the drawing.
const AGAIN = "touch again";
const TOLD = 44;
// The size of coordinates in units of the drawing, and the most in CSS pixels.
const NAME_SIZE = 13;
const MOST_NAME = 20;
// The least width of a cell in CSS pixels. Where there is less room, the board is scrolled.
const LEAST = 24;

// The moment when the first position is there, for whoever measures.
const FIRST_BOARD = "first-board";

// Adds an SVG element to another.
export function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

const written = (points) => points.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

export class Board {
  #container;
  #onTurn;
  #layout = null;
  #cells = new Map();
  #layers = {};
  #focused = "a1";
  #isByTouch = false;
  // The cell that has been touched once.
  #aimed = null;
  // A rotation that a link asks for, { rotation, mirrored }; it counts before the preferences.
  #asked = null;

  // `onPlay` gets the cell that somebody wants to play; `onTurn` is told that the board lies
  // another way, so that all that was drawn on it is to be drawn again.
  constructor(container, onPlay, onTurn) {
    this.#container = container;
    this.#onTurn = onTurn;
    document.addEventListener("pointerdown", ({ pointerType }) => {
      this.#isByTouch = pointerType === "touch";
    }, true);
    document.addEventListener("keydown", () => {
      this.#isByTouch = false;
    }, true);
    container.addEventListener("click", (event) => {
      const { cell } = event.target.dataset;
      if (cell === undefined) return;
      this.#focus(cell);
      onPlay(cell);
    });
    container.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const isPlay = event.key === "Enter" || event.key === " ";
      const isStep = event.key in ARROWS && !isByPointer();
      if (isPlay) onPlay(this.#focused);
      else if (isStep) this.#focus(neighbour(this.#focused, ...this.#layout.stepTowards(...ARROWS[event.key]), this.#layout.side));
      else return;
      event.preventDefault();
    });
    container.addEventListener("focusin", () => this.#ring(true));
    container.addEventListener("focusout", () => this.#ring(false));
    preferences.addEventListener("change", () => this.#turn());
    new ResizeObserver(() => this.#settle()).observe(container);
  }

  // Draws an empty board, if another one is needed.
  prepare(side) {
    if (side === this.#layout?.side) return;
    this.#container.replaceChildren();
    this.#layout = this.#wanted(side);
    const svg = draw(this.#container, "svg", { class: "board", role: "grid", "aria-rowcount": side, "aria-colcount": side, "aria-label":
      `Board of side ${side}. Red joins the first row with the last, Blue the first column with the last.` });
    draw(svg, "g", { class: "edges", "aria-hidden": "true" });
    this.#cells = new Map();
    for (let row = 0; row < side; row++) {
      const group = draw(svg, "g", { role: "row", "aria-label": `Row ${row + 1}`, "aria-rowindex": row + 1 });
      for (let col = 0; col < side; col++) {
        const cell = cellName(col, row);
        this.#cells.set(cell, draw(group, "polygon", { class: "cell", "data-cell": cell, role: "gridcell", "aria-colindex": col + 1,
          "aria-label": `${cell}, empty` }));
      }
    }
    draw(svg, "g", { class: "names", "aria-hidden": "true" });
    for (const name of LAYERS) this.#layers[name] = draw(svg, "g", { class: `layer ${name}`, "aria-hidden": "true" });
    const middle = Math.floor(side / 2);
    this.#makeFocusable(cellName(middle, middle));
    this.#place();
  }

  // Lays the board as a link asks, { rotation, mirrored }, or as preferred, null.
  ask(asked) {
    this.#asked = asked;
    this.#turn();
  }

  // How it lies: { rotation, mirrored }.
  get lies() {
    return this.#layout?.lies ?? { rotation: FLAT, mirrored: false };
  }

  // How it is to lie in the room that it has.
  #wanted(side) {
    const rotation = this.#asked?.rotation ?? preferences.get("rotation");
    const mirrored = this.#asked?.mirrored ?? preferences.get("mirrored");
    const lay = (turns) => {
      const layout = new Layout(side, { rotation: turns, mirrored }, preferences.get("sides"));
      layout.lies = { rotation: turns, mirrored };
      return layout;
    };
    if (rotation !== "auto") return lay(rotation);
    const { clientWidth, clientHeight } = this.#container;
    const scale = (layout) => layout.scaleIn(clientWidth, clientHeight);
    const flat = lay(FLAT);
    const others = [lay(STANDING), lay(UPRIGHT)].filter((layout) => scale(layout) > WORTH_TURNING * scale(flat));
    return others.reduce((best, layout) => (scale(layout) > scale(best) ? layout : best), flat);
  }

  // Is this only the first of two touches? Cells that are smaller than a finger are played by two: the
  // first shows where the stone of this colour would come.
  isAiming(cell, color) {
    const layer = this.layer("aim");
    const { width, height } = this.#cells.get(cell).getBoundingClientRect();
    const isSmall = Math.min(width, height) < FINGER;
    const isFirst = this.#isByTouch && isSmall && preferences.get("twice") && this.#aimed !== cell;
    this.#aimed = isFirst ? cell : null;
    if (!isFirst) return false;
    const { x, y } = this.at(cell);
    draw(layer, "circle", { class: color, cx: x, cy: y, r: STONE });
    // It looks out from under the finger, and so does what is to be done next.
    draw(layer, "circle", { class: "around", cx: x, cy: y, r: 3 * STONE });
    const above = y - 4 * STONE;
    const { box } = this.#layout;
    const at = Math.max(box.x + TOLD, Math.min(box.x + box.width - TOLD, x));
    draw(layer, "text", { x: at, y: above > box.y + STONE ? above : y + 4.6 * STONE }, AGAIN);
    return true;
  }

  // Stands up or lies down if the room for it has changed so.
  #settle() {
    if (this.#layout === null) return;
    if (this.#wanted(this.#layout.side).lies.rotation !== this.lies.rotation) this.#turn();
    else this.#sizeNames();
  }

  #turn() {
    if (this.#layout === null) return;
    this.#layout = this.#wanted(this.#layout.side);
    this.#place();
    this.#onTurn();
  }

  // Puts cells, edges and names where they belong.
  #place() {
    const { box, names, side } = this.#layout;
    const svg = this.#container.firstChild;
    svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((value) => value.toFixed(1)).join(" "));
    for (const [cell, polygon] of this.#cells) {
      polygon.setAttribute("points", written(this.#layout.corners(colOf(cell), rowOf(cell))));
    }
    const [edges, letters] = [svg.querySelector(".edges"), svg.querySelector(".names")];
    edges.replaceChildren();
    letters.replaceChildren();
    for (const { color, points } of this.#layout.edges()) draw(edges, "polyline", { class: `edge ${color}`, points: written(points) });
    for (const { text, x, y } of names) draw(letters, "text", { class: "name", x: x.toFixed(1), y: y.toFixed(1) }, text);
    const scale = LEAST / (Math.sqrt(3) * RADIUS);
    svg.style.minWidth = `${Math.ceil(box.width * scale)}px`;
    svg.style.minHeight = `${Math.ceil(box.height * scale)}px`;
    // For a page that scrolls as one.
    this.#container.style.setProperty("--least-height", svg.style.minHeight);
    svg.dataset.rotation = this.lies.rotation;
    svg.dataset.side = side;
    svg.toggleAttribute("data-mirrored", this.lies.mirrored);
    this.#sizeNames();
  }

  // On a small board the coordinates do not grow with the cells.
  #sizeNames() {
    const { clientWidth, clientHeight } = this.#container;
    const scale = this.#layout.scaleIn(clientWidth, clientHeight);
    const size = scale > 0 ? Math.min(NAME_SIZE, MOST_NAME / scale) : NAME_SIZE;
    this.#container.firstChild.style.setProperty("--name-size", `${size.toFixed(1)}px`);
  }

  // A group of drawings above the cells, emptied.
  layer(name) {
    this.#layers[name].replaceChildren();
    return this.#layers[name];
  }

  // Where the middle of a cell is in the drawing.
  at(cell) {
    return this.#layout.center(colOf(cell), rowOf(cell));
  }

  // Where the edges of a colour lie, in words.
  sidesOf(color) {
    return this.#layout?.sidesOf(color) ?? "";
  }

  // Lights the edges of a colour up; null those of none.
  light(color) {
    for (const each of ["red", "blue"]) this.#container.firstChild?.classList.toggle(`lit-${each}`, each === color);
  }

  // The direction in which a colour has to go, in degrees clockwise from the right.
  wayOf(color) {
    return this.#layout.wayOf(color);
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

  // Marks a cell as a good move; null marks none.
  showHint(cell) {
    const layer = this.layer("hint");
    if (cell === null) return;
    const { x, y } = this.at(cell);
    draw(layer, "circle", { cx: x, cy: y, r: STONE });
  }

  // Shows the stones of a position; `canPlay` says whether a click would be a move.
  show(view, canPlay) {
    this.#aimed = null;
    this.layer("aim");
    const last = Math.max(1, ...view.stones.map((stone) => stone.number));
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
    if (performance.getEntriesByName(FIRST_BOARD).length === 0) performance.mark(FIRST_BOARD);
  }

  #stone(layer, { cell, color, number }, isLast, isWinning) {
    const { x, y } = this.at(cell);
    const classes = ["stone", color, isLast && "last", isWinning && "winning"].filter(Boolean);
    const group = draw(layer, "g", { class: classes.join(" "), transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    draw(group, "circle", { r: STONE });
    if (preferences.get("numbers") && number > 0) {
      draw(group, "text", { class: "number", y: 4.5 }, number);
    } else {
      // A bar shows which way the colour goes, for those who cannot tell the colours apart.
      draw(group, "rect", { class: "way", x: -6.5, y: -1.5, width: 13, height: 3, rx: 1.5,
        transform: `rotate(${this.#layout.wayOf(color).toFixed(0)})` });
    }
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
    if (isFocused && !isByPointer()) draw(layer, "polygon", { points: cell.getAttribute("points") });
  }
}

function label(cell, stone, last, chain) {
  if (stone === undefined) return `${cell}, empty`;
  const parts = [cell, stone.color];
  if (stone.number > 0) parts.push(`move ${stone.number}`);
  if (stone.number === last) parts.push("last move");
  if (chain.has(cell)) parts.push("in the winning chain");
  return parts.join(", ");
}
