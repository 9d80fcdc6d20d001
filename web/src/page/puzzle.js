// A mistake as a puzzle: its position is shown without analysis, the user tries a move, and the
// engine evaluates it.

import { byId, percent } from "./dom.js";
import { colorName, moveName } from "./notation.js";

// The most win probability that a right move may lose.
const RIGHT = 0.05;

export class Puzzle {
  #session;
  #evaluate;
  #changed;
  // The mistake, and the game before it.
  #mistake = null;
  #game = null;
  #redWins = 0;
  // The game for which the text was shown; it disappears with that game.
  #textGame = null;
  // The move that is being evaluated.
  tried = null;
  // Incremented by every puzzle and every attempt, to recognize outdated answers.
  #attempts = 0;

  // `evaluate(game)` returns a promise of Red's value after a game, as in judgement.js; `changed()`
  // is called when the display must be updated.
  constructor(session, evaluate, changed) {
    this.#session = session;
    this.#evaluate = evaluate;
    this.#changed = changed;
    byId("puzzle-show").addEventListener("click", () => this.#end(`Better was ${this.#betterLine()}.`));
    byId("puzzle-end").addEventListener("click", () => this.#end(""));
  }

  get isActive() {
    return this.#mistake !== null && this.#game === this.#session.text();
  }

  // Starts with a mistake from judgement.js. `redWins` is undefined if the value before it is not
  // known; it is searched then.
  begin(mistake, redWins) {
    this.#mistake = mistake;
    this.#redWins = redWins;
    this.#attempts += 1;
    this.tried = null;
    this.#session.goTo(mistake.ply - 1);
    this.#game = this.#session.text();
    this.#showText(`${colorName(mistake.color)} to move: find a better move than ${moveName(mistake.move)}.`);
    this.#changed();
    byId("puzzle").scrollIntoView({ block: "nearest" });
  }

  async attempt(move) {
    const { color, move: played, loss } = this.#mistake;
    if (this.tried !== null) return;
    if (move === played) {
      const lost = loss === undefined ? "" : `: it loses ${percent(loss)}`;
      this.#showText(`${moveName(move)} was played${lost}. Try another.`);
      return;
    }
    this.tried = move;
    this.#showText(`Looking at ${moveName(move)} …`);
    this.#changed();
    const attempt = ++this.#attempts;
    const game = this.#game;
    const values = async () => [this.#redWins ?? await this.#evaluate(game), await this.#evaluate(`${game}${move}`)];
    const found = await values().catch((error) => error);
    // The user may have started another puzzle meanwhile.
    if (attempt !== this.#attempts) return;
    this.tried = null;
    if (!this.isActive) return;
    if (found instanceof Error) {
      this.#showText(found.message);
    } else {
      const [before, after] = found;
      this.#redWins = before;
      const lost = color === "red" ? before - after : after - before;
      if (lost < RIGHT) this.#end(`${moveName(move)} is right.`);
      else this.#showText(`${moveName(move)} loses ${percent(lost)}. Try another.`);
    }
    this.#changed();
  }

  // Ends the puzzle if its position is no longer shown.
  update() {
    if (this.#mistake !== null && !this.isActive) this.#end("");
    else if (this.#textGame !== this.#session.text()) byId("puzzle-text").textContent = "";
    for (const id of ["puzzle-show", "puzzle-end"]) byId(id).hidden = this.#mistake === null;
    byId("puzzle").hidden = byId("puzzle-text").textContent === "";
  }

  #betterLine() {
    const { better } = this.#mistake;
    return better.map(moveName).join(" ") || "unknown";
  }

  #showText(text) {
    byId("puzzle-text").textContent = text;
    this.#textGame = this.#session.text();
    this.update();
  }

  #end(text) {
    const wasActive = this.#mistake !== null;
    this.#mistake = null;
    this.#game = null;
    this.#showText(text);
    if (wasActive) this.#changed();
  }
}
