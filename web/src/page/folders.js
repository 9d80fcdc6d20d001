// What somebody hands to the page: files and folders, dropped or chosen. Each file is { name, folder,
// read, isLive }: `read` gets it, and where `isLive` as it is then, however it has grown.

export const LOG = ".jsonl";

// Files of an input field: as they were when they were chosen.
export const chosen = (list) => [...list].map((file) =>
  ({ name: file.name, folder: file.webkitRelativePath?.split("/").at(-2), read: async () => file, isLive: false }));

// Files and all that is in folders, of what was dropped; to be called while the event is handled.
export function dropped(items) {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  return below(entries.map((entry) => ofEntry(entry)));
}

// Can a folder be asked for that can be read again and again? Where it cannot, what was dropped
// cannot either: in Firefox a file keeps the size that it had.
export const canPick = () => "showDirectoryPicker" in window;

// Asks for a folder; null if nobody chose one.
export async function picked() {
  try {
    return await below([ofHandle(await window.showDirectoryPicker())]);
  } catch (error) {
    if (error.name === "AbortError") return null;
    throw error;
  }
}

// All files there and in folders below. Beside the log of a match its games lie once more, by the
// thousand: of its folder only the files are taken.
async function below(places) {
  const files = places.filter(({ list }) => list === undefined);
  if (files.some(({ name }) => name.endsWith(LOG))) return files;
  const inner = places.filter(({ list }) => list !== undefined).map(async ({ list }) => below(await list()));
  return [...files, ...(await Promise.all(inner)).flat()];
}

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

function ofEntry(entry, folder) {
  const { name } = entry;
  return entry.isFile ? { name, folder, read: () => fileOf(entry), isLive: canPick() } : { list: () => listed(entry) };
}

async function listed(folder) {
  const reader = folder.createReader();
  const all = [];
  // The browser gives a folder's entries in parts; the last part is empty.
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all.map((entry) => ofEntry(entry, folder.name));
    all.push(...part);
  }
}

function ofHandle(handle, folder) {
  const { name } = handle;
  if (handle.kind === "file") return { name, folder, read: () => handle.getFile(), isLive: true };
  const list = async () => {
    const all = [];
    for await (const inner of handle.values()) all.push(ofHandle(inner, name));
    return all;
  };
  return { list };
}
