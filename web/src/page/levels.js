// The bot's levels in words: what holds it back, and what it is worth, as docs/strength.md has it.

export const LEVELS = 10;

const NAMES = ["very easy", "easy", "fairly easy", "mild", "medium", "tricky", "hard", "very hard", "expert",
  "full strength"];
// Moves of a hundred that are played at random.
const RANDOM = [31, 25, 19, 13.5, 9, 4.5, 0, 0, 0, 0];
// Simulations a move; after them none but the clock limits it.
const SIMULATIONS = [64, 64, 64, 64, 64, 64, 64, 180, 500];
// Games of a hundred won against the level below. Level 10 was measured with fewer simulations than
// it has here.
const WON = [null, 68, 70.5, 69.5, 72.5, 78, 76, 68, 72.5, null];

export const playerName = (player) => (player === "person" ? "Person" : `Bot, level ${player}`);

// What stands in the lists of players.
export const optionName = (player) => (player === "person" ? "Person" : `Bot ${player}: ${NAMES[player - 1]}`);

// What a player is told of a level, "1" to "10".
export function levelWords(level) {
  const index = level - 1;
  const looks = SIMULATIONS[index] === undefined ? "thinks as long as it may" : `tries ${SIMULATIONS[index]} continuations a move`;
  const slips = RANDOM[index] === 0 ? "" : ` and plays ${RANDOM[index]} of 100 moves at random`;
  const worth = WON[index] === null ? "" : ` It wins ${WON[index]} of 100 games against level ${index}.`;
  return `Level ${level} ${looks}${slips}.${worth}`;
}
