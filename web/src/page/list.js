// A table that may have any number of rows: only those on the screen exist. It lies in a box as high
// as all rows would be, at the place of those that exist. So a row's place follows from its number
// alone, however the browser lays out and anchors what is drawn anew.

// Rows beyond the edges of the screen, on each side.
const SPARE = 10;
// Heights of rows that differ by less, in pixels, are the same.
const SAME = 0.1;
// What people scroll with: they are not taken back to the row that was revealed last. To press on a
// row is not to scroll.
const SCROLLS = ["wheel", "touchmove", "pointerdown", "keydown"];

export class VirtualList {
  #scroller;
  #body;
  #table;
  #box;
  #draw;
  #items = [];
  #height = 44;
  #shown = null;
  // The item that is to be seen until somebody scrolls; null if none is.
  #wanted = null;

  // `scroller` scrolls the rows in `body`, whose table is alone in a box; `draw(item, index)` makes
  // a row.
  constructor(scroller, body, draw) {
    this.#scroller = scroller;
    this.#body = body;
    this.#table = body.closest("table");
    this.#box = this.#table.parentElement;
    this.#draw = draw;
    scroller.addEventListener("scroll", () => this.#fill(false), { passive: true });
    const scrolled = ({ type, target }) => {
      if (type !== "pointerdown" || !body.contains(target)) this.#wanted = null;
    };
    for (const deed of SCROLLS) scroller.addEventListener(deed, scrolled, { passive: true });
    // With the screen the rows' height may have changed. Rows that stay are not made anew: somebody
    // may be pressing on one.
    new ResizeObserver(() => {
      this.#settle();
      this.#measure();
    }).observe(scroller);
  }

  // Shows these items, where the list was.
  show(items) {
    this.#items = items;
    this.#wanted = null;
    this.#table.setAttribute("aria-rowcount", items.length + 1);
    this.#fill(true);
  }

  // Scrolls so far that an item can be seen, and keeps it in sight while the page around the list
  // changes.
  reveal(index) {
    this.#wanted = index;
    this.#shown = null;
    this.#settle();
    // What is shown of the item may take room from the list.
    requestAnimationFrame(() => this.#settle());
  }

  // Scrolls to the item that is wanted, and draws what is on the screen then.
  #settle() {
    if (this.#wanted !== null && this.#items.length > 0) {
      const top = this.#wanted * this.#height;
      const room = this.#scroller.clientHeight - this.#head;
      const { scrollTop } = this.#scroller;
      if (top < scrollTop) this.#scroller.scrollTop = top;
      else if (top + this.#height > scrollTop + room) this.#scroller.scrollTop = top + this.#height - room;
    }
    this.#fill(false);
  }

  // The height of the table's head, which covers the rows under it.
  get #head() {
    return this.#table.tHead.getBoundingClientRect().height;
  }

  #fill(isNew) {
    const count = this.#items.length;
    // As high as it is to be before anything is asked about where it is scrolled to.
    this.#box.style.height = `${this.#head + count * this.#height}px`;
    const { scrollTop, clientHeight } = this.#scroller;
    const first = Math.max(0, Math.min(count, Math.floor(scrollTop / this.#height)) - SPARE);
    const last = Math.min(count, Math.ceil((scrollTop + clientHeight) / this.#height) + SPARE);
    this.#box.style.paddingTop = `${first * this.#height}px`;
    if (!isNew && this.#shown === `${first} ${last}`) return;
    this.#shown = `${first} ${last}`;
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.closest("tr").ariaRowIndex : null;
    this.#body.replaceChildren(...this.#items.slice(first, last).map((item, offset) => {
      const row = this.#draw(item, first + offset);
      row.ariaRowIndex = String(first + offset + 2);
      return row;
    }));
    if (focused !== null) this.#body.querySelector(`[aria-rowindex="${focused}"] button`)?.focus({ preventScroll: true });
    this.#measure();
  }

  // Takes the height of rows from those that are drawn: it differs between screens. The first row on
  // the screen stays there.
  #measure() {
    const height = this.#body.getBoundingClientRect().height / this.#body.rows.length;
    if (!(height >= 1) || Math.abs(height - this.#height) < SAME) return;
    const top = this.#scroller.scrollTop / this.#height;
    this.#height = height;
    this.#box.style.height = `${this.#head + this.#items.length * height}px`;
    this.#scroller.scrollTop = top * height;
    this.#settle();
  }
}
