// All variations of a game as one text, for links. The moves of a line follow each other; each
// alternative to a move follows it in brackets: "a2b3c4(d1e1)d5".

import { TOKEN } from "./notation.js";
import { Tree } from "./tree.js";

const PART = new RegExp(`[()]|${TOKEN.source}`, "y");

// The text of a tree. Not recursive, because a tree can be deeper than the stack.
export function format(tree) {
  let text = "";
  // What is left to write, the next last: texts, and nodes whose descendants are to be written.
  const waiting = [tree.root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") text += next;
    else waiting.push(...parts(next).reverse());
  }
  return text;
}

// The parts of the text for a node's descendants: its main line and the alternatives.
function parts(node) {
  const found = [];
  for (let at = node; at.children.length > 0; at = at.children[0]) {
    const [main, ...others] = at.children;
    found.push(main.move, ...others.flatMap((other) => ["(", other.move, other, ")"]));
  }
  return found;
}

// The inverse of `format`. Throws if the text is malformed.
export function parse(text) {
  const tree = new Tree();
  const begun = [];
  let at = tree.root;
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const from = PART.lastIndex;
    const part = PART.exec(text)?.[0];
    if (part === undefined || (part === "(" && at === tree.root) || (part === ")" && begun.length === 0)) {
      throw new Error(`the variations cannot be read from "${text.slice(from, from + 20)}" on`);
    }
    if (part === "(") {
      begun.push(at);
      at = at.parent;
    } else at = part === ")" ? begun.pop() : tree.add(at, part);
  }
  return tree;
}

export const hasVariations = (tree) => {
  for (let at = tree.root; at !== undefined; at = at.children[0]) if (at.children.length > 1) return true;
  return false;
};
