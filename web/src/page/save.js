// Saves the shown game as SGF, SVG or PNG.

import { byId } from "./dom.js";
import * as server from "./server.js";

// Pixels per unit of the drawing, sharp on screens and paper.
const SCALE = 3;
const FORMATS = ["sgf", "svg", "png"];

// Connects the buttons. `question(format)` is the request to the server, `names()` returns the
// players.
export function connect(question, names, showProblem) {
  for (const format of FORMATS) {
    byId(`save-${format}`).addEventListener("click", async () => {
      try {
        download(await file(format, question(format)), `${title(names())}.${format}`);
      } catch (error) {
        showProblem(error.message);
      }
    });
  }
}

// A file name from players and date, without characters that file systems reject.
export function title(names) {
  const players = names.map((name) => name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")).filter(Boolean);
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return [players.join("-vs-") || "hex", date].join("_").slice(0, 100);
}

async function file(format, question) {
  const drawing = format === "png" ? "svg" : format;
  const saved = await server.save(drawing, question);
  return format === "png" ? rasterized(saved) : saved;
}

async function rasterized(drawing) {
  const address = URL.createObjectURL(drawing);
  const image = new Image();
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = document.createElement("canvas");
  canvas.width = image.width * SCALE;
  canvas.height = image.height * SCALE;
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
