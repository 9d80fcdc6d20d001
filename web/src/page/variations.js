// The moves of the game with its variations, as a list that can be clicked through; and what can be
// done to the variation that is shown.

import { mistakes } from "./judgement.js";
import { moveName, nextMover } from "./notation.js";
import { branching } from "./tree.js";

const byId = (id) => document.getElementById(id);
// The longest remark that is shown beside its move: the time of a move is.
const SHORT_REMARK = 12;

export class Variations {
  #session;
  // The items of the list by node, and the tree that they were made of.
  #items = new Map();
  #made = { tree: null, version: 0 };
  // The node that the list is to be scrolled to; null once it is.
  #wanted = null;

  constructor(session) {
    this.#session = session;
    byId("promote").addEventListener("click", () => session.promote());
    byId("delete").addEventListener("click", () => session.removeHere());
    byId("comment").addEventListener("input", ({ target }) => {
      session.here.comment = target.value;
      session.remarked();
    });
    // Anything but the comment may have changed; so the field is left alone while it is written in.
    byId("comment").addEventListener("blur", () => this.show());
  }

  show() {
    const { tree, line, ply, here } = this.#session;
    this.#build(tree);
    const bad = new Set(mistakes(this.#session).map((mistake) => line[mistake.ply - 1]));
    const ahead = new Set(line.slice(ply));
    for (const [node, { item, button }] of this.#items) {
      const remark = node.comment.length <= SHORT_REMARK ? node.comment : "…";
      const text = [moveName(node.move), bad.has(node) && "?", remark].filter(Boolean).join(" ");
      if (button.textContent !== text) button.textContent = text;
      item.classList.toggle("ahead", ahead.has(node));
      if (node === here) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    this.#scrollTo(here);
    const isRoot = here.parent === null;
    byId("promote").disabled = isRoot || branching(here) === null;
    byId("delete").disabled = isRoot;
    if (document.activeElement !== byId("comment")) byId("comment").value = here.comment;
    byId("remark").textContent = this.#remark();
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
      list.scrollTop = item === undefined ? 0 : item.offsetTop - list.offsetTop - list.clientHeight / 2;
    });
  }

  // Makes the list, if there are other moves in it than before.
  #build(tree) {
    if (this.#made.tree === tree && this.#made.version === tree.version) return;
    this.#made = { tree, version: tree.version };
    this.#items.clear();
    this.#line(byId("moves"), tree.root, 1, "red");
  }

  // Fills a list with the main line behind a node, whose first move has a number and a mover;
  // variations are lists in the line of the move that they could replace. (They are handed down,
  // because to ask each node for them would cost its depth.)
  #line(list, begin, first, mover) {
    list.replaceChildren();
    let [number, color] = [first, mover];
    // Iterated, because long games are deeper than a stack.
    for (let node = begin; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      list.append(this.#item(main, number, color));
      for (const other of others) list.append(this.#variation(other, number, color));
      number += 1;
      color = nextMover(color, main.move);
    }
  }

  #variation(node, number, color) {
    const box = document.createElement("li");
    box.className = "variation";
    const inner = document.createElement("ol");
    this.#line(inner, node, number + 1, nextMover(color, node.move));
    inner.prepend(this.#item(node, number, color));
    inner.start = number;
    box.append(inner);
    return box;
  }

  #item(node, number, color) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    item.value = number;
    item.className = color;
    button.addEventListener("click", () => this.#session.select(node));
    item.append(button);
    this.#items.set(node, { item, button });
    return item;
  }
}
