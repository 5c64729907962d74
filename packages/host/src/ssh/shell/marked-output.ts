/**
 * Finds the part of an output that belongs to the command that runs. A shell prints a secret mark before and behind each command on both outputs;
 * output between two commands, from a program that one of them left behind, belongs to none and is dropped.
 */

/** Receiver of a command's bytes, as they come. */
export interface Sink {
  onBegin(): void;
  onBytes(bytes: Buffer): void;
  /** Receives the shell's own note on the command, such as why it does not run it. */
  onNote(word: string): void;
  onEnd(status: number): void;
}

/** Bytes behind a mark: a status, or a word of the shell. Without a limit a host could have Drover hold what it sends for ever. */
const WORD_BYTES_MAX = 200;

/** Takes the marks out of one output of one shell. */
export class MarkedOutput {
  readonly #mark: Buffer;
  readonly #sink: Sink;
  #held: Buffer = Buffer.alloc(0);
  #isInside = false;

  /** @param mark Printed as `MARK<` and a line feed before a command, `MARK>STATUS` behind it, `MARK!NOTE` between. */
  constructor(mark: string, sink: Sink) {
    this.#mark = Buffer.from(mark);
    this.#sink = sink;
  }

  feed(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#step());
  }

  /** @returns whether there may be more to take from what is held. */
  #step(): boolean {
    const at = this.#held.indexOf(this.#mark);
    if (at < 0) {
      this.#release(this.#held.length - this.#beginningOfMark());
      return false;
    }
    this.#release(at);
    const end = this.#held.indexOf(0x0a);
    if (end < 0) {
      if (this.#held.length <= this.#mark.length + WORD_BYTES_MAX) return false;
      // Our shells never print such a mark: it counts as output, which has a limit.
      this.#release(this.#mark.length);
      return true;
    }
    const word = this.#held.subarray(this.#mark.length, end).toString('latin1');
    this.#held = this.#held.subarray(end + 1);
    if (word === '<') {
      this.#isInside = true;
      this.#sink.onBegin();
    } else if (word.startsWith('>')) {
      this.#isInside = false;
      this.#sink.onEnd(Number(word.slice(1)));
    } else {
      this.#sink.onNote(word.slice(1));
    }
    return true;
  }

  #release(length: number): void {
    if (length === 0) return;
    if (this.#isInside) this.#sink.onBytes(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(length);
  }

  /** Counts the bytes at the end of the held output that may be the beginning of a mark. */
  #beginningOfMark(): number {
    const longest = Math.min(this.#held.length, this.#mark.length - 1);
    for (let length = longest; length > 0; length -= 1) {
      const tail = this.#held.subarray(this.#held.length - length);
      if (tail.equals(this.#mark.subarray(0, length))) return length;
    }
    return 0;
  }
}
