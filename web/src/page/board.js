// The board: cells and stones in SVG. It can be rotated, and played on by mouse, finger or
// keyboard. Each cell has a label for screen readers.

import { cellName, colOf, FLAT, Layout, RADIUS, rowOf, STANDING, UPRIGHT } from "./geometry.js";
import { isByPointer } from "./keys.js";
import { neighbour } from "./notation.js";
import { preferences } from "./prefs.js";

const SVG = "http://www.w3.org/2000/svg";
const STONE = 14;
const STAR = 3;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LAYERS = ["stars", "paths", "stones", "labels", "line", "proofs", "marks", "hint", "aim", "ring"];
// Rotation "auto" stands the board up if its cells get larger by at least this factor.
const WORTH_TURNING = 1.08;
// The least size of a target that a finger hits reliably, in CSS pixels.
const FINGER = 44;
// The text beside a cell that was tapped once, and half of its width in units of the drawing.
const AGAIN = "tap again";
const AGAIN_HALF_WIDTH = 44;
// The size of coordinates in units of the drawing, and their greatest size in CSS pixels.
const NAME_SIZE = 13;
const MOST_NAME = 20;
// Star points are on the fourth lines, as in the drawings of `hex show --pattern`.
const STAR_LINE = 3;
// The least width of a cell in CSS pixels. With less room, the board scrolls.
const LEAST_CELL = 24;

// The performance mark of the first position, for measurements.
const FIRST_BOARD = "first-board";

// Adds an SVG element to another.
export function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

const pointsText = (points) => points.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

export class Board {
  #container;
  #onLayout;
  #layout = null;
  #cells = new Map();
  #layers = {};
  #focused = "a1";
  #isByTouch = false;
  // The cell that was tapped once.
  #touched = null;
  // The rotation from a link, { rotation, mirrored }; it overrides the preferences.
  #linked = null;

  // `onPlay(cell)` is called when a cell is chosen; `onLayout()` after the board was rotated, as
  // all drawings on it must be redrawn.
  constructor(container, onPlay, onLayout) {
    this.#container = container;
    this.#onLayout = onLayout;
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
    preferences.addEventListener("change", () => this.#layOut());
    new ResizeObserver(() => this.#fit()).observe(container);
  }

  // Draws an empty board, unless the board has this size already.
  prepare(side) {
    if (side === this.#layout?.side) return;
    this.#container.replaceChildren();
    this.#layout = this.#chooseLayout(side);
    const svg = draw(this.#container, "svg", { class: "board", role: "grid", "aria-rowcount": side, "aria-colcount": side, "aria-label":
      `Board of side ${side}. Red joins the first row with the last, Blue the first column with the last.` });
    draw(svg, "g", { class: "edges", "aria-hidden": "true" });
    this.#cells = new Map();
    for (let row = 0; row < side; row++) {
      const group = draw(svg, "g", { role: "row", "aria-label": `Row ${row + 1}`, "aria-rowindex": row + 1 });
      for (let col = 0; col < side; col++) {
        const cell = cellName(col, row);
        this.#cells.set(cell, draw(group, "polygon", { class: `cell tone-${(col + 2 * row) % 3}`, "data-cell": cell, role: "gridcell", "aria-colindex": col + 1,
          "aria-label": `${cell}, empty` }));
      }
    }
    draw(svg, "g", { class: "names", "aria-hidden": "true" });
    for (const name of LAYERS) this.#layers[name] = draw(svg, "g", { class: `layer ${name}`, "aria-hidden": "true" });
    const middle = Math.floor(side / 2);
    this.#makeFocusable(cellName(middle, middle));
    this.#place();
  }

  // Rotates the board as a link requests, { rotation, mirrored }; null for the preferences.
  setOrientation(linked) {
    this.#linked = linked;
    this.#layOut();
  }

  // The current orientation, { rotation, mirrored }.
  get orientation() {
    return this.#layout?.orientation ?? { rotation: FLAT, mirrored: false };
  }

  // The layout for the available room.
  #chooseLayout(side) {
    const rotation = this.#linked?.rotation ?? preferences.get("rotation");
    const mirrored = this.#linked?.mirrored ?? preferences.get("mirrored");
    const layoutFor = (turns) => {
      const layout = new Layout(side, { rotation: turns, mirrored }, preferences.get("sides"));
      layout.orientation = { rotation: turns, mirrored };
      return layout;
    };
    if (rotation !== "auto") return layoutFor(rotation);
    const { clientWidth, clientHeight } = this.#container;
    const scale = (layout) => layout.scaleIn(clientWidth, clientHeight);
    const flat = layoutFor(FLAT);
    const others = [layoutFor(STANDING), layoutFor(UPRIGHT)].filter((layout) => scale(layout) > WORTH_TURNING * scale(flat));
    return others.reduce((best, layout) => (scale(layout) > scale(best) ? layout : best), flat);
  }

  // Returns true if this is only the first of two taps. Cells smaller than a finger need two: the
  // first shows where the stone of this colour would be.
  needsSecondTouch(cell, color) {
    const layer = this.layer("aim");
    const { width, height } = this.#cells.get(cell).getBoundingClientRect();
    const isSmall = Math.min(width, height) < FINGER;
    const isFirst = this.#isByTouch && isSmall && preferences.get("twice") && this.#touched !== cell;
    this.#touched = isFirst ? cell : null;
    if (!isFirst) return false;
    const { x, y } = this.at(cell);
    draw(layer, "circle", { class: color, cx: x, cy: y, r: STONE });
    // The ring and the text are visible around the finger.
    draw(layer, "circle", { class: "around", cx: x, cy: y, r: 3 * STONE });
    const above = y - 4 * STONE;
    const { box } = this.#layout;
    const at = Math.max(box.x + AGAIN_HALF_WIDTH, Math.min(box.x + box.width - AGAIN_HALF_WIDTH, x));
    draw(layer, "text", { x: at, y: above > box.y + STONE ? above : y + 4.6 * STONE }, AGAIN);
    return true;
  }

  // Chooses the rotation again after the available room has changed.
  #fit() {
    if (this.#layout === null) return;
    if (this.#chooseLayout(this.#layout.side).orientation.rotation !== this.orientation.rotation) this.#layOut();
    else this.#sizeNames();
  }

  #layOut() {
    if (this.#layout === null) return;
    this.#layout = this.#chooseLayout(this.#layout.side);
    this.#place();
    this.#onLayout();
  }

  // Draws cells, edges and coordinates at their places.
  #place() {
    const { box, names, side } = this.#layout;
    const svg = this.#container.firstChild;
    svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((value) => value.toFixed(1)).join(" "));
    for (const [cell, polygon] of this.#cells) {
      polygon.setAttribute("points", pointsText(this.#layout.corners(colOf(cell), rowOf(cell))));
    }
    const [edges, letters] = [svg.querySelector(".edges"), svg.querySelector(".names")];
    edges.replaceChildren();
    letters.replaceChildren();
    for (const { color, points } of this.#layout.edges()) draw(edges, "polyline", { class: `edge ${color}`, points: pointsText(points) });
    for (const { text, x, y } of names) draw(letters, "text", { class: "name", x: x.toFixed(1), y: y.toFixed(1) }, text);
    const scale = LEAST_CELL / (Math.sqrt(3) * RADIUS);
    svg.style.minWidth = `${Math.ceil(box.width * scale)}px`;
    svg.style.minHeight = `${Math.ceil(box.height * scale)}px`;
    // For layouts in which the whole page scrolls.
    this.#container.style.setProperty("--least-height", svg.style.minHeight);
    svg.dataset.rotation = this.orientation.rotation;
    svg.dataset.side = side;
    svg.toggleAttribute("data-mirrored", this.orientation.mirrored);
    svg.toggleAttribute("data-pattern", preferences.get("pattern"));
    this.#drawStars();
    this.#sizeNames();
  }

  #drawStars() {
    const layer = this.layer("stars");
    const far = this.#layout.side - 1 - STAR_LINE;
    if (!preferences.get("pattern") || far <= STAR_LINE) return;
    for (const col of [STAR_LINE, far]) {
      for (const row of [STAR_LINE, far]) {
        const { x, y } = this.at(cellName(col, row));
        draw(layer, "circle", { cx: x, cy: y, r: STAR });
      }
    }
  }

  // On a small board the coordinates do not grow with the cells.
  #sizeNames() {
    const { clientWidth, clientHeight } = this.#container;
    const scale = this.#layout.scaleIn(clientWidth, clientHeight);
    const size = scale > 0 ? Math.min(NAME_SIZE, MOST_NAME / scale) : NAME_SIZE;
    this.#container.firstChild.style.setProperty("--name-size", `${size.toFixed(1)}px`);
  }

  // The SVG group of a layer above the cells, emptied.
  layer(name) {
    this.#layers[name].replaceChildren();
    return this.#layers[name];
  }

  // The centre of a cell in the drawing.
  at(cell) {
    return this.#layout.center(colOf(cell), rowOf(cell));
  }

  // Where the edges of a colour are, in words.
  sidesOf(color) {
    return this.#layout?.sidesOf(color) ?? "";
  }

  // Highlights the edges of a colour; null for none.
  highlightEdges(color) {
    for (const each of ["red", "blue"]) this.#container.firstChild?.classList.toggle(`highlight-${each}`, each === color);
  }

  // The direction in which a colour connects, in degrees clockwise from the right.
  directionOf(color) {
    return this.#layout.directionOf(color);
  }

  // Shades each cell; `share` maps a cell to 0 … 1.
  shade(share) {
    for (const [cell, polygon] of this.#cells) polygon.style.setProperty("--share", `${100 * share(cell)}%`);
  }

  // Adds descriptions of empty cells for screen readers: a map from cell to text.
  describe(words) {
    for (const [cell, polygon] of this.#cells) {
      const [name, state] = polygon.getAttribute("aria-label").split(", ");
      if (state === "empty") polygon.setAttribute("aria-label", [name, state, words.get(cell)].filter(Boolean).join(", "));
    }
  }

  // Marks a cell as the hint; null removes the mark.
  showHint(cell) {
    const layer = this.layer("hint");
    if (cell === null) return;
    const { x, y } = this.at(cell);
    draw(layer, "circle", { cx: x, cy: y, r: STONE });
  }

  // Shows the stones of a position; `canPlay` is true if a click plays a move.
  show(view, canPlay) {
    this.#touched = null;
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
      // A bar shows the colour's direction, for people who cannot tell the colours apart.
      draw(group, "rect", { class: "direction", x: -6.5, y: -1.5, width: 13, height: 3, rx: 1.5,
        transform: `rotate(${this.#layout.directionOf(color).toFixed(0)})` });
    }
    if (isLast) draw(group, "circle", { class: "mark", r: STONE + 2.5 });
  }

  #focus(cell) {
    if (cell === null) return;
    this.#makeFocusable(cell);
    this.#cells.get(cell).focus();
    this.#ring(true);
  }

  // Tab reaches one cell; arrow keys lead from there to the others.
  #makeFocusable(cell) {
    this.#focused = cell;
    for (const [name, polygon] of this.#cells) polygon.setAttribute("tabindex", name === cell ? "0" : "-1");
  }

  // The focus ring, above the borders of neighbouring cells.
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
