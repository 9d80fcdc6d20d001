// A game with its variations: nodes, each a turn with what is said about the position after it.
// The first child of a node goes on with its main line. The rules are the server's business.

export class Node {
  comment = "";
  // Short texts by cell.
  labels = {};
  // [from, to] each.
  arrows = [];
  children = [];
  // How good the move was, "?!" and so on, if a record says so; "" if not.
  grade = "";

  constructor(move, parent) {
    this.move = move;
    this.parent = parent;
  }

  // The moves that lead here are as many.
  get depth() {
    let depth = 0;
    for (let at = this; at.parent !== null; at = at.parent) depth += 1;
    return depth;
  }
}

export class Tree {
  root = new Node("", null);
  // Has somebody changed it since it was opened?
  isEdited = false;
  // May what the bot thinks of it be told, because it was over, or somebody has asked for it?
  isTold = false;
  // What was deleted, the last first to come back: { node, index }, the place among its siblings.
  #removed = [];
  // Grows with every change of the nodes.
  version = 0;

  // The tree of one line, with a remark for each of its moves.
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

  // All nodes as the server reads them, { parent, move, … } each, parents first; `others` has a comment and a
  // grade of some nodes in the place of their own.
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

  // The node of a move here; a new one if it was not played before.
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

  // The nodes after this one, by the main line.
  continuation(node) {
    const line = [];
    for (let at = node.children[0]; at !== undefined; at = at.children[0]) line.push(at);
    return line;
  }

  // The nodes of these moves from the root on; null if somewhere there is none.
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

  // Makes the variation that leads to this node the main line, where it branches off last.
  promote(node) {
    const first = branching(node);
    if (first === null) return;
    const { children } = first.parent;
    children.splice(children.indexOf(first), 1);
    children.unshift(first);
    this.version += 1;
  }

  // Takes a node away with all that follows it.
  remove(node) {
    const { children } = node.parent;
    const index = children.indexOf(node);
    this.#removed.push({ node, index });
    children.splice(index, 1);
    this.version += 1;
  }

  // Is there anything to restore?
  get hasRemoved() {
    return this.#removed.length > 0;
  }

  // Brings back what was removed last, where it was; returns its first node, or null if there is none. If
  // its move was played again meanwhile, what followed it comes behind that.
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

// Adds what follows a node behind another one of the same move. (Not by recursion: games are deeper than
// a stack.)
function merge(into, from) {
  const waiting = [[into, from]];
  while (waiting.length > 0) {
    const [kept, other] = waiting.pop();
    kept.comment ||= other.comment;
    for (const child of other.children) {
      const twin = kept.children.find(({ move }) => move === child.move);
      if (twin !== undefined) {
        waiting.push([twin, child]);
        continue;
      }
      child.parent = kept;
      kept.children.push(child);
    }
  }
}

// The node of this one's line that is not the first of its siblings, the last such; or null.
export function branching(node) {
  for (let at = node; at.parent !== null; at = at.parent) {
    if (at.parent.children[0] !== at) return at;
  }
  return null;
}
