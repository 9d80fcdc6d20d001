// Marks on the board: letters, shapes and arrows, stored with the position.

import { draw } from "./board.js";
import { byId } from "./dom.js";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

export class Marks {
  #session;
  // The start of an unfinished arrow.
  #from = null;

  constructor(session, changed) {
    this.#session = session;
    byId("mark").addEventListener("change", () => {
      this.#from = null;
      changed();
    });
  }

  // Whether a click on the board sets a mark.
  get isActive() {
    return byId("mark").value !== "";
  }

  // Toggles the mark of a cell.
  click(cell) {
    const tool = byId("mark").value;
    const node = this.#session.here;
    if (tool === "arrow") this.#arrow(node, cell);
    else toggle(node.labels, cell, tool === "letter" ? nextLetter(node.labels) : tool);
    this.#session.annotated();
  }

  #arrow(node, cell) {
    const from = this.#from;
    this.#from = from === null ? cell : null;
    if (from === null || from === cell) return;
    const others = node.arrows.filter(([a, b]) => a !== from || b !== cell);
    node.arrows = others.length < node.arrows.length ? others : [...others, [from, cell]];
  }

  draw(board) {
    const layer = board.layer("marks");
    const { labels, arrows } = this.#session.here;
    for (const [cell, text] of Object.entries(labels)) {
      const { x, y } = board.at(cell);
      draw(layer, "text", { x, y: y + 6 }, text.slice(0, 4));
    }
    for (const [from, to] of arrows) drawArrow(layer, board.at(from), board.at(to));
    if (this.#from !== null) draw(layer, "circle", { cx: board.at(this.#from).x, cy: board.at(this.#from).y, r: 6 });
  }
}

function toggle(labels, cell, text) {
  if (cell in labels) delete labels[cell];
  else labels[cell] = text;
}

const nextLetter = (labels) => LETTERS.find((letter) => !Object.values(labels).includes(letter)) ?? "*";

// An arrow between two cells, with its tip 5 units before the centre.
function drawArrow(layer, from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - 5 * dx, y: to.y - 5 * dy };
  const side = (sign) => `L${tip.x - 9 * dx + sign * 5 * dy} ${tip.y - 9 * dy - sign * 5 * dx}`;
  draw(layer, "path", { class: "arrow", d: `M${from.x} ${from.y}L${tip.x} ${tip.y}${side(1)}M${tip.x} ${tip.y}${side(-1)}` });
}
