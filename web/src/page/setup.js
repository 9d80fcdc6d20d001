// Setup mode: a click on the board adds or removes a stone, and the game begins with these stones.

import { byId } from "./dom.js";

export class Setup {
  #session;

  // `currentView()` is the shown position; null while the server has not described it yet.
  constructor(session, currentView) {
    this.#session = session;
    byId("set-up").addEventListener("click", () => {
      if (session.isSetupMode) session.endSetup();
      else if (currentView() !== null) this.#begin(currentView());
    });
    byId("set-up-turn").addEventListener("change", () => this.#show());
    byId("set-up-clear").addEventListener("click", () => {
      this.#stones.clear();
      this.#show();
    });
  }

  // The colour of each stone by cell.
  #stones = new Map();

  // Starts with the shown stones.
  #begin(view) {
    this.#stones = new Map(view.stones.map(({ cell, color }) => [cell, color]));
    byId("set-up-turn").value = view.toMove;
    this.#apply();
  }

  click(cell) {
    const brush = byId("set-up-color").value;
    if (this.#stones.get(cell) === brush) this.#stones.delete(cell);
    else this.#stones.set(cell, brush);
    this.#show();
  }

  // Shows the changed stones, unless another game was opened.
  #show() {
    if (this.#session.isSetupMode) this.#apply();
  }

  #apply() {
    const of = (color) => [...this.#stones].filter(([, own]) => own === color).map(([cell]) => cell).join("");
    const part = (sign, cells) => (cells && `${sign}${cells}`);
    const setup = part("+", of("red")) + part("-", of("blue"));
    // Red moves first; a pass gives the first move to Blue.
    const moves = byId("set-up-turn").value === "red" ? [] : [":p"];
    this.#session.setUp(setup, moves);
  }

  update() {
    const isActive = this.#session.isSetupMode;
    byId("set-up").setAttribute("aria-pressed", isActive);
    byId("set-up").textContent = isActive ? "Done" : "Set up stones";
    byId("set-up-tools").hidden = !isActive;
  }
}

