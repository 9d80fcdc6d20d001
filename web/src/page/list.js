// A table with any number of rows, of which only the visible ones exist in the document. The box
// around the table is as high as all rows, and padding moves the existing rows into place. So a
// row's position depends on its index alone, not on the browser's scroll anchoring.

// Extra rows above and below the visible ones.
const SPARE = 10;
// Smaller differences of row heights are ignored, in pixels.
const SAME = 0.1;
// Events that show that the user scrolls: the list then no longer keeps the revealed row in view. A
// press on a row does not count.
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
  // The index of the row to keep in view until the user scrolls; null for none.
  #target = null;

  // `scroller` scrolls the rows in `body`, whose table is alone in a box; `draw(item, index)`
  // creates a row.
  constructor(scroller, body, draw) {
    this.#scroller = scroller;
    this.#body = body;
    this.#table = body.closest("table");
    this.#box = this.#table.parentElement;
    this.#draw = draw;
    scroller.addEventListener("scroll", () => this.#fill(false), { passive: true });
    const scrolled = ({ type, target }) => {
      if (type !== "pointerdown" || !body.contains(target)) this.#target = null;
    };
    for (const event of SCROLLS) scroller.addEventListener(event, scrolled, { passive: true });
    // The height of rows may have changed with the screen. Existing rows are kept, because the user
    // may be pressing one.
    new ResizeObserver(() => {
      this.#scrollToTarget();
      this.#measure();
    }).observe(scroller);
  }

  // Shows these items without scrolling.
  show(items) {
    this.#items = items;
    this.#target = null;
    this.#table.setAttribute("aria-rowcount", items.length + 1);
    this.#fill(true);
  }

  // Scrolls an item into view, and keeps it there while the page around the list changes.
  reveal(index) {
    this.#target = index;
    this.#shown = null;
    this.#scrollToTarget();
    // Opening the item may change the list's height.
    requestAnimationFrame(() => this.#scrollToTarget());
  }

  // Scrolls to the target and draws the visible rows.
  #scrollToTarget() {
    if (this.#target !== null && this.#items.length > 0) {
      const top = this.#target * this.#height;
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
    // Set before scrollTop is read, which depends on it.
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

  // Measures the height of the existing rows, which differs between screens. The first visible row
  // stays in place.
  #measure() {
    const height = this.#body.getBoundingClientRect().height / this.#body.rows.length;
    if (!(height >= 1) || Math.abs(height - this.#height) < SAME) return;
    const top = this.#scroller.scrollTop / this.#height;
    this.#height = height;
    this.#box.style.height = `${this.#head + this.#items.length * height}px`;
    this.#scroller.scrollTop = top * height;
    this.#scrollToTarget();
  }
}
