/** A player. Red joins top and bottom and moves first; Blue joins left and right. */
export type Color = "red" | "blue";

/** A cell, such as `"a1"`: the letter is the column, the number the row; `a1` is at the top left. */
export type Cell = string;

/** A move: a cell, `"swap"` (Blue's first move: the stone changes colour and is mirrored), `"pass"`. */
export type Move = Cell | "swap" | "pass";

/** A game that is not over. */
export interface Position {
  /** Rows and columns, 3 to 19. */
  side: number;
  /** The moves from the empty board on, Red's first: a list, or a text with blanks between. */
  moves?: readonly Move[] | string;
  /** Whether Blue may swap after the first move; true if left out. */
  swap?: boolean;
}

/** How long a search may take: 1000 ms if nothing is given. Not both. */
export interface Limit {
  /** Milliseconds, 10 to 60,000. */
  ms?: number;
  /** Simulations, 1 to 1,000,000,000. */
  simulations?: number;
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal;
}

/** A move that was searched. */
export interface Candidate {
  move: Cell;
  /** Simulations that went through it. */
  visits: number;
  /** The network's probability of this move before any search, 0 to 1; null if proven to lose. */
  prior: number | null;
  /** The win probability of the player to move after it, 0 to 1; null without visits. */
  value: number | null;
  /** The expected line, starting with this move; empty if too little is known. */
  line: Cell[];
}

/** The result of a search so far. */
export interface Analysis {
  toMove: Color;
  /** Of the player to move, 0 to 1. */
  winProbability: number;
  /** Who wins for certain, if that is proven. */
  proof: Color | null;
  simulations: number;
  /** The search time in milliseconds. */
  ms: number;
  /** The expected line, starting with the best move. */
  line: Cell[];
  /** The best first, then in the order of visits, most first. */
  candidates: Candidate[];
}

/** The result of the exact solver. */
export interface Solution {
  /** Who wins with perfect play, if that is known. */
  winner: Color | null;
  /** The moves of the player to move that win for certain. */
  winning: Cell[];
  /** Those that lose for certain. */
  losing: Cell[];
}

/** An invalid call: an illegal move, a game that is over. */
export class HexError extends Error {}

/**
 * An engine with its own workers, so the page or program is not blocked. Calls to one engine run one
 * after the other; several engines run in parallel. Searches use up to 75 MB of memory, and `solve`
 * as much again.
 */
export class HexEngine {
  /** Loads an engine from the package's own files. */
  static load(): Promise<HexEngine>;
  private constructor();
  /**
   * Analyses a position: yields improving analyses, about ten per second, the last one after the
   * whole search. Leaving the loop ends the search.
   */
  analyze(position: Position, limit?: Limit): AsyncGenerator<Analysis, void, undefined>;
  /**
   * The move to play; `"swap"` if that is better. `level` is 1 to 10, 10 if left out; levels below
   * have at most 500 simulations, and the lowest make mistakes.
   */
  bestMove(position: Position, options?: Limit & { level?: number }): Promise<Cell | "swap">;
  /**
   * Who wins with perfect play. It tries positions of at most 100 empty cells for at most
   * some seconds, but neither the empty board nor positions where Blue may swap. An unknown result is null, or in neither list.
   */
  solve(position: Position, options?: { signal?: AbortSignal }): Promise<Solution>;
  /** Ends the workers. Pending calls fail. */
  close(): void;
}
