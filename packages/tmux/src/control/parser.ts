/**
 * Parses the bytes of a control client.
 *
 * P1 A block ends only at a line that repeats the time, number and flags of its beginning.
 * P2 The result does not depend on where the stream was cut into chunks.
 * P3 A line within a block belongs to its body, unless `isNews` recognizes a notification that tmux put there.
 */
import { TmuxError } from '../errors.ts';

/** Output of tmux. `mine` is true for answers to commands that this client sent. */
export type ControlEvent =
  | { readonly kind: 'reply'; readonly mine: boolean; readonly ok: boolean; readonly body: Buffer }
  | { readonly kind: 'notification'; readonly line: string }
  | { readonly kind: 'exit' };

/** Bytes of one reply: 64 MiB, far above any capture; more means a corrupt stream. */
const REPLY_BYTES_MAX = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;
const PERCENT = 0x25;
const NEXT_MARK = Buffer.from('\n%');

interface Block {
  readonly guard: string;
  /** Pieces of the body as they came, the last line's end included. */
  readonly body: Buffer[];
  size: number;
}

/** Turns chunks of bytes into events. Within a block only lines that start with `%` are checked one by one. */
export class ControlParser {
  readonly #isNews: (line: string) => boolean;
  /** Beginning of a line whose end has not come. */
  #rest: Buffer[] = [];
  #restSize = 0;
  /** True while the next bytes continue a line of a body. */
  #isMidLine = false;
  #block: Block | undefined;

  /** @param isNews Tells whether a line that starts with `%` inside a block is a notification. */
  constructor(isNews: (line: string) => boolean = () => false) {
    this.#isNews = isNews;
  }

  /** @throws TmuxError `connection-lost` when a reply outgrows its limit. */
  feed(chunk: Uint8Array): readonly ControlEvent[] {
    const events: ControlEvent[] = [];
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (bytes.length > 0) {
      const isPlain = this.#block !== undefined && this.#rest.length === 0;
      if (isPlain && (this.#isMidLine || bytes[0] !== PERCENT)) {
        bytes = bytes.subarray(this.#takeBody(bytes));
        continue;
      }
      const end = bytes.indexOf(LINE_FEED);
      this.#keep(end < 0 ? bytes : bytes.subarray(0, end));
      if (end < 0) return events;
      const event = this.#line(this.#takeRest());
      if (event !== undefined) events.push(event);
      bytes = bytes.subarray(end + 1);
    }
    return events;
  }

  /** Takes bytes of a body up to the next line that starts with `%`. @returns how many. */
  #takeBody(bytes: Buffer): number {
    const mark = bytes.indexOf(NEXT_MARK);
    const size = mark < 0 ? bytes.length : mark + 1;
    this.#isMidLine = bytes[size - 1] !== LINE_FEED;
    this.#append(bytes.subarray(0, size));
    return size;
  }

  #keep(part: Buffer): void {
    this.#rest.push(part);
    this.#restSize += part.length;
    limit(this.#restSize);
  }

  #takeRest(): Buffer {
    const [only] = this.#rest;
    const line = this.#rest.length === 1 && only !== undefined ? only : Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restSize = 0;
    return line;
  }

  #line(bytes: Buffer): ControlEvent | undefined {
    const line = bytes.toString();
    return this.#block === undefined ? this.#outside(line) : this.#inside(this.#block, bytes, line);
  }

  #outside(line: string): ControlEvent | undefined {
    const begin = /^%begin (\d+ \d+ \d+)$/.exec(line);
    if (begin !== null) {
      this.#block = { guard: begin[1] ?? '', body: [], size: 0 };
      return undefined;
    }
    if (line === '%exit' || line.startsWith('%exit ')) return { kind: 'exit' };
    // The rest of a reply that a painted end cut short is no news.
    return line.startsWith('%') ? { kind: 'notification', line } : undefined;
  }

  #inside({ guard, body }: Block, bytes: Buffer, line: string): ControlEvent | undefined {
    if (line === `%end ${guard}` || line === `%error ${guard}`) {
      this.#block = undefined;
      const mine = (Number(guard.split(' ')[2]) & 1) === 1;
      return { kind: 'reply', mine, ok: line.startsWith('%end'), body: joined(body) };
    }
    if (this.#isNews(line)) return { kind: 'notification', line };
    this.#append(bytes);
    this.#append(NEXT_MARK.subarray(0, 1));
    return undefined;
  }

  #append(part: Buffer): void {
    if (this.#block === undefined) return;
    this.#block.body.push(part);
    this.#block.size += part.length;
    limit(this.#block.size);
  }
}

function limit(size: number): void {
  if (size <= REPLY_BYTES_MAX) return;
  throw new TmuxError('connection-lost', `A reply of tmux exceeded ${REPLY_BYTES_MAX} bytes`);
}

/** Joins the body without the end of its last line. Most bodies come in one piece, which is not copied. */
function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  const all = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  return all.subarray(0, Math.max(0, all.length - 1));
}
