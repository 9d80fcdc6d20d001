// A game tree. Each node is a turn with comments on the position after it; a node's first child
// continues its main line. The server checks the rules.

export class Node {
  comment = "";
  // Short texts by cell.
  labels = {};
  // [from, to] each.
  arrows = [];
  children = [];
  // The grade of the move from a record, such as "?!"; "" for none.
  grade = "";

  constructor(move, parent) {
    this.move = move;
    this.parent = parent;
  }

  // The number of moves that lead here.
  get depth() {
    let depth = 0;
    for (let at = this; at.parent !== null; at = at.parent) depth += 1;
    return depth;
  }
}

export class Tree {
  root = new Node("", null);
  // Whether it was changed since it was opened.
  isEdited = false;
  // Whether evaluations may be shown: the game was finished, or the user requested a review.
  isRevealed = false;
  // Deleted nodes, the next to restore last: { node, index }, with the index among its siblings.
  #removed = [];
  // Incremented by every change of the nodes.
  version = 0;

  // The tree of one line, with a remark for each move.
  static ofMoves(moves, remarks = []) {
    const tree = new Tree();
    let node = tree.root;
    moves.forEach((move, index) => {
      node = tree.add(node, move);
      node.comment = remarks[index] ?? "";
    });
    return tree;
  }

  // The inverse of `nodes()`.
  static ofNodes(list) {
    const tree = new Tree();
    const known = [];
    for (const { parent, move, comment = "", labels = {}, arrows = [], grade = "" } of list) {
      const node = parent === undefined ? tree.root : tree.add(known[parent], move);
      Object.assign(node, { comment, labels, arrows, grade });
      known.push(node);
    }
    return tree;
  }

  // All nodes as the server reads them, { parent, move, … } each, parents first. `others` maps
  // nodes to a comment and grade that replace their own.
  nodes(others = new Map()) {
    const list = [];
    const waiting = [[this.root, undefined]];
    while (waiting.length > 0) {
      const [node, parent] = waiting.pop();
      const { move, labels, arrows, children } = node;
      const { comment, grade } = others.get(node) ?? node;
      list.push({ ...(parent !== undefined && { parent, move }), ...(comment && { comment }),
        ...(Object.keys(labels).length > 0 && { labels }), ...(arrows.length > 0 && { arrows }), ...(grade && { grade }) });
      const index = list.length - 1;
      for (let at = children.length - 1; at >= 0; at--) waiting.push([children[at], index]);
    }
    return list;
  }

  // The child with this move; a new one if there is none.
  add(node, move) {
    const known = node.children.find((child) => child.move === move);
    if (known !== undefined) return known;
    const child = new Node(move, node);
    node.children.push(child);
    this.version += 1;
    return child;
  }

  // The nodes from the root's child to this one.
  path(node) {
    const path = [];
    for (let at = node; at.parent !== null; at = at.parent) path.push(at);
    return path.reverse();
  }

  // The main line after this node.
  continuation(node) {
    const line = [];
    for (let at = node.children[0]; at !== undefined; at = at.children[0]) line.push(at);
    return line;
  }

  // The nodes of these moves from the root; null if one is missing.
  find(moves) {
    const found = [];
    let node = this.root;
    for (const move of moves) {
      node = node.children.find((child) => child.move === move);
      if (node === undefined) return null;
      found.push(node);
    }
    return found;
  }

  // Makes the variation with this node the main line, at its last branching.
  promote(node) {
    const first = branching(node);
    if (first === null) return;
    const { children } = first.parent;
    children.splice(children.indexOf(first), 1);
    children.unshift(first);
    this.version += 1;
  }

  // Deletes a node with all its descendants.
  remove(node) {
    const { children } = node.parent;
    const index = children.indexOf(node);
    this.#removed.push({ node, index });
    children.splice(index, 1);
    this.version += 1;
  }

  get hasRemoved() {
    return this.#removed.length > 0;
  }

  // Restores the last deletion and returns its first node; null if there is none. If its move was
  // played again meanwhile, merges the descendants.
  restore() {
    const last = this.#removed.pop();
    if (last === undefined) return null;
    this.version += 1;
    const { node, index } = last;
    const twin = node.parent.children.find((child) => child.move === node.move);
    if (twin === undefined) {
      node.parent.children.splice(index, 0, node);
      return node;
    }
    merge(twin, node);
    return twin;
  }
}

// Merges the descendants of a node into another node with the same move. Not recursive, because a
// game can be deeper than the stack.
function merge(into, from) {
  const waiting = [[into, from]];
  while (waiting.length > 0) {
    const [target, other] = waiting.pop();
    target.comment ||= other.comment;
    for (const child of other.children) {
      const twin = target.children.find(({ move }) => move === child.move);
      if (twin !== undefined) {
        waiting.push([twin, child]);
        continue;
      }
      child.parent = target;
      target.children.push(child);
    }
  }
}

// The last node on the way here that is not the first child of its parent; null on the main line.
export function branching(node) {
  for (let at = node; at.parent !== null; at = at.parent) {
    if (at.parent.children[0] !== at) return at;
  }
  return null;
}
