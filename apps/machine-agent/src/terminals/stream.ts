/**
 * Shows one life of a pane to one person. The person acknowledges frames on their screen; only a few are on their way, and screens meanwhile
 * are left out: the next frame shows the screen as it is then. So a slow person holds no other up, and takes no memory.
 */
import type { LocalClock } from '@drover/base';
import {
  ALIVE_EVERY_MS,
  FRAMES_AHEAD_MAX,
  isTyping,
  personMessage,
  SCREEN_MESSAGE_BYTES_MAX,
  SILENT_MS,
  type PersonMessage,
  type ScreenMessage,
} from '@drover/protocol';
import { parseJson } from '../sync/api.ts';
import type { ScreenEnd, ScreenListener, SeenScreen } from './screen-watch.ts';
import type { Typist } from './typist.ts';

/** Connection to the coordinator for one person. */
export interface Line {
  send(text: string): void;
  /** Closes the connection; safe to repeat. */
  close(): void;
}

interface StreamParts {
  readonly line: Line;
  readonly clock: LocalClock;
  /** Null: the person only watches. */
  readonly typist: Pick<Typist, 'type' | 'close'> | null;
  readonly onSize: (size: { readonly columns: number; readonly rows: number }) => void;
  /** Called once, at its end. */
  readonly onOver: () => void;
}

/** Runs until its line is closed, either end is silent, or there is nothing more to see. */
export class Stream implements ScreenListener {
  readonly #parts: StreamParts;
  readonly #cancels: (() => void)[] = [];
  /** Screen of the last frame. */
  #sent: SeenScreen | null = null;
  #latest: SeenScreen | null = null;
  #frame = 0;
  #seen = 0;
  #heardAt: number;
  #isOver = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#heardAt = parts.clock.elapsed();
    this.#beat();
  }

  /** Shows the screen now, or the newest one when the person has caught up. */
  show(screen: SeenScreen): void {
    this.#latest = screen;
    this.#draw();
  }

  isBehind(): boolean {
    return this.#frame - this.#seen >= FRAMES_AHEAD_MAX;
  }

  /** Reports that there is nothing more to see, and closes. */
  ended({ code, message }: ScreenEnd | { readonly code: string; readonly message: string }): void {
    this.#say({ kind: 'ended', code, message });
    this.close();
  }

  /** Reports that keys wait for Drover, or do not wait any more. */
  held(held: boolean): void {
    this.#say({ kind: 'held', held });
  }

  /** Takes a message of the person's program. An unreadable message, or one beyond the person's rights, ends the stream. */
  heard(text: string): void {
    if (this.#isOver) return;
    const { success, data } = personMessage.safeParse(parseJson(text));
    if (!success)
      return this.ended({
        code: 'bad-message',
        message: 'this machine cannot read the message: update Drover on it',
      });
    this.#heardAt = this.#parts.clock.elapsed();
    this.#take(data);
  }

  /** Closes the stream; safe to repeat. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const cancel of this.#cancels) cancel();
    this.#parts.typist?.close();
    this.#parts.line.close();
    this.#parts.onOver();
  }

  #take(message: PersonMessage): void {
    const { typist, onSize } = this.#parts;
    if (isTyping(message) && typist === null)
      return this.ended({ code: 'watches', message: 'you are only watching, so you cannot type' });
    switch (message.kind) {
      case 'seen':
        this.#seen = Math.max(this.#seen, Math.min(message.frame, this.#frame));
        return this.#draw();
      case 'alive':
        return undefined;
      case 'keys':
        return typist?.type({ kind: 'keys', bytes: Buffer.from(message.bytes, 'base64') });
      case 'paste':
        return typist?.type({ kind: 'paste', text: message.text });
      case 'size':
        return onSize(message);
      default:
        return message satisfies never;
    }
  }

  #draw(): void {
    const screen = this.#latest;
    if (screen === null || screen === this.#sent || this.#isOver) return;
    if (this.isBehind()) return;
    const before =
      this.#sent?.columns === screen.columns && this.#sent.lines.length === screen.lines.length ? this.#sent : null;
    this.#frame += 1;
    this.#sent = screen;
    const { columns, lines, cursor } = screen;
    this.#say({
      kind: 'frame',
      frame: this.#frame,
      columns,
      rows: lines.length,
      changed: changedLines(before?.lines, lines),
      cursor,
    });
  }

  #say(message: ScreenMessage): void {
    if (!this.#isOver) this.#parts.line.send(JSON.stringify(message));
  }

  /** Sends signs of life, and closes when the person sends none. */
  #beat(): void {
    const { clock } = this.#parts;
    const cancel = clock.after(ALIVE_EVERY_MS, () => {
      this.#cancels.splice(this.#cancels.indexOf(cancel), 1);
      if (clock.elapsed() - this.#heardAt > SILENT_MS) return this.close();
      this.#say({ kind: 'alive' });
      this.#beat();
    });
    this.#cancels.push(cancel);
  }
}

/** Bytes of the rows of one frame: half of what a message holds, for JSON needs two bytes for some characters. */
const FRAME_BYTES_MAX = SCREEN_MESSAGE_BYTES_MAX / 2;

/** Lists the changed rows. A screen that is too large for a message is cut: no program of people draws one. */
export function changedLines(
  before: readonly string[] | undefined,
  lines: readonly string[],
): readonly [row: number, text: string][] {
  const changed: [number, string][] = [];
  let bytes = 0;
  for (const [row, text] of lines.entries()) {
    if (before?.[row] === text) continue;
    bytes += Buffer.byteLength(text);
    changed.push([row, bytes > FRAME_BYTES_MAX ? '' : text]);
  }
  return changed;
}
