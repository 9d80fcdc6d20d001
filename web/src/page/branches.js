// All variations of a game in one text, for links: the moves of a line run together, and behind a move, in
// brackets, each variation that begins in its place: "a2b3c4(d1e1)d5".

import { Tree } from "./tree.js";

const PART = /[()]|:r[bw]|:f[bw]|:[sSp]|[a-z]\d{1,2}/y;

// Writes all nodes of a tree. (Not by recursion, as trees may be deeper than a stack.)
export function written(tree) {
  let text = "";
  // What is still to be written, the next last: texts, and nodes with what follows them.
  const waiting = [tree.root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") text += next;
    else waiting.push(...parts(next).reverse());
  }
  return text;
}

// What is to be written behind a node: its main line, and the variations beside that.
function parts(node) {
  const found = [];
  for (let at = node; at.children.length > 0; at = at.children[0]) {
    const [main, ...others] = at.children;
    found.push(main.move, ...others.flatMap((other) => ["(", other.move, other, ")"]));
  }
  return found;
}

// The inverse; throws if the text is no such thing.
export function read(text) {
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

// Does a tree have more than one line?
export const hasVariations = (tree) => {
  for (let at = tree.root; at !== undefined; at = at.children[0]) if (at.children.length > 1) return true;
  return false;
};
