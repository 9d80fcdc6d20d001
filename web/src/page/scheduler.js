// Decides what the engine searches: a bot's move, the analysis of the shown position, or one
// position of a review after the other. There is one search at a time.

import * as server from "./server.js";
import { withSwap } from "./judgement.js";
import { LEVELS } from "./levels.js";
import { other } from "./notation.js";
import { shouldPonder } from "./threads.js";

const ANALYSIS_MS = 30_000;
// The search time of a hint.
const HINT_MS = 1000;
// The least time for a bot's move, so that people can follow the game.
const LEAST_MS = 500;
const REVIEW_MS = 400;
const EVALUATE_MS = 800;
// The longest time to ponder, which the server limits.
const PONDER_MS = 60_000;
// The answer for a puzzle's move if another search has interrupted its analysis.
const INTERRUPTED = "The analysis of this move was interrupted. Try again.";
// A review reuses evaluations of at least this search time.
const ENOUGH_MS = 300;

export class Scheduler {
  #session;
  #connection;
  #events;
  // The current or last order, as text; the same order is not started twice.
  #order = null;
  // Called if the order is cancelled; null if nobody waits for that.
  #onCancel = null;
  // The game under review, and the plies that are left.
  #review = null;
  // The game that was reviewed last.
  #reviewed = null;

  // `events` has the methods analysis(game, analysis), proof(game, proof), review(done, of) or
  // review(null), and problem(text).
  constructor(session, connection, events) {
    this.#session = session;
    this.#connection = connection;
    this.#events = events;
  }

  // Whether a bot is to move in the position `view`.
  isBotsTurn(view) {
    return this.#isRunning(view) && this.#session.players[view.toMove] !== "person";
  }

  // Whether the player to move can move now.
  #isRunning(view) {
    const { isAtEnd, isOnHold } = this.#session;
    return view.outcome === null && isAtEnd && !isOnHold;
  }

  // Starts the search that the current state needs.
  decide(view) {
    if (this.#review !== null) {
      if (this.#review.game === this.#session.wholeText) return;
      this.stopReview();
    }
    if (this.isBotsTurn(view)) this.#searchMove(this.#session.players[view.toMove]);
    else if (this.#session.show.analysis && view.outcome === null) this.#analyse();
    else this.#ponderOrStop(view);
    if (this.#session.show.analysis && view.outcome === null) this.#prove();
    const hasJustEnded = view.outcome !== null && this.#session.isAtEnd && this.#reviewed !== this.#session.wholeText;
    if (hasJustEnded && this.#session.show.analysis) this.startReview();
  }

  // Starts or stops pondering after a change of the preferences.
  preferencesChanged(view) {
    if (this.#order === null || JSON.parse(this.#order).do === "ponder") this.#ponderOrStop(view);
  }

  // Without another search, a bot may ponder during the person's turn.
  #ponderOrStop(view) {
    const { players } = this.#session;
    const isWaiting = this.#isRunning(view) && players[view.toMove] === "person";
    if (!isWaiting || !shouldPonder(players[other(view.toMove)])) this.#stop();
    else this.#begin({ do: "ponder", game: this.#session.text(), level: LEVELS, ms: PONDER_MS }, () => {});
  }

  // Lets the bot move for the player to move.
  playBotMove(view) {
    this.stopReview();
    // A hint may have the same order, but plays no move.
    this.#order = null;
    const player = this.#session.players[view.toMove];
    this.#searchMove(player === "person" ? String(LEVELS) : player);
  }

  // Calls `show` with the bot's move at full strength.
  hint(view, show) {
    this.stopReview();
    const order = { do: "move", game: this.#session.text(), level: LEVELS, ms: HINT_MS };
    this.#begin(order, (answer) => {
      if (this.#session.text() !== order.game) return;
      show(answer);
      // The analysis continues.
      this.#order = null;
      this.decide(view);
    });
  }

  // Searches all positions of the game without a sufficient evaluation.
  async startReview() {
    const game = this.#session.wholeText;
    this.#session.revealEvaluations(true);
    this.#review = { game, plies: [], count: 0 };
    this.#reviewed = game;
    const { moves } = this.#session;
    try {
      const { outcome } = await server.look(game);
      if (outcome !== null) this.#session.storeOutcome(game, outcome);
    } catch (error) {
      this.#fail(error.message);
    }
    if (this.#review?.game !== game) return;
    const isOpen = (ply) => {
      const evaluation = this.#session.evaluationAt(ply);
      return evaluation === undefined || !(evaluation.proven || evaluation.time >= ENOUGH_MS);
    };
    const plies = [...moves, ""].map((_, ply) => ply).filter(isOpen);
    this.#review = { game, plies, count: plies.length };
    this.#reviewNext();
  }

  stopReview() {
    if (this.#review === null) return;
    this.#review = null;
    this.#stop();
    this.#events.review(null);
  }

  get isReviewing() {
    return this.#review !== null;
  }

  #stop() {
    this.#cancel();
    this.#order = null;
    this.#connection.stop();
  }

  #searchMove(level) {
    const order = { do: "move", game: this.#session.text(), level: Number(level),
      ms: Math.round(1000 * this.#session.seconds) };
    const start = performance.now();
    this.#begin(order, async (answer) => {
      const current = this.#order;
      await new Promise((resolve) => setTimeout(resolve, LEAST_MS - (performance.now() - start)));
      // The user may have gone elsewhere or stopped the search meanwhile.
      if (this.#session.text() === order.game && this.#order === current) this.#session.play(answer);
    });
  }

  #analyse() {
    const ms = this.#session.show.endless ? undefined : ANALYSIS_MS;
    this.#begin({ do: "analyse", game: this.#session.text(), ms }, () => {});
  }

  // Evaluates a game briefly: a promise of Red's value, as in judgement.js. Fails if another search
  // begins first.
  async evaluate(game) {
    this.stopReview();
    const before = this.#order;
    const { outcome, maySwap } = await server.look(game);
    if (outcome !== null) return outcome.winner === "red" ? 1 : 0;
    if (this.#order !== before) throw new Error(INTERRUPTED);
    this.#order = null;
    const order = { do: "analyse", game, ms: EVALUATE_MS };
    return new Promise((resolve, reject) => {
      const onCancel = () => reject(new Error(INTERRUPTED));
      this.#begin(order, () => resolve(withSwap(this.#session.evaluationOf(game).redWins, maySwap)), onCancel);
    });
  }

  #prove() {
    const game = this.#session.text();
    this.#connection.prove(game, (proof) => {
      if (proof.winner !== null) this.#session.storeOutcome(game, proof);
      this.#events.proof(game, proof);
    });
  }

  #reviewNext() {
    const { plies, count } = this.#review;
    this.#events.review(count - plies.length, count);
    if (plies.length === 0) {
      this.#review = null;
      this.#events.review(null);
      return;
    }
    const order = { do: "analyse", game: this.#session.text(plies.shift()), ms: REVIEW_MS };
    this.#begin(order, () => this.#reviewNext());
  }

  // `done(answer)` is called at the end; `onCancel()` if the order ends without an answer.
  #begin(order, done, onCancel = null) {
    const text = JSON.stringify(order);
    if (text === this.#order) return;
    this.#cancel();
    this.#order = text;
    this.#onCancel = onCancel;
    const report = (analysis) => {
      this.#session.storeEvaluation(order.game, analysis);
      this.#events.analysis(order.game, analysis);
    };
    this.#connection.begin(order, {
      progress: report,
      done: (answer, analysis) => {
        this.#onCancel = null;
        if (analysis !== null) report(analysis);
        done(answer);
      },
      problem: (error) => {
        this.#cancel();
        this.#fail(error);
      },
    });
  }

  #cancel() {
    const onCancel = this.#onCancel;
    this.#onCancel = null;
    onCancel?.();
  }

  #fail(error) {
    if (this.#review !== null) {
      this.#review = null;
      this.#events.review(null);
    }
    this.#events.problem(error);
  }
}
