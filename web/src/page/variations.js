// The moves of the game with its variations, as a list that can be clicked through; and what can be
// done to the variation that is shown.

import { GRADES, mistakes } from "./judgement.js";
import { colorName, moveName, nextMover } from "./notation.js";
import { branching } from "./tree.js";

const byId = (id) => document.getElementById(id);
// The longest remark that is shown beside its move: the time of a move is.
const SHORT_REMARK = 12;

export class Variations {
  #session;
  // The items of the list by node, and the tree that they were made of.
  #items = new Map();
  #made = { tree: null, version: 0 };
  // The nodes that were shown otherwise than those beside the line.
  #shown = [];
  // The node that the list is to be scrolled to; null once it is.
  #wanted = null;

  constructor(session) {
    this.#session = session;
    byId("promote").addEventListener("click", () => session.promote());
    byId("delete").addEventListener("click", () => session.removeHere());
    byId("restore").addEventListener("click", () => session.restore());
    byId("comment").addEventListener("input", ({ target }) => {
      session.here.comment = target.value;
      session.remarked();
    });
    // A list that nobody saw could not be scrolled.
    let height = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (height === 0 && contentRect.height > 0) this.#scrollTo(session.here);
      height = contentRect.height;
    }).observe(byId("moves"));
    // Anything but the comment may have changed; so the field is left alone while it is written in.
    byId("comment").addEventListener("blur", () => this.show());
  }

  show() {
    const { tree, line, ply, here } = this.#session;
    this.#build(tree);
    const graded = new Map(mistakes(this.#session).map(({ ply: at, grade }) => [line[at - 1], grade]));
    const ahead = new Set(line.slice(ply));
    // What was shown otherwise before, or is now; a study may have many thousands of others.
    const changed = new Set([...this.#shown, ...line, here]);
    for (const node of changed) this.#paint(node, graded.get(node) ?? node.grade, ahead.has(node), node === here);
    this.#shown = [...line, here];
    this.#scrollTo(here);
    const isRoot = here.parent === null;
    byId("promote").disabled = isRoot || branching(here) === null;
    byId("delete").disabled = isRoot;
    byId("restore").hidden = !tree.hasRemoved;
    if (document.activeElement !== byId("comment")) byId("comment").value = here.comment;
    byId("remark").textContent = this.#remark();
  }

  #paint(node, grade, isAhead, isHere) {
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
    if (isHere) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }

  #remark() {
    const { here, ply, isAtEnd, record } = this.#session;
    const said = here.comment && (ply === 0 ? here.comment : `Move ${ply}: ${here.comment}`);
    return [said, isAtEnd && record?.result].filter(Boolean).join(". ");
  }

  // Once the browser has laid out the page: it would do so at once for who asks, and once more when
  // the rest has changed.
  #scrollTo(node) {
    const isAsked = this.#wanted !== null;
    this.#wanted = node;
    if (isAsked) return;
    requestAnimationFrame(() => {
      const list = byId("moves");
      const item = this.#items.get(this.#wanted)?.item;
      this.#wanted = null;
      list.scrollTop = item === undefined ? 0 : item.offsetTop - list.clientHeight / 2;
    });
  }

  // Makes the list, if there are other moves in it than before.
  #build(tree) {
    if (this.#made.tree === tree && this.#made.version === tree.version) return;
    this.#made = { tree, version: tree.version };
    this.#items.clear();
    this.#shown = [];
    this.#line(byId("moves"), tree.root, 1, "red", false);
    for (const node of this.#items.keys()) this.#paint(node, node.grade, false, false);
  }

  // Fills a list with the main line behind a node, whose first move has a number and a mover;
  // variations are lists in the line of the move that they could replace. (They are handed down,
  // because to ask each node for them would cost its depth.)
  #line(list, begin, first, mover, isVariation) {
    list.replaceChildren();
    let [number, color] = [first, mover];
    // Iterated, because long games are deeper than a stack.
    for (let node = begin; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      list.append(this.#item(main, number, color, isVariation));
      if (others.length > 0) list.append(this.#variations(others, number, color));
      number += 1;
      color = nextMover(color, main.move);
    }
  }

  // One box for all variations from a place, as each box costs the browser something at every step.
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
