/**
 * Sends commands over one control client and tells their answers apart.
 *
 * Every request ends with a sentinel: a command that prints a secret word of this connection. All blocks before the sentinel belong to the
 * request, however many `if-shell` or a hook may add.
 */
import type { ByteStream } from '@drover/host';
import type { Clock } from '@drover/base';
import { type Chain, renderChain } from '../commands/command.ts';
import { ControlParser, type ControlEvent } from './parser.ts';
import { TmuxError } from '../errors.ts';
import type { CommandRunner, Replies, Reply } from '../commands/runner.ts';

/** Requests that may wait at once; more means that their senders ignore the answers. */
const PENDING_MAX = 1_000;

/** Milliseconds that a client may take to leave after its input was closed. */
const LEAVE_MS = 1_000;

interface ConnectionOptions {
  readonly clock: Clock;
  /** Word that no pane can know: it marks sentinels and news. Letters, digits and `-`. */
  readonly secret: string;
  /** Called for each notification of tmux. */
  readonly onNotification: (line: string) => void;
  /** Called once, when tmux knows the client. */
  readonly onAttached?: () => void;
  /** Called once, when the connection has ended for any reason. */
  readonly onClosed: (reason: TmuxError) => void;
}

interface Pending {
  readonly sentinel: string;
  readonly replies: Reply[];
  readonly resolve: (replies: Replies) => void;
  readonly reject: (error: TmuxError) => void;
  readonly cancelDeadline: () => void;
}

/** Control client for one life. A closed connection stays closed; {@link ControlLink} opens the next. */
export class ControlConnection implements CommandRunner, AsyncDisposable {
  readonly via = 'control';
  readonly #stream: ByteStream;
  readonly #options: ConnectionOptions;
  readonly #pending: Pending[] = [];
  #sequence = 0;
  #unsent = '';
  /** False until the client is attached: tmux reads commands before that, and would mistake another client for the sender. */
  #attached = false;
  #closed: TmuxError | undefined;

  constructor(stream: ByteStream, options: ConnectionOptions) {
    this.#stream = stream;
    this.#options = options;
    void this.#read();
  }

  /** False once the connection has ended. */
  get isOpen(): boolean {
    return this.#closed === undefined;
  }

  exec(chains: readonly Chain[], { timeoutMs }: { timeoutMs: number }): Promise<Replies> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (this.#pending.length >= PENDING_MAX) {
      const message = `${PENDING_MAX} requests already wait for tmux`;
      return Promise.reject(new TmuxError('server-busy', message));
    }
    const sentinel = `${this.#options.secret} ${(this.#sequence += 1)}`;
    const lines = [...chains, [['display-message', '-p', sentinel] as const]].map(renderChain);
    return new Promise((resolve, reject) => {
      const cancelDeadline = this.#options.clock.after(timeoutMs, () =>
        this.#fail(new TmuxError('timed-out', `tmux did not answer within ${timeoutMs} ms`)),
      );
      this.#pending.push({ sentinel, replies: [], resolve, reject, cancelDeadline });
      this.#send(`${lines.join('\n')}\n`); // one piece: nothing comes between
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flush();
    this.#stream.end();
    const cancel = this.#options.clock.after(LEAVE_MS, () => this.#stream.kill());
    await this.#stream.exit;
    cancel();
    this.#fail(new TmuxError('closed', 'The connection to tmux was closed'));
  }

  /** Joins requests of the same moment into one write: 16 captures cost one system call. */
  #send(text: string): void {
    this.#unsent += text;
    if (this.#unsent.length > text.length) return;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    if (!this.#attached) return;
    const unsent = this.#unsent;
    this.#unsent = '';
    if (unsent !== '' && this.isOpen) this.#stream.write(unsent);
  }

  /** Flushes once the client is attached: the first block answers the command that started the client. */
  #onAttached(): void {
    this.#attached = true;
    this.#options.onAttached?.();
    this.#flush();
  }

  async #read(): Promise<void> {
    const parser = new ControlParser((line) => line.includes(this.#options.secret));
    try {
      for await (const chunk of this.#stream.output) {
        for (const event of parser.feed(chunk)) this.#take(event);
      }
    } catch (cause) {
      const message = 'The connection to tmux broke while reading';
      this.#fail(cause instanceof TmuxError ? cause : new TmuxError('connection-lost', message, { cause }));
    }
    const { stderr } = await this.#stream.exit;
    this.#fail(new TmuxError('connection-lost', `The connection to tmux ended: ${stderr.trim()}`));
  }

  #take(event: ControlEvent): void {
    switch (event.kind) {
      case 'notification':
        this.#options.onNotification(event.line);
        return;
      case 'exit':
        this.#fail(new TmuxError('connection-lost', 'tmux told its control client to leave'));
        return;
      case 'reply':
        if (event.mine) this.#answer(event);
        else if (!this.#attached) this.#onAttached();
        return;
      default:
        event satisfies never;
    }
  }

  #answer(reply: Extract<ControlEvent, { kind: 'reply' }>): void {
    const head = this.#pending[0];
    if (head === undefined) return;
    if (!reply.ok || !says(reply.body, head.sentinel)) {
      head.replies.push(reply);
      return;
    }
    this.#pending.shift();
    head.cancelDeadline();
    head.resolve(head.replies);
  }

  #fail(reason: TmuxError): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#stream.kill();
    for (const pending of this.#pending.splice(0)) {
      pending.cancelDeadline();
      pending.reject(reason);
    }
    this.#options.onClosed(reason);
  }
}

/** Compares lengths first: most replies are screens and far longer than a sentinel, which is all ASCII. */
function says(body: Buffer, word: string): boolean {
  return body.length === word.length && body.toString('latin1') === word;
}
