// A mistake of the game as a puzzle: its position is shown without what the bot thinks of it, a
// move is tried, and the bot says what it is worth.

import { colorName, moveName } from "./notation.js";

const byId = (id) => document.getElementById(id);
// What a move may lose and still be right, in win probability.
const RIGHT = 0.05;
const percent = (share) => `${Math.round(100 * share)} %`;

export class Puzzle {
  #session;
  #ask;
  #changed;
  // The mistake, and the game before it.
  #mistake = null;
  #game = null;
  #redWins = 0;
  // The game that was shown when something was said last: with it goes what was said.
  #saidAt = null;
  // The move that is being looked at.
  tried = null;
  // Grows with every puzzle and every move tried, so that a late answer is known to be one.
  #attempts = 0;

  // `ask(game)` returns a promise of Red's value after a game, as judgement.js means it; `changed()`
  // is called when something else is to be shown.
  constructor(session, ask, changed) {
    this.#session = session;
    this.#ask = ask;
    this.#changed = changed;
    byId("puzzle-show").addEventListener("click", () => this.#end(`Better was ${this.#better()}.`));
    byId("puzzle-end").addEventListener("click", () => this.#end(""));
  }

  get isActive() {
    return this.#mistake !== null && this.#game === this.#session.text();
  }

  // Begins with a mistake, as judgement.js tells it.
  begin(mistake, redWins) {
    this.#mistake = mistake;
    this.#redWins = redWins;
    this.#attempts += 1;
    this.tried = null;
    this.#session.goTo(mistake.ply - 1);
    this.#game = this.#session.text();
    this.#say(`${colorName(mistake.color)} to move: find a better move than ${moveName(mistake.move)}.`);
    this.#changed();
    byId("puzzle").scrollIntoView({ block: "nearest" });
  }

  // Somebody tries a move.
  async attempt(move) {
    const { color, move: played, loss } = this.#mistake;
    if (this.tried !== null) return;
    if (move === played) {
      this.#say(`${moveName(move)} was played: it loses ${percent(loss)}. Try another.`);
      return;
    }
    this.tried = move;
    this.#say(`Looking at ${moveName(move)} …`);
    this.#changed();
    const attempt = ++this.#attempts;
    const after = await this.#ask(`${this.#game}${move}`).catch((error) => error);
    // Somebody may have begun another puzzle meanwhile.
    if (attempt !== this.#attempts) return;
    this.tried = null;
    if (!this.isActive) return;
    if (after instanceof Error) {
      this.#say(after.message);
    } else {
      const lost = color === "red" ? this.#redWins - after : after - this.#redWins;
      if (lost < RIGHT) this.#end(`${moveName(move)} is right.`);
      else this.#say(`${moveName(move)} loses ${percent(lost)}. Try another.`);
    }
    this.#changed();
  }

  // Says whether the puzzle is still the position that is shown.
  update() {
    if (this.#mistake !== null && !this.isActive) this.#end("");
    else if (this.#saidAt !== this.#session.text()) byId("puzzle-text").textContent = "";
    for (const id of ["puzzle-show", "puzzle-end"]) byId(id).hidden = this.#mistake === null;
    byId("puzzle").hidden = byId("puzzle-text").textContent === "";
  }

  #better() {
    const { better } = this.#mistake;
    return better.map(moveName).join(" ") || "not known";
  }

  #say(text) {
    byId("puzzle-text").textContent = text;
    this.#saidAt = this.#session.text();
    this.update();
  }

  #end(text) {
    const wasActive = this.#mistake !== null;
    this.#mistake = null;
    this.#game = null;
    this.#say(text);
    if (wasActive) this.#changed();
  }
}
