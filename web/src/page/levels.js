// The bot's levels in words, and in figures from docs/strength.md.

export const LEVELS = 10;

const NAMES = ["very easy", "easy", "fairly easy", "mild", "medium", "tricky", "hard", "very hard", "expert",
  "full strength"];
const WORDS = [
  "plays any move that looks natural. A first opponent",
  "often takes a worse move that looks natural",
  "takes a worse move every few turns",
  "knows where to play, but overlooks a lot",
  "plays sensibly and slips once or twice a game",
  "slips seldom; you need a plan",
  "does not slip: to win takes practice",
  "looks three times as far as level 7",
  "looks three times as far again",
  "thinks as long as you allow",
];
// How often a move is played beside another that looks five times as good, in percent.
const WORSE = [37, 32, 25, 19, 12, 4, 0, 0, 0, 0];
// Simulations per move; higher levels are limited by time only.
const SIMULATIONS = [64, 64, 64, 64, 64, 64, 64, 180, 500];
// Percentage of games won against the level below. Level 10 was not measured as it plays here.
const WON = [null, 74, 77.5, 71.5, 68, 67.5, 78.5, 68, 72.5, null];

// A level's name on a player's card.
export const levelName = (level) => `Bot ${level}, ${NAMES[level - 1]}`;

// A player's name in a list.
export const optionName = (player) => (player === "person" ? "You" : `Bot ${player}: ${NAMES[player - 1]}`);

// The description of a level for beginners, "1" to "10".
export const levelWords = (level) => `Level ${level} ${WORDS[level - 1]}.`;

// The figures of a level.
export function levelFigures(level) {
  const index = level - 1;
  const looks = SIMULATIONS[index] === undefined ? "thinks as long as it may" : `tries ${SIMULATIONS[index]} continuations a move`;
  const slips = WORSE[index] === 0 ? "" : ` and takes a move that looks five times worse than another in ${WORSE[index]} of 100 cases`;
  const worth = WON[index] === null ? "" : ` It wins ${WON[index]} of 100 games against level ${index}.`;
  return `Level ${level} ${looks}${slips}.${worth}`;
}
