// A first game's tour: three steps, each with a picture.

import { draw } from "./board.js";
import { Layout, FLAT, colOf, rowOf } from "./geometry.js";
import { preferences } from "./prefs.js";

const byId = (id) => document.getElementById(id);
const STONE = 14;

// `red` and `blue` are stones, `marked` cells that the words are about.
const STEPS = [
  {
    title: "The aim",
    text: "Red and Blue take turns to place one stone on an empty cell. Stones never move and are never taken. Red wins " +
      "with a chain from the red edge above to the red edge below, Blue with one from the left to the right. There is " +
      "no draw: one of the two always gets through.",
    red: ["d1", "c2", "c3", "b4", "b5"], blue: ["b2", "a4", "d3", "e2"], marked: [],
  },
  {
    title: "The swap",
    text: "Who begins has an advantage. So the second player may, instead of the first stone of their own, take over the " +
      "first stone: it becomes theirs, mirrored to their direction. Begin where the stone is neither too good nor too " +
      "bad, for example at the marked cell, and the game is fair.",
    red: ["a3"], blue: [], marked: ["a3"],
  },
  {
    title: "Bridges",
    text: "Two stones with two empty cells between them are as good as joined: if the other takes one of the marked " +
      "cells, take the other one. Such a bridge goes faster than stone by stone. Look for bridges, and for moves that " +
      "do two things at once.",
    red: ["c2", "b4"], blue: ["d3"], marked: ["b3", "c3"],
  },
];
const SIDE = 5;

// Connects the dialog; `isNewGame` says that nothing was played yet: then the button to it stands
// out for those who have not seen it.
export function connect(isNewGame) {
  let step = 0;
  const go = (to) => {
    step = to;
    const { title, text } = STEPS[step];
    byId("tour-title").textContent = title;
    byId("tour-text").textContent = text;
    byId("tour-place").textContent = `${step + 1} of ${STEPS.length}`;
    byId("tour-back").disabled = step === 0;
    byId("tour-next").textContent = step === STEPS.length - 1 ? "Play" : "Next";
    picture(STEPS[step]);
  };
  const open = () => {
    go(0);
    byId("tour").showModal();
  };
  byId("tour-open").addEventListener("click", open);
  byId("tour-back").addEventListener("click", () => go(step - 1));
  byId("tour-next").addEventListener("click", () => (step < STEPS.length - 1 ? go(step + 1) : byId("tour").close()));
  byId("tour").addEventListener("close", () => {
    byId("tour-open").classList.remove("main");
    preferences.set({ knowsTour: true });
  });
  byId("tour-open").classList.toggle("main", isNewGame && !preferences.get("knowsTour"));
}

function picture({ title, red, blue, marked }) {
  const layout = new Layout(SIDE, { rotation: FLAT, mirrored: false }, false);
  const { x, y, width, height } = layout.box;
  const place = byId("tour-picture");
  place.replaceChildren();
  const svg = draw(place, "svg", { class: "board", viewBox: `${x} ${y} ${width} ${height}`, role: "img", "aria-label": `Picture: ${title}` });
  const points = (list) => list.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(" ");
  for (const edge of layout.edges()) draw(svg, "polyline", { class: `edge ${edge.color}`, points: points(edge.points) });
  for (let index = 0; index < SIDE * SIDE; index++) {
    draw(svg, "polygon", { class: "cell", points: points(layout.corners(index % SIDE, Math.floor(index / SIDE))) });
  }
  const layer = draw(svg, "g", { class: "layer" });
  const at = (cell) => layout.center(colOf(cell), rowOf(cell));
  for (const [color, cells] of [["red", red], ["blue", blue]]) {
    for (const cell of cells) draw(layer, "circle", { class: color, cx: at(cell).x, cy: at(cell).y, r: STONE });
  }
  const marks = draw(svg, "g", { class: "layer hint" });
  for (const cell of marked) draw(marks, "circle", { cx: at(cell).x, cy: at(cell).y, r: STONE + 2 });
}
