// The files in a zip, as folders.js has those of a folder: each is unpacked when it is read, by the browser itself.
// The limits are those of `hex convert`, but for all files together, which a page has to hold.

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
// The bytes of each of these without names and remarks, and the longest remark at a zip's end.
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MOST_REMARK = 65_535;
// What stands in the place of numbers that have no room in a plain zip.
const ELSEWHERE = 0xffff_ffff;
const [STORED, DEFLATED] = [0, 8];
const ENCRYPTED = 1;
// The most bytes of a file, and of all together, after unpacking.
const MOST_FILE = 64_000_000;
const MOST_IN_ALL = 256_000_000;

const isTaken = (path) => /\.(sgf|json|jsonl|txt|zip)$/i.test(path) && !/(^|\/)\./.test(path) && !path.startsWith("__MACOSX/");
const megabytes = (bytes) => `${Math.ceil(bytes / 1e5) / 10} MB`;

// The files with games in a zip, { name, folder, read, isLive } each, by name, without a folder that all are in;
// `read` is to be called for one after the other. Throws if it is no zip.
export async function entries(zip) {
  const list = (await directory(zip)).filter(({ path }) => isTaken(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const inAll = { bytes: 0 };
  const folder = list.map(({ path }) => path.slice(0, path.lastIndexOf("/") + 1)).reduce(common, list[0]?.path ?? "");
  return list.map((entry) => ({ name: entry.path.slice(folder.length), folder: zip.name, isLive: false,
    read: () => unpacked(zip, entry, inAll) }));
}

// The folders that two paths have in common.
function common(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, one.lastIndexOf("/", length - 1) + 1);
}

const bytes = async (zip, from, length) => new DataView(await zip.slice(from, from + length).arrayBuffer());

// What the zip says of its files: { path, flags, method, packed, size, at } each.
async function directory(zip) {
  const from = Math.max(0, zip.size - END_BYTES - MOST_REMARK);
  const tail = await bytes(zip, from, zip.size - from);
  let at = tail.byteLength - END_BYTES;
  while (at >= 0 && tail.getUint32(at, true) !== END) at--;
  if (at < 0) throw new Error(`${zip.name}: this is no zip that can be read`);
  const [length, begin] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
  if (begin === ELSEWHERE) throw new Error(`${zip.name}: zips of more than 4 GB are not read; unpack it first`);
  const view = await bytes(zip, begin, length);
  const found = [];
  for (let from = 0; from < length;) {
    if (from + ENTRY_BYTES > view.byteLength || view.getUint32(from, true) !== ENTRY) throw new Error(`${zip.name}: this zip breaks off`);
    const [name, extra, remark] = [28, 30, 32].map((place) => view.getUint16(from + place, true));
    found.push({ path: new TextDecoder().decode(new Uint8Array(view.buffer, from + ENTRY_BYTES, name)),
      flags: view.getUint16(from + 8, true), method: view.getUint16(from + 10, true),
      packed: view.getUint32(from + 20, true), size: view.getUint32(from + 24, true), at: view.getUint32(from + 42, true) });
    from += ENTRY_BYTES + name + extra + remark;
  }
  return found;
}

// A file out of the zip, as a Blob. A zip may tell less than there is: what comes out is counted.
async function unpacked(zip, { path, flags, method, packed, size, at }, inAll) {
  const refuse = (why) => { throw new Error(why); };
  if (/\.zip$/i.test(path)) refuse("a zip in a zip is not read; unpack it first");
  if (flags & ENCRYPTED) refuse("it is encrypted; unpack it first");
  if (method !== STORED && method !== DEFLATED) refuse("it is packed in a way that browsers do not know; unpack it first");
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
      inAll.bytes += value.length;
      parts.push(value);
      if (count > MOST_FILE || inAll.bytes > MOST_IN_ALL) {
        reader.cancel();
        break;
      }
    }
  } catch {
    refuse("it is damaged");
  }
  if (count > MOST_FILE) refuse(`it unpacks to more than ${megabytes(MOST_FILE)}, which is the most that is read`);
  if (inAll.bytes > MOST_IN_ALL) refuse(`with this file the zip unpacks to more than ${megabytes(MOST_IN_ALL)}, which is the most that is read`);
  if (count !== size) refuse("it is damaged");
  return new Blob(parts);
}
