// Decides what the server is to think about: a bot's move, the analysis of what is shown, or one
// position of the game after the other to find mistakes. There is one order at a time.

import * as server from "./server.js";
import { withSwap } from "./judgement.js";
import { LEVELS } from "./levels.js";
import { other } from "./notation.js";
import { ponders } from "./power.js";

const ANALYSIS_MS = 30_000;
// How long a hint is thought about.
const HINT_MS = 1000;
// The least time that a bot seems to think, so that its moves can be followed.
const LEAST_MS = 500;
const REVIEW_MS = 400;
const JUDGE_MS = 800;
// The longest that a bot thinks while a person does: what the server allows.
const PONDER_MS = 60_000;
// What is said of a move that could not be judged, because something else was asked for.
const INTERRUPTED = "The move was not looked at to the end. Try it again.";
// A thought of at least so long need not be repeated for a review.
const ENOUGH_MS = 300;

export class Director {
  #session;
  #thinking;
  #events;
  // The order being carried out or just finished, as text; so that none is given twice.
  #order = null;
  // Hears that the order is given up before its end; null where nobody waits for that.
  #onDropped = null;
  // The game being reviewed, and the numbers of moves after which it is still to be looked at.
  #review = null;
  // The game that was reviewed last.
  #reviewed = null;

  // `events` has the methods thought(game, thought), proof(game, proof), review(done, of) or
  // review(null), and problem(text).
  constructor(session, thinking, events) {
    this.#session = session;
    this.#thinking = thinking;
    this.#events = events;
  }

  // Does a bot have to move in this position, of which the rules say `view`?
  botIsToMove(view) {
    const { players, isAtEnd, isHeld } = this.#session;
    return view.outcome === null && isAtEnd && !isHeld && players[view.toMove] !== "person";
  }

  // What to think about now that something has changed.
  decide(view) {
    if (this.#review !== null) {
      if (this.#review.game === this.#wholeGame()) return;
      this.endReview();
    }
    if (this.botIsToMove(view)) this.#askForMove(this.#session.players[view.toMove]);
    else if (this.#session.show.analysis && view.outcome === null) this.#analyse();
    else this.#rest(view);
    if (this.#session.show.analysis && view.outcome === null) this.#prove();
    const hasJustEnded = view.outcome !== null && this.#session.isAtEnd && this.#reviewed !== this.#wholeGame();
    if (hasJustEnded && this.#session.show.analysis) this.beginReview();
  }

  // Somebody wants the bot to think while they do, or no more.
  preferred(view) {
    if (this.#order === null || JSON.parse(this.#order).do === "ponder") this.#rest(view);
  }

  // Nobody wants anything: a bot may think about what the person does.
  #rest(view) {
    const { players, isAtEnd, isHeld } = this.#session;
    const isWaiting = view.outcome === null && isAtEnd && !isHeld && players[view.toMove] === "person";
    if (!isWaiting || !ponders(players[other(view.toMove)])) this.#stop();
    else this.#begin({ do: "ponder", game: this.#session.text(), level: LEVELS, ms: PONDER_MS }, () => {});
  }

  // Lets the bot move for whoever is to move.
  moveOnce(view) {
    this.endReview();
    // The order of a hint may say the same, but plays nothing.
    this.#order = null;
    const player = this.#session.players[view.toMove];
    this.#askForMove(player === "person" ? String(LEVELS) : player);
  }

  // Tells `show` which move the bot would play for whoever is to move, at full strength.
  hint(view, show) {
    this.endReview();
    const order = { do: "move", game: this.#session.text(), level: LEVELS, ms: HINT_MS };
    this.#begin(order, (answer) => {
      if (this.#session.text() !== order.game) return;
      show(answer);
      // The analysis goes on where it was.
      this.#order = null;
      this.decide(view);
    });
  }

  // Looks at every position of the game of which too little is known.
  async beginReview() {
    const game = this.#wholeGame();
    this.#session.tellAll(true);
    this.#review = { game, plies: [], count: 0 };
    this.#reviewed = game;
    const { moves } = this.#session;
    try {
      const { outcome } = await server.look(game);
      if (outcome !== null) this.#session.learnOutcome(game, outcome);
    } catch (error) {
      this.#fail(error.message);
    }
    if (this.#review?.game !== game) return;
    const isOpen = (ply) => {
      const thought = this.#session.thoughtOf(ply);
      return thought === undefined || !(thought.proven || thought.time >= ENOUGH_MS);
    };
    const plies = [...moves, ""].map((_, ply) => ply).filter(isOpen);
    this.#review = { game, plies, count: plies.length };
    this.#lookAtNext();
  }

  endReview() {
    if (this.#review === null) return;
    this.#review = null;
    this.#stop();
    this.#events.review(null);
  }

  get isReviewing() {
    return this.#review !== null;
  }

  #wholeGame() {
    return this.#session.text(this.#session.moves.length);
  }

  #stop() {
    this.#drop();
    this.#order = null;
    this.#thinking.stop();
  }

  #askForMove(level) {
    const order = { do: "move", game: this.#session.text(), level: Number(level),
      ms: Math.round(1000 * this.#session.seconds) };
    const began = performance.now();
    this.#begin(order, async (answer) => {
      const asked = this.#order;
      await new Promise((resolve) => setTimeout(resolve, LEAST_MS - (performance.now() - began)));
      // Ours only if nobody has gone elsewhere or stopped it meanwhile.
      if (this.#session.text() === order.game && this.#order === asked) this.#session.play(answer);
    });
  }

  #analyse() {
    const ms = this.#session.show.endless ? undefined : ANALYSIS_MS;
    this.#begin({ do: "analyse", game: this.#session.text(), ms }, () => {});
  }

  // Looks at a game for a moment: a promise of Red's value there, as judgement.js means it. It fails
  // if anything else is to be thought about before that is over.
  async judge(game) {
    this.endReview();
    const before = this.#order;
    const { outcome, maySwap } = await server.look(game);
    if (outcome !== null) return outcome.winner === "red" ? 1 : 0;
    if (this.#order !== before) throw new Error(INTERRUPTED);
    this.#order = null;
    const order = { do: "analyse", game, ms: JUDGE_MS };
    return new Promise((resolve, reject) => {
      const dropped = () => reject(new Error(INTERRUPTED));
      this.#begin(order, () => resolve(withSwap(this.#session.known(game).redWins, maySwap)), dropped);
    });
  }

  #prove() {
    const game = this.#session.text();
    this.#thinking.prove(game, (proof) => {
      if (proof.winner !== null) this.#session.learnOutcome(game, proof);
      this.#events.proof(game, proof);
    });
  }

  #lookAtNext() {
    const { plies, count } = this.#review;
    this.#events.review(count - plies.length, count);
    if (plies.length === 0) {
      this.#review = null;
      this.#events.review(null);
      return;
    }
    const order = { do: "analyse", game: this.#session.text(plies.shift()), ms: REVIEW_MS };
    this.#begin(order, () => this.#lookAtNext());
  }

  // `done` gets the answer; `dropped` hears it if the order ends without one.
  #begin(order, done, dropped = null) {
    const text = JSON.stringify(order);
    if (text === this.#order) return;
    this.#drop();
    this.#order = text;
    this.#onDropped = dropped;
    const tell = (thought) => {
      this.#session.learn(order.game, thought);
      this.#events.thought(order.game, thought);
    };
    this.#thinking.begin(order, {
      thought: tell,
      done: (answer, thought) => {
        this.#onDropped = null;
        if (thought !== null) tell(thought);
        done(answer);
      },
      problem: (error) => {
        this.#drop();
        this.#fail(error);
      },
    });
  }

  // The order is given up.
  #drop() {
    const dropped = this.#onDropped;
    this.#onDropped = null;
    dropped?.();
  }

  #fail(error) {
    if (this.#review !== null) {
      this.#review = null;
      this.#events.review(null);
    }
    this.#events.problem(error);
  }
}
