// Follows a file that grows: the log of a match that runs. It asks again and again what has come,
// often while something comes, seldom after.

const OFTEN_MS = 1000;
const SELDOM_MS = 5000;
// For so long after the last news it asks often.
const FRESH_MS = 60_000;

export class Follower {
  #read;
  #onText;
  #at;
  #timer = null;
  #lastNews = performance.now();

  // `read(from)` gets what stands in the file from that byte on, { text, from, to }: whole lines.
  // `onText(text, isWhole)` hears it if there is any; `isWhole` says that the file has been begun
  // anew. `at` is the byte up to which it is known.
  constructor(read, onText, at) {
    this.#read = read;
    this.#onText = onText;
    this.#at = at;
    this.#wait();
  }

  // Follows no more.
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
      // The server or the file is away; it may come back.
    }
    // Somebody may have opened something else meanwhile.
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

// Reads a file from a byte on, up to its last whole line; from its beginning if it has become
// shorter. `read` gets the file as it is now.
export async function readMore(read, from) {
  const file = await read();
  const begin = file.size < from ? 0 : from;
  const bytes = new Uint8Array(await file.slice(begin).arrayBuffer());
  const length = bytes.lastIndexOf(10) + 1;
  return { text: new TextDecoder().decode(bytes.subarray(0, length)), from: begin, to: begin + length };
}
