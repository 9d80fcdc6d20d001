// A game with its variations: nodes, each a turn with what is said about the position after it.
// The first child of a node goes on with its main line. The rules are the server's business.

export class Node {
  comment = "";
  // Short texts by cell.
  labels = {};
  // [from, to] each.
  arrows = [];
  children = [];

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
    for (const { parent, move, comment = "", labels = {}, arrows = [] } of list) {
      const node = parent === undefined ? tree.root : tree.add(known[parent], move);
      Object.assign(node, { comment, labels, arrows });
      known.push(node);
    }
    return tree;
  }

  // All nodes as the server reads them, { parent, move, … } each, parents first.
  nodes() {
    const list = [];
    const waiting = [[this.root, undefined]];
    while (waiting.length > 0) {
      const [node, parent] = waiting.pop();
      const { move, comment, labels, arrows, children } = node;
      list.push({ ...(parent !== undefined && { parent, move }), ...(comment && { comment }),
        ...(Object.keys(labels).length > 0 && { labels }), ...(arrows.length > 0 && { arrows }) });
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
    children.splice(children.indexOf(node), 1);
    this.version += 1;
  }
}

// The node of this one's line that is not the first of its siblings, the last such; or null.
export function branching(node) {
  for (let at = node; at.parent !== null; at = at.parent) {
    if (at.parent.children[0] !== at) return at;
  }
  return null;
}
