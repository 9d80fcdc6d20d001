// Announces a move to people who look elsewhere: a sound, and the tab's title.

import { colorName } from "./notation.js";
import { preferences } from "./prefs.js";

const NAME = document.title;
// The sound of a stone on wood: short, with falling pitch, in Hz and seconds.
const PITCH = { red: 520, blue: 400 };
const LENGTH = 0.09;
const LOUDNESS = 0.25;

let context = null;
let lastGame = null;

// Plays a sound if a move was made, and shows whose turn it is.
export function announce(session, view, isBotsTurn) {
  const now = session.text();
  const isNext = lastGame !== null && now.startsWith(lastGame) && now.length > lastGame.length;
  if (isNext && session.isAtEnd && preferences.get("sound")) play(view.toMove === "red" ? PITCH.blue : PITCH.red);
  lastGame = now;
  document.title = preferences.get("turn") ? title(session, view, isBotsTurn) : NAME;
}

function title(session, view, isBotsTurn) {
  if (view.outcome !== null) return `${colorName(view.outcome.winner)} has won – ${NAME}`;
  if (isBotsTurn) return `… ${NAME}`;
  if (!session.isAtEnd || session.moves.length === 0) return NAME;
  const isAgainstBot = Object.values(session.players).some((player) => player !== "person");
  return `● ${isAgainstBot ? "Your turn" : `${colorName(view.toMove)} to move`} – ${NAME}`;
}

function play(pitch) {
  // Browsers allow sound after the first click or key.
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  tone.frequency.setValueAtTime(pitch, now);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + LENGTH);
  volume.gain.setValueAtTime(LOUDNESS, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + LENGTH);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + LENGTH);
}
