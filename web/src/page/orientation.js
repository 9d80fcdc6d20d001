// The orientation of the board in links. HexWorld writes options between the side and the moves:
// "11r9mc1,a2" is rotation 9, mirrored; "n" requests move numbers.

import { FLAT, isRotation } from "./geometry.js";
import { loadItem, storeItem } from "./session.js";

const STORED = "look";
const OPTIONS = /^#?(\d{1,2})((?:r\d{1,2}|m|n|c\d+)+)(?=[,;]|$)/;

// Applies the options in a link's hash to the board and returns the hash without them. They hold in
// this tab until the user rotates the board.
export function applyLink(hash, board) {
  const match = OPTIONS.exec(hash);
  const linked = match === null ? loadItem(STORED) : parse(match[2]);
  storeItem(STORED, linked);
  if (linked !== null) board.setOrientation(linked);
  return match === null ? hash : `#${match[1]}${hash.slice(match[0].length)}`;
}

// Forgets the options of the last link.
export const forgetLink = () => storeItem(STORED, null);

// { rotation, mirrored }, or null if the options contain neither.
function parse(options) {
  const found = /r(\d+)/.exec(options);
  const mirrored = options.includes("m");
  if (found === null && !mirrored) return null;
  const rotation = found === null ? FLAT : Number(found[1]) % 12 || 12;
  return isRotation(rotation) ? { rotation, mirrored } : null;
}

// A link to HexWorld with the current orientation.
export function oriented(link, { rotation, mirrored }) {
  const options = `${rotation === FLAT ? "" : `r${rotation}`}${mirrored ? "m" : ""}`;
  return link.replace(/(#\d+)(c1)/, `$1${options}$2`);
}
