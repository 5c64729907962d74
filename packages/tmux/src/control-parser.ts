/**
 * What do the bytes of a control client say?
 *
 * P1 A block ends only at a line that repeats the time, number and flags of its beginning.
 * P2 The result does not depend on where the stream was cut into chunks.
 * P3 A line within a block belongs to its body, unless `isNews` knows it for a notification that
 *    tmux put there.
 */
import { TmuxError } from './errors.ts';

/** One thing that tmux said. `mine` is true for answers to commands that this client sent. */
export type ControlEvent =
  | { readonly kind: 'reply'; readonly mine: boolean; readonly ok: boolean; readonly body: Buffer }
  | { readonly kind: 'notification'; readonly line: string }
  | { readonly kind: 'exit' };

/** Bytes of one reply: 64 MiB, far above any capture; more means that the stream went astray. */
const REPLY_BYTES_MAX = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;
const PERCENT = 0x25;

/** Turns chunks of bytes into events. */
export class ControlParser {
  readonly #isNews: (line: string) => boolean;
  #rest: Buffer[] = [];
  #block: { guard: string; body: Buffer[]; size: number } | undefined;

  /** @param isNews Says of a line starting with `%` inside a block that it is a notification. */
  constructor(isNews: (line: string) => boolean = () => false) {
    this.#isNews = isNews;
  }

  /** @throws TmuxError `connection-lost` when a reply outgrows its limit. */
  feed(chunk: Uint8Array): readonly ControlEvent[] {
    const events: ControlEvent[] = [];
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED)) {
      const line = Buffer.concat([...this.#rest, bytes.subarray(0, end)]);
      this.#rest = [];
      bytes = bytes.subarray(end + 1);
      const event = this.#block === undefined ? this.#outside(line) : this.#inside(line);
      if (event !== undefined) events.push(event);
    }
    if (bytes.length > 0) this.#rest.push(Buffer.from(bytes));
    return events;
  }

  #outside(bytes: Buffer): ControlEvent | undefined {
    const line = bytes.toString();
    const begin = /^%begin (\d+ \d+ \d+)$/.exec(line);
    if (begin !== null) {
      this.#block = { guard: begin[1] ?? '', body: [], size: 0 };
      return undefined;
    }
    if (line === '%exit' || line.startsWith('%exit ')) return { kind: 'exit' };
    // What is left of a reply that was cut short by a screen painting its end is no news.
    return line.startsWith('%') ? { kind: 'notification', line } : undefined;
  }

  #inside(bytes: Buffer): ControlEvent | undefined {
    const block = this.#block;
    if (block === undefined) return undefined;
    if (bytes[0] === PERCENT) {
      const line = bytes.toString();
      if (line === `%end ${block.guard}` || line === `%error ${block.guard}`) {
        this.#block = undefined;
        const mine = (Number(block.guard.split(' ')[2]) & 1) === 1;
        return { kind: 'reply', mine, ok: line.startsWith('%end'), body: joined(block.body) };
      }
      if (this.#isNews(line)) return { kind: 'notification', line };
    }
    block.body.push(bytes);
    block.size += bytes.length + 1;
    if (block.size > REPLY_BYTES_MAX) {
      throw new TmuxError('connection-lost', `A reply of tmux exceeded ${REPLY_BYTES_MAX} bytes`);
    }
    return undefined;
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  const separator = Buffer.from('\n');
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [separator, line])));
}
