// Stones set up freely: a game that begins with them. While this is going on a click on the board
// puts a stone there, or takes it away. The session knows whether it is.

const byId = (id) => document.getElementById(id);

export class Setup {
  #session;

  // `now()` is what the rules say of the position; null while that is not known.
  constructor(session, now) {
    this.#session = session;
    byId("set-up").addEventListener("click", () => {
      if (session.isBeingSetUp) session.endSetUp();
      else if (now() !== null) this.#begin(now());
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
    this.#make();
  }

  click(cell) {
    const brush = byId("set-up-color").value;
    if (this.#stones.get(cell) === brush) this.#stones.delete(cell);
    else this.#stones.set(cell, brush);
    this.#show();
  }

  // Shows what was changed; unless another game is shown, where these stones are nothing to anybody.
  #show() {
    if (this.#session.isBeingSetUp) this.#make();
  }

  #make() {
    const of = (color) => [...this.#stones].filter(([, own]) => own === color).map(([cell]) => cell).join("");
    const part = (sign, cells) => (cells && `${sign}${cells}`);
    const setup = part("+", of("red")) + part("-", of("blue"));
    // Red begins, unless it passes.
    const moves = byId("set-up-turn").value === "red" ? [] : [":p"];
    this.#session.setUp(setup, moves);
  }

  update() {
    const isActive = this.#session.isBeingSetUp;
    byId("set-up").setAttribute("aria-pressed", isActive);
    byId("set-up").textContent = isActive ? "Done" : "Set up stones";
    byId("set-up-tools").hidden = !isActive;
  }
}

