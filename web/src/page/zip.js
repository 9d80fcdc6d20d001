// The files in a zip, in the form of folders.js. The browser unpacks each file when it is read. The
// limits are those of `hex convert`, but for all files together, as the page holds them in memory.

import { megabytes } from "./dom.js";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
// The sizes of these headers without names and comments, and of the longest comment at a zip's end.
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MOST_COMMENT = 65_535;
// Stands for numbers that do not fit into a plain zip (ZIP64 has them elsewhere).
const ELSEWHERE = 0xffff_ffff;
const [STORED, DEFLATED] = [0, 8];
const ENCRYPTED = 1;
// The most bytes of a file, and of all files, after unpacking.
const MOST_FILE = 64_000_000;
const MOST_IN_TOTAL = 256_000_000;

const isRead = (path) => /\.(sgf|json|jsonl|txt|zip)$/i.test(path) && !/(^|\/)\./.test(path) && !path.startsWith("__MACOSX/");

// The game files in a zip, sorted by name, { name, folder, read, isLive } each; names omit a common
// folder. Call `read` for one at a time. Throws if it is not a zip.
export async function entries(zip) {
  const list = (await directory(zip)).filter(({ path }) => isRead(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const total = { bytes: 0 };
  const folder = list.map(({ path }) => path.slice(0, path.lastIndexOf("/") + 1)).reduce(common, list[0]?.path ?? "");
  return list.map((entry) => ({ name: entry.path.slice(folder.length), folder: zip.name, isLive: false,
    read: () => unpacked(zip, entry, total) }));
}

// The common folder of two paths.
function common(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, one.lastIndexOf("/", length - 1) + 1);
}

const bytes = async (zip, from, length) => new DataView(await zip.slice(from, from + length).arrayBuffer());

// The zip's directory: { path, flags, method, packed, size, at } each.
async function directory(zip) {
  const from = Math.max(0, zip.size - END_BYTES - MOST_COMMENT);
  const tail = await bytes(zip, from, zip.size - from);
  let at = tail.byteLength - END_BYTES;
  while (at >= 0 && tail.getUint32(at, true) !== END) at--;
  if (at < 0) throw new Error(`${zip.name}: this zip cannot be read`);
  const [length, begin] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
  if (begin === ELSEWHERE) throw new Error(`${zip.name}: zips of more than 4 GB are not read; unpack it first`);
  const view = await bytes(zip, begin, length);
  const found = [];
  for (let from = 0; from < length;) {
    if (from + ENTRY_BYTES > view.byteLength || view.getUint32(from, true) !== ENTRY) throw new Error(`${zip.name}: this zip is truncated`);
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(from + place, true));
    found.push({ path: new TextDecoder().decode(new Uint8Array(view.buffer, from + ENTRY_BYTES, name)),
      flags: view.getUint16(from + 8, true), method: view.getUint16(from + 10, true),
      packed: view.getUint32(from + 20, true), size: view.getUint32(from + 24, true), at: view.getUint32(from + 42, true) });
    from += ENTRY_BYTES + name + extra + comment;
  }
  return found;
}

// Unpacks a file to a Blob. Counts the bytes, because a zip may state less than it contains.
async function unpacked(zip, { path, flags, method, packed, size, at }, total) {
  const refuse = (why) => { throw new Error(why); };
  if (/\.zip$/i.test(path)) refuse("a zip in a zip is not read; unpack it first");
  if (flags & ENCRYPTED) refuse("it is encrypted; unpack it first");
  if (method !== STORED && method !== DEFLATED) refuse("browsers do not know its compression; unpack it first");
  const head = await bytes(zip, at, LOCAL_BYTES);
  if (head.byteLength < LOCAL_BYTES || head.getUint32(0, true) !== LOCAL) refuse("it is not where the zip says");
  const from = at + LOCAL_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
  const stream = zip.slice(from, from + packed).stream();
  const parts = [];
  let count = 0;
  try {
    for (const reader = (method === STORED ? stream : stream.pipeThrough(new DecompressionStream("deflate-raw"))).getReader();;) {
      const { done, value } = await reader.read();
      if (done) break;
      count += value.length;
      total.bytes += value.length;
      parts.push(value);
      if (count > MOST_FILE || total.bytes > MOST_IN_TOTAL) {
        reader.cancel();
        break;
      }
    }
  } catch {
    refuse("it is damaged");
  }
  if (count > MOST_FILE) refuse(`it unpacks to more than ${megabytes(MOST_FILE)}, which is the most that is read`);
  if (total.bytes > MOST_IN_TOTAL) refuse(`with this file the zip unpacks to more than ${megabytes(MOST_IN_TOTAL)}, which is the most that is read`);
  if (count !== size) refuse("it is damaged");
  return new Blob(parts);
}
