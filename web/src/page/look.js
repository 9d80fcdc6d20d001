// How a link wants the board to lie. HexWorld writes options between the side and the moves:
// "11r9mc1,a2" has the rotation 9, mirrored; "n" asks for numbers on the stones.

import { FLAT, isRotation } from "./geometry.js";
import { keep, kept } from "./session.js";

const STORED = "look";
const OPTIONS = /^#?(\d{1,2})((?:r\d{1,2}|m|n|c\d+)+)(?=[,;]|$)/;

// Takes the options out of an address's part behind "#" and lays the board so. What a link has
// asked for holds in this tab until the reader turns the board. Returns the rest.
export function take(hash, board) {
  const match = OPTIONS.exec(hash);
  const asked = match === null ? kept(STORED) : asks(match[2]);
  keep(STORED, asked);
  if (asked !== null) board.ask(asked);
  return match === null ? hash : `#${match[1]}${hash.slice(match[0].length)}`;
}

// Forgets what a link has asked for.
export const forget = () => keep(STORED, null);

// { rotation, mirrored }, or null if the options say nothing of it.
function asks(options) {
  const found = /r(\d+)/.exec(options);
  const mirrored = options.includes("m");
  if (found === null && !mirrored) return null;
  const rotation = found === null ? FLAT : Number(found[1]) % 12 || 12;
  return isRotation(rotation) ? { rotation, mirrored } : null;
}

// A link to HexWorld's board that shows the game as it lies here.
export function written(link, { rotation, mirrored }) {
  const options = `${rotation === FLAT ? "" : `r${rotation}`}${mirrored ? "m" : ""}`;
  return link.replace(/(#\d+)(c1)/, `$1${options}$2`);
}
