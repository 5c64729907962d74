/** A worker's terminal by way of the coordinator: the person's terminal shows the pane, and input goes there. */
import { messageOf } from '@drover/base';
import { KEY_BYTES_MAX, PASTE_CHARS_MAX, type ScreenMessage } from '@drover/protocol';
import { openTerminalLine, type TerminalLine } from '../../../client/terminal-line.ts';
import { CommandError } from '../../../exit-codes.ts';
import type { Surroundings } from '../../../surroundings.ts';
import { openRawTerminal, type RawTerminal } from '../../../terminal/raw-terminal.ts';
import { plain } from '../../../terminal/style.ts';
import { Keyboard } from './keyboard.ts';
import { Painter } from './painter.ts';
import { stay } from './staying.ts';

/** Characters of a paste that is passed on: for a longer one a file is the better way. */
const PASTED_MAX = 3 * PASTE_CHARS_MAX;
/** Sizes that a pane can have; a larger terminal shows a part. */
const COLUMNS = { min: 20, max: 500 };
const ROWS = { min: 5, max: 200 };

/** The worker, and the person's wish to type. */
interface Wanted {
  readonly name: string;
  readonly types: boolean;
}

/** Runs until the person leaves or the pane ends. @throws {CommandError} with the reason for a failure. */
export async function attachByRelay(surroundings: Surroundings, wanted: Wanted): Promise<void> {
  const left = new AbortController();
  // The first connection is made before the terminal is taken: a refusal is a plain error.
  const early: ScreenMessage[] = [];
  const receive = { take: (message: ScreenMessage): void => void early.push(message) };
  const first = await openFirst(surroundings, wanted, (message) => receive.take(message));
  surroundings.terminal.err(`${plain(first.worker)} on ${plain(first.machine)}: Ctrl-b d leaves its terminal`);
  const visit = new Visit(surroundings, wanted, left);
  let ended: { readonly message: string } | null;
  {
    using terminal = openRawTerminal({
      onKeys: (bytes) => visit.typed(bytes),
      onResize: () => visit.resized(),
      onEnd: () => left.abort(),
    });
    visit.take(terminal);
    receive.take = (message) => visit.heard(message);
    visit.sit(first);
    for (const message of early) visit.heard(message);
    ended = await visit.stay(first, (message) => receive.take(message));
  }
  if (ended !== null) throw new CommandError('refused', `Left ${plain(first.worker)}: ${ended.message}`);
  surroundings.terminal.err(`Left ${plain(first.worker)}; it keeps working.`);
}

async function openFirst(
  surroundings: Surroundings,
  wanted: Wanted,
  take: (message: ScreenMessage) => void,
): Promise<TerminalLine> {
  try {
    return await openTerminalLine(surroundings, wanted, take);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why = messageOf(error);
    const way = `"drover logs ${wanted.name} --pane --follow" works without one`;
    throw new CommandError(
      'unreachable',
      `Cannot open a WebSocket to the coordinator (${why}): does a proxy in between block WebSockets? ${way}`,
      { cause: error },
    );
  }
}

/** A person's visit, over consecutive connections. */
class Visit {
  readonly #surroundings: Surroundings;
  readonly #wanted: Wanted;
  readonly #left: AbortController;
  readonly #keyboard = new Keyboard();
  #terminal: RawTerminal | null = null;
  #painter = new Painter({ columns: 80, rows: 24 });
  #line: TerminalLine | null = null;
  #who = '';
  #isHeld = false;
  /** True if the present connection has shown the pane. */
  #hasShown = false;
  #notice = '';

  constructor(surroundings: Surroundings, wanted: Wanted, left: AbortController) {
    this.#surroundings = surroundings;
    this.#wanted = wanted;
    this.#left = left;
  }

  take(terminal: RawTerminal): void {
    this.#terminal = terminal;
    this.#painter = new Painter(terminal.size);
  }

  /** Shows the pane over this connection from now on. */
  sit(line: TerminalLine): void {
    this.#line = line;
    this.#who = `${plain(line.worker)} on ${plain(line.machine)}`;
    this.#isHeld = false;
    this.#hasShown = false;
    this.#showStatus();
  }

  /** Waits until the person leaves (null), or the visit ends otherwise. */
  async stay(
    first: TerminalLine,
    take: (message: ScreenMessage) => void,
  ): Promise<{ readonly message: string } | null> {
    return stay(first, {
      clock: this.#surroundings,
      left: this.#left.signal,
      open: () => openTerminalLine(quiet(this.#surroundings), this.#wanted, take),
      onOpened: (line) => this.sit(line),
      onLost: () => {
        this.#line = null;
        this.#show(this.#painter.status(`${this.#who}: connection lost; retrying. Ctrl-b d leaves`));
      },
      hasShown: () => this.#hasShown,
    });
  }

  heard(message: ScreenMessage): void {
    switch (message.kind) {
      case 'frame':
        if (!this.#hasShown) this.#met();
        void this.#terminal
          ?.write(this.#painter.frame(message))
          .then(() => this.#line?.send({ kind: 'seen', frame: message.frame }));
        return;
      case 'held':
        this.#isHeld = message.held;
        return this.#showStatus();
      case 'alive':
      case 'ended':
        return undefined;
      default:
        return message satisfies never;
    }
  }

  /** Marks that the machine shows its pane. The machine drops input that comes before that. */
  #met(): void {
    this.#hasShown = true;
    this.#sendSize();
    this.#showStatus();
  }

  /** Sends input, but none into a pane that the person has not seen. */
  typed(bytes: Uint8Array): void {
    for (const typed of this.#keyboard.read(bytes)) {
      if (typed.kind === 'leave') return this.#left.abort();
      if (!this.#wanted.types || !this.#hasShown) continue;
      if (typed.kind === 'keys') this.#sendKeys(typed.bytes);
      else this.#sendPaste(typed.text);
    }
    return undefined;
  }

  resized(): void {
    if (this.#terminal === null) return;
    this.#show(this.#painter.resize(this.#terminal.size));
    this.#sendSize();
  }

  #sendKeys(bytes: Uint8Array): void {
    this.#setNotice('');
    for (let at = 0; at < bytes.length; at += KEY_BYTES_MAX)
      this.#line?.send({ kind: 'keys', bytes: Buffer.from(bytes.subarray(at, at + KEY_BYTES_MAX)).toString('base64') });
  }

  #sendPaste(text: string): void {
    if (text.length > PASTED_MAX)
      return this.#setNotice(
        `not pasted: more than ${PASTED_MAX} characters; put them into a file, or use "drover message"`,
      );
    for (let at = 0; at < text.length; at += PASTE_CHARS_MAX)
      this.#line?.send({ kind: 'paste', text: text.slice(at, at + PASTE_CHARS_MAX) });
    return undefined;
  }

  /** Sends the size without the last row, which holds the status. A person who only watches changes no pane. */
  #sendSize(): void {
    const size = this.#terminal?.size;
    if (size === undefined || !this.#wanted.types || !this.#hasShown) return;
    this.#line?.send({ kind: 'size', columns: within(size.columns, COLUMNS), rows: within(size.rows - 1, ROWS) });
  }

  #setNotice(notice: string): void {
    if (notice === this.#notice) return;
    this.#notice = notice;
    this.#showStatus();
  }

  #showStatus(): void {
    const what = this.#wanted.types ? 'Ctrl-b d leaves' : 'you watch; Ctrl-b d leaves';
    const waits = this.#hasShown ? '' : 'waiting for its machine; ';
    const held = this.#isHeld ? ' | Drover is typing: your keys wait' : '';
    const notice = this.#notice === '' ? '' : ` | ${this.#notice}`;
    this.#show(this.#painter.status(`${this.#who} | ${waits}${what}${held}${notice}`));
  }

  #show(text: string): void {
    if (text !== '') void this.#terminal?.write(text);
  }
}

function within(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.max(min, Math.min(max, value));
}

/** Silences messages: nothing may be printed while the terminal is taken. */
function quiet(surroundings: Surroundings): Surroundings {
  return { ...surroundings, terminal: { ...surroundings.terminal, err: () => {} } };
}
