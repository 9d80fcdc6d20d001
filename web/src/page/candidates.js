// The table of candidate moves: win probability, visits, prior and the expected line. Hovering or
// focusing a row shows its line on the board. A click plays the move; a click on a later move of
// the line plays the line up to it.

import { byId } from "./dom.js";
import { withSwap } from "./judgement.js";
import { fillLine } from "./lines.js";
import { moveName } from "./notation.js";

// The most rows, and the most moves of a line.
const ROWS = 10;
const LINE = 8;

// A number that fits the column: 9,876 or 15.3K.
const counted = (visits) => visits.toLocaleString("en", visits < 10_000 ? {} : { notation: "compact", maximumSignificantDigits: 3 });
const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`);

export class Candidates {
  #body = byId("candidates");
  #rows = [];

  #play;
  #preview;

  // `play(moves)` is called on a click, `preview(line)` when a line is to be shown on the board;
  // null for none.
  constructor(play, preview) {
    [this.#play, this.#preview] = [play, preview];
    for (let index = 0; index < ROWS; index++) {
      const row = this.#body.insertRow();
      const button = document.createElement("button");
      button.className = "move";
      row.insertCell().append(button);
      for (const kind of ["win", "visits", "prior", "line"]) row.insertCell().className = kind;
      const line = () => this.#rows[index]?.preview ?? this.#rows[index]?.line ?? null;
      // A move of the line previews the line up to itself (lines.js).
      const isOfLine = (target) => target.closest?.(".line button") != null;
      for (const event of ["pointerover", "focusin"]) {
        row.addEventListener(event, ({ target }) => isOfLine(target) || preview(line()));
      }
      for (const event of ["pointerleave", "focusout"]) row.addEventListener(event, () => preview(null));
      row.addEventListener("click", () => this.#rows[index] && play([this.#rows[index].move]));
    }
  }

  // Shows the moves of an analysis, or the map of openings before the first move. If an analysis is
  // expected, the table keeps its place.
  show(view, analysis, openings, proof, isExpected) {
    const isFirst = openings !== null;
    this.#rows = isFirst ? openingRows(openings) : analysisRows(view, analysis, proof);
    byId("candidates-box").hidden = !isExpected;
    [...this.#body.rows].forEach((row, index) => {
      const { move = "", win = "", visits = "", prior = "", line = [], sign = "" } = this.#rows[index] ?? {};
      row.style.visibility = index < this.#rows.length ? "" : "hidden";
      row.cells[0].firstChild.textContent = `${moveName(move)}${sign}`;
      [win, visits, prior].forEach((text, column) => { row.cells[column + 1].textContent = text; });
      this.#showLine(row.cells[4], line.slice(0, LINE), isFirst);
    });
  }

  // Shows the expected line. For a first move there is a word instead.
  #showLine(cell, line, isFirst) {
    if (isFirst) cell.textContent = line.slice(1).join(" ");
    else {
      if (cell.children.length === 0) cell.textContent = "";
      fillLine(cell, line, 1, this.#play, this.#preview);
    }
  }
}

function analysisRows(view, analysis, proof) {
  if (analysis === null) return [];
  const own = (redWins) => (view.toMove === "red" ? redWins : 1 - redWins);
  const sign = (cell) => (proof?.winning.includes(cell) ? " ✓" : proof?.losing.includes(cell) ? " ✗" : "");
  const rows = analysis.moves.filter(({ visits, cell }) => visits > 0 || cell === analysis.line[0]).slice(0, ROWS)
    .map(({ cell, redWins, visits, prior, line }) => ({
      move: cell,
      win: sign(cell) ? `${sign(cell) === " ✓" ? 100 : 0} %` : percent(redWins === null ? null : own(redWins)),
      visits: counted(visits), prior: percent(prior),
      line: line.length > 1 ? line : cell === analysis.line[0] ? analysis.line : [cell],
      sign: sign(cell),
    }));
  if (!view.maySwap) return rows;
  const swap = { move: ":s", win: percent(analysis.redWins), line: [":s"] };
  const swapFirst = analysis.redWins > 0.5;
  return swapFirst ? [swap, ...rows].slice(0, ROWS) : [...rows.slice(0, ROWS - 1), swap];
}

// The first moves that leave Red the best chance after Blue's decision about the swap.
function openingRows(openings) {
  return Object.entries(openings).map(([cell, redWins]) => [cell, withSwap(redWins, true), redWins])
    .sort(([, a], [, b]) => b - a).slice(0, ROWS)
    .map(([cell, win, redWins]) => ({ move: cell, win: percent(win), preview: [cell], line: [cell, redWins > 0.5 ? "Blue swaps" : "no swap"] }));
}
