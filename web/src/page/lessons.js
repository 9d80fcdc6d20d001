// Lessons on the board. Each is a position in which the user finds a winning move.
// cli/tests/foreign/web_lessons.rs checks with the exact solver that `answers` are all winning
// moves.

import { byId } from "./dom.js";
import { moveName } from "./notation.js";
import { isBeginner } from "./path.js";
import { preferences } from "./prefs.js";

// `task` is what to do ("{sides}" is replaced by where Red's edges are); `right` and `wrong`
// comment on a move.
const LESSONS = [
  {
    name: "Join", game: "5+d1c2c3c4-c5d2d3e2d4a5,", answers: "b5",
    task: "Red and Blue take turns to place a stone. Red joins the two red edges, {sides}, and wins. One stone is missing: play it.",
    right: "Joined! There is no draw in Hex: one of the two always gets through.",
    wrong: "Red's chain does not reach the edge with that, and Blue closes the gap.",
  },
  {
    name: "Block", game: "5+e1a5-a3b3d3e2,", answers: "c3",
    task: "You are Red. Blue needs one stone to join the blue edges. Block, where you also get through yourself.",
    right: "A good block. Whoever blocks the other completely is through: attack and defence are the same.",
    wrong: "Blue joins at c3 and wins.",
  },
  {
    name: "Bridge", game: "5+d1c2-c4d2e2,", answers: "b4",
    task: "Two stones with two empty cells between them are as good as joined. That is a bridge. Make one from c2 towards the other red edge.",
    right: "A bridge: of b3 and c3 Blue can take only one, and you take the other. Bridges go faster than stone by stone.",
    wrong: "Blue gets in the way. A bridge jumps over the line between two cells.",
  },
  {
    name: "Keep a bridge", game: "5+d1c2b4-b3d2e2d3a3a4,", answers: "c3",
    task: "Blue has played b3, into your bridge from c2 to b4. Answer.",
    right: "That is all a bridge needs: whenever Blue enters it, take the other cell.",
    wrong: "Blue takes c3 too and cuts you in two.",
  },
  {
    name: "Edge", game: "5+d1c2c3-c5d3e2b2,", answers: "b4b5",
    task: "The edge works as a bridge does: a stone on the second row is joined to it if both cells below are empty. Get to the edge.",
    right: "You are through. A stone that the other player cannot keep from the edge is called an edge template.",
    wrong: "Blue can still stop that. Look for the stone with two ways to the edge.",
  },
  {
    name: "Swap", game: "5,c3", answers: ":s",
    task: "You are Blue. Who begins has an advantage, so the second player may take over the first stone. Red has begun in the middle: what do you do?",
    right: "Swapped: the strong stone is yours. So begin yourself with a stone that is neither too good nor too bad.",
    wrong: "That stone in the middle wins for Red, wherever you play. Press Swap: it becomes yours.",
  },
];

export class Lessons {
  #session;
  #board;
  #finished;
  // The index of the lesson, null outside of lessons; its position; whether it is solved.
  #at = null;
  #game = null;
  #isDone = false;

  // `finished()` is called when the user leaves the lessons.
  constructor(session, board, finished) {
    [this.#session, this.#board, this.#finished] = [session, board, finished];
    byId("tour-open").classList.toggle("main", isBeginner() && !preferences.get("knowsTour"));
    byId("tour-open").addEventListener("click", () => {
      byId("tour-open").classList.remove("main");
      preferences.set({ knowsTour: true });
      this.begin(0);
    });
    byId("lesson-next").addEventListener("click", () =>
      (this.#at + 1 < LESSONS.length ? this.begin(this.#at + 1) : this.#end()));
    byId("lesson-end").addEventListener("click", () => this.#end());
  }

  get isActive() {
    return this.#at !== null;
  }

  // Whether the lesson waits for a move.
  get isWaiting() {
    return this.isActive && !this.#isDone;
  }

  begin(index) {
    const isFirst = !this.isActive;
    [this.#at, this.#isDone] = [index, false];
    this.#game = this.#session.showLesson(LESSONS[index].game, isFirst);
    const sides = this.#board.sidesOf("red");
    this.#showText(LESSONS[index].task.replace("{sides}", sides));
    window.scrollTo({ top: 0 });
  }

  // Checks a move; returns true if it is right and is to be played.
  attempt(move) {
    const { answers, right, wrong } = LESSONS[this.#at];
    const isRight = answers.match(/:s|[a-z]\d+/g).includes(move);
    this.#isDone = isRight;
    this.#showText(isRight ? right : `Not ${moveName(move)}. ${wrong}`);
    return isRight;
  }

  // Closes the lesson after another game was opened.
  update() {
    if (this.isActive && !this.#session.text().startsWith(this.#game)) this.#close();
  }

  #end() {
    this.#close();
    this.#finished();
  }

  #close() {
    this.#at = null;
    byId("lesson").hidden = true;
  }

  #showText(text) {
    byId("lesson").hidden = false;
    byId("lesson-name").textContent = `${this.#at + 1} of ${LESSONS.length}: ${LESSONS[this.#at].name}.`;
    byId("lesson-text").textContent = text;
    byId("lesson-next").textContent = this.#at + 1 < LESSONS.length ? "Next" : "Play a game";
    byId("lesson-next").classList.toggle("main", this.#isDone);
  }
}
