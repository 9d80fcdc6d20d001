// The table of moves that the bot considers: how good each is, how much it was looked at, what it
// expects to follow. A row under the mouse or with the focus shows its line on the board; a click
// plays its move.

import { moveName } from "./notation.js";
import { withSwap } from "./judgement.js";

// The most rows, and moves of a line.
const ROWS = 10;
const LINE = 8;

const byId = (id) => document.getElementById(id);
const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`);

export class Candidates {
  #body = byId("candidates");
  #rows = [];

  // `play` gets the move of a row that was clicked, `preview` the line that is to be shown, or null.
  constructor(play, preview) {
    for (let index = 0; index < ROWS; index++) {
      const row = this.#body.insertRow();
      const button = document.createElement("button");
      row.insertCell().append(button);
      for (const kind of ["win", "visits", "prior", "line"]) row.insertCell().className = kind;
      const line = () => this.#rows[index]?.preview ?? this.#rows[index]?.line ?? null;
      for (const event of ["pointerenter", "focusin"]) row.addEventListener(event, () => preview(line()));
      for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => preview(null));
      row.addEventListener("click", () => this.#rows[index] && play(this.#rows[index].move));
    }
  }

  // Shows the moves of a thought, or of a map of openings where the game has not begun. Where a
  // thought is awaited, `isAwaited`, the table's place is kept for it.
  show(view, thought, openings, proof, isAwaited) {
    const isFirst = openings !== null;
    this.#rows = isFirst ? ofOpenings(openings) : ofThought(view, thought, proof);
    byId("candidates-box").hidden = !isAwaited;
    [...this.#body.rows].forEach((row, index) => {
      const { move = "", win = "", visits = "", prior = "", line = [], sign = "" } = this.#rows[index] ?? {};
      row.style.visibility = index < this.#rows.length ? "" : "hidden";
      row.cells[0].firstChild.textContent = `${moveName(move)}${sign}`;
      const said = [win, visits, prior, line.slice(1, LINE).join(" ")];
      said.forEach((text, column) => { row.cells[column + 1].textContent = text; });
    });
  }
}

function ofThought(view, thought, proof) {
  if (thought === null) return [];
  const own = (redWins) => (view.toMove === "red" ? redWins : 1 - redWins);
  const sign = (cell) => (proof?.winning.includes(cell) ? " ✓" : proof?.losing.includes(cell) ? " ✗" : "");
  const rows = thought.moves.filter(({ visits, cell }) => visits > 0 || cell === thought.line[0]).slice(0, ROWS)
    .map(({ cell, redWins, visits, prior, line }) => ({
      move: cell,
      win: sign(cell) ? `${sign(cell) === " ✓" ? 100 : 0} %` : percent(redWins === null ? null : own(redWins)),
      visits: visits.toLocaleString("en"), prior: percent(prior),
      line: line.length > 1 ? line : cell === thought.line[0] ? thought.line : [cell],
      sign: sign(cell),
    }));
  if (!view.maySwap) return rows;
  const swap = { move: ":s", win: percent(thought.redWins), line: [":s"] };
  const swapFirst = thought.redWins > 0.5;
  return swapFirst ? [swap, ...rows].slice(0, ROWS) : [...rows.slice(0, ROWS - 1), swap];
}

// The first moves that leave Red most once Blue has swapped or not.
function ofOpenings(openings) {
  return Object.entries(openings).map(([cell, redWins]) => [cell, withSwap(redWins, true), redWins])
    .sort(([, a], [, b]) => b - a).slice(0, ROWS)
    .map(([cell, win, redWins]) => ({ move: cell, win: percent(win), preview: [cell], line: [cell, redWins > 0.5 ? "Blue swaps" : "no swap"] }));
}
