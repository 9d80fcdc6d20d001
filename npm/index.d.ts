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

/** A move that was looked at. */
export interface Candidate {
  move: Cell;
  /** Simulations that went through it. */
  visits: number;
  /** How likely it looked before any search, 0 to 1; null if it is proven to lose. */
  prior: number | null;
  /** The win probability of the player to move after it, 0 to 1; null without visits. */
  value: number | null;
  /** The moves expected from it on, itself first; empty if too little is known. */
  line: Cell[];
}

/** What a search has found out so far. */
export interface Analysis {
  toMove: Color;
  /** That of the player to move, 0 to 1. */
  winProbability: number;
  /** Who wins for certain, if that is proven. */
  proof: Color | null;
  simulations: number;
  /** How long it took, in milliseconds. */
  ms: number;
  /** The moves expected, the best first. */
  line: Cell[];
  /** The best first, then in the order of visits, most first. */
  candidates: Candidate[];
}

/** What the exact solver has found out. */
export interface Solution {
  /** Who wins with perfect play, if that is known. */
  winner: Color | null;
  /** The moves of the player to move that win for certain. */
  winning: Cell[];
  /** Those that lose for certain. */
  losing: Cell[];
}

/** A call that cannot be carried out: a move that is not legal, a game that is over. */
export class HexError extends Error {}

/**
 * An engine with workers of its own, so that the page or program goes on meanwhile. Calls to one
 * engine are carried out one after the other; several engines work side by side. It takes up to
 * 75 MB of memory for searches, and as much for `solve`.
 */
export class HexEngine {
  /** Loads an engine from the package's own files. */
  static load(): Promise<HexEngine>;
  private constructor();
  /**
   * Analyses a position: yields better and better analyses, about ten a second, at last that of the
   * whole search. Leaving the loop ends the search.
   */
  analyze(position: Position, limit?: Limit): AsyncGenerator<Analysis, void, undefined>;
  /**
   * The move to play; `"swap"` if that is better. `level` is 1 to 10, 10 if left out; levels below
   * have at most 500 simulations, and the lowest make mistakes.
   */
  bestMove(position: Position, options?: Limit & { level?: number }): Promise<Cell | "swap">;
  /**
   * Who wins with perfect play. It tries positions of at most 100 empty cells, for some seconds at
   * most, but no empty board and none where Blue may swap; what is not found out is null, or in neither list.
   */
  solve(position: Position, options?: { signal?: AbortSignal }): Promise<Solution>;
  /** Ends the workers. Calls that wait fail. */
  close(): void;
}
