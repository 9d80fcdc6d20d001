// Marks on the board, kept with the position: letters, shapes and arrows, drawn and made.

import { draw } from "./board.js";

const byId = (id) => document.getElementById(id);
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

export class Marks {
  #session;
  // Where an arrow begins.
  #from = null;

  constructor(session, changed) {
    this.#session = session;
    byId("mark").addEventListener("change", () => {
      this.#from = null;
      changed();
    });
  }

  // Is a click on the board a mark?
  get isActive() {
    return byId("mark").value !== "";
  }

  // Marks a cell, or takes its mark away.
  click(cell) {
    const tool = byId("mark").value;
    const node = this.#session.here;
    if (tool === "arrow") this.#arrow(node, cell);
    else toggle(node.labels, cell, tool === "letter" ? nextLetter(node.labels) : tool);
    this.#session.remarked();
  }

  #arrow(node, cell) {
    const from = this.#from;
    this.#from = from === null ? cell : null;
    if (from === null || from === cell) return;
    const kept = node.arrows.filter(([a, b]) => a !== from || b !== cell);
    node.arrows = kept.length < node.arrows.length ? kept : [...kept, [from, cell]];
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

// From the edge of one cell's middle to the edge of the other's.
function drawArrow(layer, from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - 5 * dx, y: to.y - 5 * dy };
  const side = (sign) => `L${tip.x - 9 * dx + sign * 5 * dy} ${tip.y - 9 * dy - sign * 5 * dx}`;
  draw(layer, "path", { class: "arrow", d: `M${from.x} ${from.y}L${tip.x} ${tip.y}${side(1)}M${tip.x} ${tip.y}${side(-1)}` });
}
