// Saves the game that is shown: as SGF, as a drawing, as a picture.

import * as server from "./server.js";

// Pixels of a picture for each unit of the drawing: sharp on screens and paper.
const SCALE = 3;
const FORMATS = ["sgf", "svg", "png"];

// Connects the buttons; `question()` is what the server is to save, `tell` hears what went wrong.
export function connect(question, tell) {
  for (const format of FORMATS) {
    document.getElementById(`save-${format}`).addEventListener("click", async () => {
      try {
        download(await file(format, question()), `hex.${format}`);
      } catch (error) {
        tell(error.message);
      }
    });
  }
}

async function file(format, question) {
  if (format !== "png") return server.save(format, question);
  return rasterized(await server.save("svg", question));
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
