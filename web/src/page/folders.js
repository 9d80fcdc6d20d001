// Files and folders that the user drops or chooses. Each file is { name, folder, read, isLive }:
// `read()` returns it; if `isLive`, with its current content.

export const LOG = ".jsonl";

// The files of an input field, as they were when they were chosen.
export const fromInput = (list) => [...list].map((file) =>
  ({ name: file.name, folder: file.webkitRelativePath?.split("/").at(-2), read: async () => file, isLive: false }));

// The dropped files, with all files in dropped folders. Must be called while the event is handled.
export function fromDrop(items) {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  return filesIn(entries.map((entry) => fromEntry(entry)));
}

// Whether the browser offers folders that can be read repeatedly. If not, dropped files cannot be
// read again either: in Firefox they keep their old size.
export const canPick = () => "showDirectoryPicker" in window;

// Lets the user choose a folder; null if they cancel.
export async function pickFolder() {
  try {
    return await filesIn([fromHandle(await window.showDirectoryPicker())]);
  } catch (error) {
    if (error.name === "AbortError") return null;
    throw error;
  }
}

// All files in these places and their subfolders. A match folder also has thousands of single
// games; only its top-level files are used.
async function filesIn(places) {
  const files = places.filter(({ list }) => list === undefined);
  if (files.some(({ name }) => name.endsWith(LOG))) return files;
  const inner = places.filter(({ list }) => list !== undefined).map(async ({ list }) => filesIn(await list()));
  return [...files, ...(await Promise.all(inner)).flat()];
}

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

function fromEntry(entry, folder) {
  const { name } = entry;
  return entry.isFile ? { name, folder, read: () => fileOf(entry), isLive: canPick() } : { list: () => entriesOf(entry) };
}

async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  // The browser returns a folder's entries in batches; the last batch is empty.
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all.map((entry) => fromEntry(entry, folder.name));
    all.push(...part);
  }
}

function fromHandle(handle, folder) {
  const { name } = handle;
  if (handle.kind === "file") return { name, folder, read: () => handle.getFile(), isLive: true };
  const list = async () => {
    const all = [];
    for await (const inner of handle.values()) all.push(fromHandle(inner, name));
    return all;
  };
  return { list };
}
