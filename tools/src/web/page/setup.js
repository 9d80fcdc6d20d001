// Stones set up freely: a game that begins with them. While this is going on a click on the board
// puts a stone there, or takes it away.

const byId = (id) => document.getElementById(id);

export class Setup {
  #session;
  isActive = false;

  constructor(session, now, changed) {
    this.#session = session;
    byId("set-up").addEventListener("click", () => {
      this.isActive = !this.isActive;
      if (this.isActive && now() !== null) this.#begin(now());
      changed();
    });
    byId("set-up-turn").addEventListener("change", () => this.#show());
    byId("set-up-clear").addEventListener("click", () => {
      this.#stones.clear();
      this.#show();
    });
  }

  // The colour of each stone, by its cell.
  #stones = new Map();

  // Begins with the stones that are shown.
  #begin(view) {
    this.#stones = new Map(view.stones.map(({ cell, color }) => [cell, color]));
    byId("set-up-turn").value = view.toMove;
    this.#show();
  }

  click(cell) {
    const brush = byId("set-up-color").value;
    if (this.#stones.get(cell) === brush) this.#stones.delete(cell);
    else this.#stones.set(cell, brush);
    this.#show();
  }

  #show() {
    const of = (color) => [...this.#stones].filter(([, own]) => own === color).map(([cell]) => cell).join("");
    const part = (sign, cells) => (cells && `${sign}${cells}`);
    const setup = part("+", of("red")) + part("-", of("blue"));
    // Red begins, unless it passes.
    const moves = byId("set-up-turn").value === "red" ? [] : [":p"];
    if (setup !== this.#session.setup || moves.join() !== this.#session.moves.join()) this.#session.setUp(setup, moves);
  }

  update() {
    byId("set-up").setAttribute("aria-pressed", this.isActive);
    byId("set-up").textContent = this.isActive ? "Done" : "Set up stones";
    byId("set-up-tools").hidden = !this.isActive;
  }
}

