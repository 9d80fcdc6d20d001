// hexbot as an analyzer of PlayHex's Hexplorer: an object of this class has the methods of its
// AnalyzerInterface. There Black is our Red, and joins top and bottom.

import { HexEngine, type Move } from "hexbot";

interface Stones {
  size: number;
  color: "black" | "white";
  black: string[];
  white: string[];
}

// The stones as a game: the colours take turns, and who has no stone left passes.
function movesOf({ color, black, white }: Stones): Move[] {
  const moves: Move[] = [];
  for (let index = 0; index < Math.max(black.length, white.length); index++) {
    moves.push(black[index] ?? "pass", white[index] ?? "pass");
  }
  return color === "black" ? moves : [...moves, "pass"];
}

export class HexbotAnalyzer {
  #engine = HexEngine.load();
  #simulations: number;

  constructor(simulations = 1000) {
    this.#simulations = simulations;
  }

  getName(): string {
    return `hexbot, ${this.#simulations} simulations`;
  }

  async analyzePosition(input: Stones) {
    const engine = await this.#engine;
    const position = { side: input.size, moves: movesOf(input), swap: false };
    let last;
    for await (const analysis of engine.analyze(position, { simulations: this.#simulations })) last = analysis;
    if (last === undefined) return {};
    const policy = Array.from({ length: input.size }, () => new Array<number>(input.size).fill(0));
    for (const { move, prior } of last.candidates) {
      policy[Number(move.slice(1)) - 1]![move.charCodeAt(0) - 97] = prior ?? 0;
    }
    const whiteWin = input.color === "white" ? last.winProbability : 1 - last.winProbability;
    return { whiteWin, policy, recommendedMove: (last.line[0] ?? null) as `${Lowercase<string>}${number}` | null };
  }
}
