// The moves of the game with its variations, as a list to click; and buttons to edit the shown
// variation.

import { byId } from "./dom.js";
import { GRADES, mistakes } from "./judgement.js";
import { colorName, moveName, nextMover } from "./notation.js";
import { branching } from "./tree.js";

// The longest comment that is shown beside its move; the time of a move fits.
const SHORT_REMARK = 12;
// The frames until the variations around a move have their lengths.
const SCROLLS = 4;

export class Variations {
  #session;
  // The list items by node, and the tree from which they were created.
  #items = new Map();
  #made = { tree: null, version: 0 };
  // The nodes whose items were drawn differently from the default.
  #shown = [];
  // The node that was scrolled to last, and the frames until that is done.
  #scrollTarget = null;
  #scrolls = 0;
  // The node whose comment is in the field.
  #commented = null;

  constructor(session) {
    this.#session = session;
    byId("promote").addEventListener("click", () => session.promote());
    byId("delete").addEventListener("click", () => session.removeHere());
    byId("restore").addEventListener("click", () => session.restore());
    byId("comment").addEventListener("input", ({ target }) => {
      // A bot may have moved since the user began to type.
      this.#commented.comment = target.value;
      session.annotated();
    });
    // A hidden list cannot scroll, so it scrolls when it appears.
    let height = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (height === 0 && contentRect.height > 0) this.#scrollTo(session.here);
      height = contentRect.height;
    }).observe(byId("moves"));
    // While the user types, the field is not updated.
    byId("comment").addEventListener("blur", () => this.show());
  }

  show() {
    const { tree, line, ply, here } = this.#session;
    const isNew = this.#build(tree);
    const graded = new Map(mistakes(this.#session).map(({ ply: at, grade }) => [line[at - 1], grade]));
    const ahead = new Set(line.slice(ply));
    // Only these can look different; a study may have thousands of other nodes.
    const changed = new Set([...this.#shown, ...line, here]);
    for (const node of changed) this.#update(node, graded.get(node) ?? node.grade, ahead.has(node), node === here);
    this.#shown = [...line, here];
    // Not with every result of an analysis, as the user may have scrolled elsewhere.
    if (isNew || here !== this.#scrollTarget) this.#scrollTo(here);
    const isRoot = here.parent === null;
    byId("promote").disabled = isRoot || branching(here) === null;
    byId("delete").disabled = isRoot;
    byId("restore").hidden = !tree.hasRemoved;
    if (document.activeElement !== byId("comment")) {
      byId("comment").value = here.comment;
      this.#commented = here;
    }
    byId("remark").textContent = this.#remark();
  }

  #update(node, grade, isAhead, isHere) {
    const { item, button, number, isVariation } = this.#items.get(node) ?? {};
    if (item === undefined) return;
    const remark = node.comment.length <= SHORT_REMARK ? node.comment : "…";
    const text = [moveName(node.move), grade, remark].filter(Boolean).join(" ");
    if (button.textContent !== text) {
      const sign = grade && document.createElement("b");
      if (sign) {
        sign.className = `grade ${GRADES[grade]?.name ?? ""}`;
        sign.textContent = grade;
      }
      button.replaceChildren(...[moveName(node.move), sign, remark].filter(Boolean).flatMap((part) => [part, " "]).slice(0, -1));
      const words = [`${number}. ${colorName(item.className.split(" ")[0])} ${moveName(node.move)}`, GRADES[grade]?.words ?? grade,
        isVariation && "variation", node.comment];
      button.setAttribute("aria-label", words.filter(Boolean).join(", "));
    }
    item.classList.toggle("ahead", isAhead);
    button.ariaCurrent = isHere ? "step" : null;
  }

  #remark() {
    const { here, ply, isAtEnd, record } = this.#session;
    const comment = here.comment && (ply === 0 ? here.comment : `Move ${ply}: ${here.comment}`);
    return [comment, isAtEnd && record?.result].filter(Boolean).join(". ");
  }

  // Shows this node's move in the list.
  #scrollTo(node) {
    const isRunning = this.#scrolls > 0;
    this.#scrollTarget = node;
    this.#scrolls = SCROLLS;
    if (!isRunning) this.#scroll();
  }

  // Waits for the browser's layout, as reading positions at once would force an additional one.
  // Variations that come into view turn out longer than the browser has guessed, and push the move
  // out of view again.
  #scroll() {
    requestAnimationFrame(() => {
      const list = byId("moves");
      const item = this.#items.get(this.#scrollTarget)?.item;
      const top = (element) => element.getBoundingClientRect().top;
      if (item === undefined) list.scrollTop = 0;
      else list.scrollTop += top(item) - top(list) - list.clientHeight / 2;
      this.#scrolls -= 1;
      if (this.#scrolls > 0) this.#scroll();
    });
  }

  // Creates the list if the tree has changed; returns whether it has.
  #build(tree) {
    if (this.#made.tree === tree && this.#made.version === tree.version) return false;
    this.#made = { tree, version: tree.version };
    this.#items.clear();
    this.#shown = [];
    this.#line(byId("moves"), tree.root, 1, "red", false);
    for (const node of this.#items.keys()) this.#update(node, node.grade, false, false);
    return true;
  }

  // Fills a list with the main line after a node; variations are nested lists after the move that
  // they replace. Number and colour are passed down, as computing them costs a node's depth.
  #line(list, begin, first, mover, isVariation) {
    list.replaceChildren();
    let [number, color] = [first, mover];
    // A loop, because games can be deeper than the stack.
    for (let node = begin; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      list.append(this.#item(main, number, color, isVariation));
      if (others.length > 0) list.append(this.#variations(others, number, color));
      number += 1;
      color = nextMover(color, main.move);
    }
  }

  // One box for all variations at a move, as each box slows down every step.
  #variations(nodes, number, color) {
    const box = document.createElement("li");
    box.className = "variation";
    for (const node of nodes) {
      const inner = document.createElement("ol");
      this.#line(inner, node, number + 1, nextMover(color, node.move), true);
      inner.prepend(this.#item(node, number, color, true));
      inner.start = number;
      box.append(inner);
    }
    return box;
  }

  #item(node, number, color, isVariation) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    item.value = number;
    item.className = color;
    button.addEventListener("click", () => this.#session.select(node));
    item.append(button);
    this.#items.set(node, { item, button, number, isVariation });
    return item;
  }
}
