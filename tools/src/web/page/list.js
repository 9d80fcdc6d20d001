// A table of which only the rows on the screen exist, so that it may have any number of them. Empty
// rows above and below keep the place of the others.

// Rows beyond the edges of the screen, on each side.
const SPARE = 10;

export class VirtualList {
  #scroller;
  #body;
  #draw;
  #items = [];
  #height = 44;
  #shown = null;

  // `scroller` scrolls the rows in `body`; `draw(item, index)` makes a row.
  constructor(scroller, body, draw) {
    this.#scroller = scroller;
    this.#body = body;
    this.#draw = draw;
    scroller.addEventListener("scroll", () => this.#fill(false), { passive: true });
    new ResizeObserver(() => this.#fill(false)).observe(scroller);
  }

  // Shows these items, where the list was.
  show(items) {
    this.#items = items;
    this.#body.closest("table").setAttribute("aria-rowcount", items.length + 1);
    this.#fill(true);
  }

  // Scrolls so far that an item can be seen.
  reveal(index) {
    const top = index * this.#height;
    // The table's head covers the first row's height.
    const [from, to] = [this.#scroller.scrollTop, this.#scroller.scrollTop + this.#scroller.clientHeight - 2 * this.#height];
    if (top < from) this.#scroller.scrollTop = top;
    else if (top > to) this.#scroller.scrollTop += top - to;
    this.#fill(true);
  }

  #fill(isNew) {
    const { scrollTop, clientHeight } = this.#scroller;
    const count = this.#items.length;
    const first = Math.max(0, Math.min(count, Math.floor(scrollTop / this.#height)) - SPARE);
    const last = Math.min(count, Math.ceil((scrollTop + clientHeight) / this.#height) + SPARE);
    if (!isNew && this.#shown === `${first} ${last}`) return;
    this.#shown = `${first} ${last}`;
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.closest("tr").ariaRowIndex : null;
    this.#body.replaceChildren(...this.#items.slice(first, last).map((item, offset) => {
      const row = this.#draw(item, first + offset);
      row.ariaRowIndex = String(first + offset + 2);
      return row;
    }));
    if (focused !== null) this.#body.querySelector(`[aria-rowindex="${focused}"] button`)?.focus({ preventScroll: true });
    const [above, below] = [this.#body.previousElementSibling, this.#body.nextElementSibling];
    above.firstElementChild.style.height = `${first * this.#height}px`;
    below.firstElementChild.style.height = `${(count - last) * this.#height}px`;
    this.#measure(first);
  }

  // Takes the height of rows from the first that is drawn: it differs between screens.
  #measure() {
    const height = this.#body.firstElementChild?.getBoundingClientRect().height ?? 0;
    if (height < 1 || Math.abs(height - this.#height) < 0.5) return;
    this.#height = height;
    this.#fill(true);
  }
}
