// Follows a growing file, the log of a running match. Polls often while it grows, and seldom
// afterwards.

const OFTEN_MS = 1000;
const SELDOM_MS = 5000;
// Polls often for this long after the last change.
const FRESH_MS = 60_000;

export class Follower {
  #read;
  #onText;
  #at;
  #timer = null;
  #lastNews = performance.now();

  // `read(from)` returns the whole lines of the file from a byte on, { text, from, to }.
  // `onText(text, isWhole)` is called with new text; `isWhole` means that the file was started
  // again. `at` is the byte up to which the text is known.
  constructor(read, onText, at) {
    this.#read = read;
    this.#onText = onText;
    this.#at = at;
    this.#wait();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  #wait() {
    const isFresh = performance.now() - this.#lastNews < FRESH_MS && !document.hidden;
    this.#timer = setTimeout(() => this.#look(), isFresh ? OFTEN_MS : SELDOM_MS);
  }

  async #look() {
    const timer = this.#timer;
    let news = null;
    try {
      news = await this.#read(this.#at);
    } catch {
      // The server or the file may come back.
    }
    // Stopped in the meantime.
    if (this.#timer !== timer) return;
    if (news !== null && news.to !== this.#at) {
      const isWhole = news.from < this.#at;
      this.#at = news.to;
      this.#lastNews = performance.now();
      this.#onText(news.text, isWhole);
    }
    this.#wait();
  }
}

// Reads a file from a byte up to its last whole line; from the start if the file has become
// shorter. `read()` returns the current file.
export async function readMore(read, from) {
  const file = await read();
  const begin = file.size < from ? 0 : from;
  const bytes = new Uint8Array(await file.slice(begin).arrayBuffer());
  const length = bytes.lastIndexOf(10) + 1;
  return { text: new TextDecoder().decode(bytes.subarray(0, length)), from: begin, to: begin + length };
}
