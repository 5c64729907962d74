/** Runs one command after another on a waiting shell, each within its limits. */
import type { LocalClock } from '@drover/base';
import type { Channel, ChannelExit } from '../carrier.ts';
import { type LineInput, markedLine, type Note, NOTES, setupLine, type ShellSetup } from './lines.ts';
import { MarkedOutput } from './marked-output.ts';

export interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly outputBytesMax: number;
  readonly excess: 'kill' | 'drop';
}

/** Reason why a command was killed. */
export type Stop = 'timed-out' | 'aborted' | 'too-large';

export type CommandEnd =
  | {
      readonly kind: 'ended';
      /** Status as shells count: 128 and the number of the signal where one ended it. */
      readonly status: number;
      readonly note: Note | undefined;
      readonly stdout: Buffer;
      readonly stderr: Buffer;
    }
  | { readonly kind: 'stopped'; readonly why: Stop; readonly stdout: Buffer; readonly stderr: Buffer }
  /** The shell ended meanwhile. `began`: the command may have run, in whole or in part. */
  | { readonly kind: 'lost'; readonly began: boolean };

/** Tools that a shell needs from its holder. */
export interface ShellTools {
  readonly clock: LocalClock;
  /** Kills all that the shell runs, and the shell. @returns false when it cannot be told whether that was done. */
  readonly kill: () => Promise<boolean>;
  /** Closes the channel, which the machine does not. */
  readonly giveUp: () => void;
  /** Hears how long the first answer of each command took. */
  readonly onRoundTrip: (ms: number) => void;
}

/** A command's standard input. */
export type ShellInput =
  | Extract<LineInput, { kind: 'bytes' }>
  /** `pace` resolves when what was written before has left this machine. */
  | { readonly kind: 'rest'; readonly bytes: string | Uint8Array; readonly pace: () => Promise<unknown> };

/** A command of one shell that is under way. */
interface Current {
  readonly limits: Limits;
  readonly writtenAt: number;
  readonly out: Collected;
  readonly err: Collected;
  readonly resolve: (end: CommandEnd) => void;
  began: boolean;
  note: Note | undefined;
  status: number | undefined;
  endsSeen: number;
  stop: Stop | undefined;
  /** Tells whether the command was killed, once it has to be. */
  killed: Promise<boolean>;
  release: () => void;
}

/** Bytes that are on their way to a command at once. */
const PIECE_BYTES = 128 * 1024;
/** Milliseconds for a shell to be killed and gone, after which its command counts as lost; or to end. */
const GONE_MS = 10_000;

/** Waiting shell, which runs one command at a time. */
export class WarmShell {
  readonly pid: number;
  /** Resolves when the shell is there no more. */
  readonly ended: Promise<void>;
  readonly #channel: Channel;
  readonly #tools: ShellTools;
  #current: Current | undefined;
  #isOpen = true;

  constructor(channel: Channel, { pid, mark, rest }: { pid: number; mark: string; rest: Buffer }, tools: ShellTools) {
    this.pid = pid;
    this.#channel = channel;
    this.#tools = tools;
    const out = new MarkedOutput(mark, {
      onBegin: () => this.#onBegin(),
      onBytes: (bytes) => this.#collect('out', bytes),
      onNote: (word) => this.#onNote(word),
      onEnd: (status) => this.#onEnd(status),
    });
    const err = new MarkedOutput(mark, {
      onBegin: () => {},
      onBytes: (bytes) => this.#collect('err', bytes),
      onNote: () => {},
      onEnd: (status) => this.#onEnd(status),
    });
    if (rest.length > 0) out.feed(rest);
    channel.output.on('data', (chunk: Buffer) => out.feed(chunk)).resume();
    channel.stderr.on('data', (chunk: Buffer) => err.feed(chunk)).resume();
    this.ended = channel.exit.then((exit) => this.#onGone(exit));
  }

  /** Tells whether the shell takes more commands. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * @param body Commands for a subshell.
   * @param input For their standard input. `rest` sends it behind the line and ends the shell with the command.
   */
  run(body: Buffer, limits: Limits, input?: ShellInput): Promise<CommandEnd> {
    if (!this.#isOpen) return Promise.resolve({ kind: 'lost', began: false });
    return new Promise((resolve) => {
      const current: Current = {
        limits,
        writtenAt: this.#tools.clock.elapsed(),
        out: new Collected(limits.outputBytesMax),
        err: new Collected(limits.outputBytesMax),
        resolve,
        began: false,
        note: undefined,
        status: undefined,
        endsSeen: 0,
        stop: undefined,
        killed: Promise.resolve(false),
        release: () => {},
      };
      const onAbort = (): void => this.#stop(current, 'aborted');
      const cancel = this.#tools.clock.after(limits.timeoutMs, () => this.#stop(current, 'timed-out'));
      limits.signal?.addEventListener('abort', onAbort);
      current.release = () => {
        cancel();
        limits.signal?.removeEventListener('abort', onAbort);
      };
      this.#current = current;
      if (limits.signal?.aborted === true) onAbort();
      this.#channel.input.write(markedLine(body, input));
      if (input?.kind === 'rest') void this.#feed(input);
    });
  }

  /** Writes in pieces, each sent when the previous one has left, so that what others send does not wait behind all of it. */
  async #feed({ bytes, pace }: Extract<ShellInput, { kind: 'rest' }>): Promise<void> {
    const all = Buffer.from(bytes);
    for (let at = 0; at < all.length && this.#channel.input.writable; at += PIECE_BYTES) {
      if (at > 0) await pace();
      this.#channel.input.write(all.subarray(at, at + PIECE_BYTES));
    }
    this.#channel.input.end();
  }

  /** Takes effect for the next command. */
  configure(setup: ShellSetup): void {
    if (this.#isOpen) this.#channel.input.write(setupLine(setup));
  }

  /** Closes the shell's input: the shell ends by itself when it has nothing to do. Programs that a command has left running may hold its channel. */
  close(): void {
    this.#isOpen = false;
    this.#channel.input.end();
    this.#channel.output.resume();
    this.#channel.stderr.resume();
    const cancel = this.#tools.clock.after(GONE_MS, () => this.#tools.giveUp());
    void this.ended.then(cancel);
  }

  #onBegin(): void {
    const current = this.#current;
    if (current === undefined) return;
    current.began = true;
    this.#tools.onRoundTrip(this.#tools.clock.elapsed() - current.writtenAt);
  }

  #onNote(word: string): void {
    const note = NOTES.find((known) => known === word);
    if (this.#current !== undefined) this.#current.note = note;
  }

  #collect(from: 'out' | 'err', bytes: Buffer): void {
    const current = this.#current;
    if (current === undefined || current[from].add(bytes)) return;
    if (current.limits.excess === 'kill') this.#stop(current, 'too-large');
  }

  /** Ends the command once both outputs have ended, in any order. */
  #onEnd(status: number): void {
    const current = this.#current;
    if (current === undefined) return;
    current.status = status;
    current.endsSeen += 1;
    if (current.endsSeen < 2) return;
    const { stop } = current;
    if (stop !== undefined && !this.#isOpen) return; // it is being killed: its end tells the rest
    this.#finish(current, {
      kind: 'ended',
      status,
      note: current.note,
      stdout: current.out.bytes,
      stderr: current.err.bytes,
    });
  }

  #stop(current: Current, why: Stop): void {
    if (this.#current !== current || current.stop !== undefined) return;
    current.stop = why;
    this.#isOpen = false;
    current.killed = this.#tools.kill();
    const stay = this.#tools.clock.after(GONE_MS, () => {
      this.#tools.giveUp();
      this.#finish(current, { kind: 'lost', began: true });
    });
    const { release } = current;
    // A command that is gone waits for nothing: its timer would keep a process from its end.
    current.release = () => {
      release();
      stay();
    };
  }

  #onGone({ status, signal }: ChannelExit): void {
    this.#isOpen = false;
    // A channel without an end of its own lost its connection, and what the shell said last may be lost with it.
    const isCutOff = status === undefined && signal === undefined;
    const current = this.#current;
    if (current === undefined) return;
    if (current.stop === undefined) this.#finish(current, { kind: 'lost', began: current.began || isCutOff });
    else if (isCutOff) void this.#finishKilled(current, current.stop);
    else this.#finishStopped(current, current.stop);
  }

  /** A killed shell ends like one whose connection was lost: the killer knows the difference. */
  async #finishKilled(current: Current, stop: Stop): Promise<void> {
    if (await current.killed) this.#finishStopped(current, stop);
    else if (this.#current === current) this.#finish(current, { kind: 'lost', began: true });
  }

  #finishStopped(current: Current, why: Stop): void {
    if (this.#current !== current) return;
    this.#finish(current, { kind: 'stopped', why, stdout: current.out.bytes, stderr: current.err.bytes });
  }

  #finish(current: Current, end: CommandEnd): void {
    this.#current = undefined;
    current.release();
    current.resolve(end);
  }
}

/** The first bytes of an output. */
export class Collected {
  readonly #chunks: Buffer[] = [];
  readonly #max: number;
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @returns false when the limit is passed; what is beyond it is dropped. */
  add(bytes: Buffer): boolean {
    const room = this.#max - this.#size;
    this.#size += bytes.length;
    // A copy: a slice would keep the whole piece that came from the connection.
    if (room > 0) this.#chunks.push(Buffer.from(bytes.subarray(0, room)));
    return this.#size <= this.#max;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
