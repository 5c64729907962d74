/** Doubles that break the connection to tmux on purpose. */
import type { Clock } from '@drover/base';
import type { ByteStream, Host, StreamExit } from '@drover/host';
import type { TmuxHost } from '../../src/index.ts';
import { TMUX } from './rig.ts';
import { clock, host } from './test-host.ts';
/** Clock whose waits pass `factor` times as fast, so that deadlines can be met in a test. */
export function fasterClock(factor: number): Clock {
  return {
    now: () => clock.now(),
    after: (delayMs, run) => clock.after(delayMs / factor, run),
  };
}

/** The real host, whose control clients can be frozen, cut off or kept from starting. */
export class BreakableHost implements TmuxHost {
  readonly stat = host.stat;
  readonly processes = host.processes;
  readonly link = host.link;
  readonly noteTime = host.noteTime;
  /** Commands run as processes of their own so far. */
  ran = 0;
  /** Control clients started so far. */
  started = 0;
  refuses = false;
  /** Holds the start of each control client until it resolves. */
  holds: Promise<void> = Promise.resolve();
  #frozen = false;
  #last: ByteStream | undefined;

  /** Drops all further output of the control client. */
  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
  }

  /** Kills the control client, as a crash would. */
  cut(): void {
    this.#last?.kill();
  }

  run(...call: Parameters<Host['run']>): ReturnType<Host['run']> {
    this.ran += 1;
    return host.run(...call);
  }

  async spawnStream(...[program, args, options]: Parameters<Host['spawnStream']>): Promise<ByteStream> {
    if (this.refuses) throw new Error(`${TMUX} may not be started just now`);
    this.started += 1;
    await this.holds;
    const stream = await host.spawnStream(program, args, options);
    this.#last = stream;
    return { ...stream, output: this.#unlessFrozen(stream.output) };
  }

  async *#unlessFrozen(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of output) {
      if (!this.#frozen) yield chunk;
    }
  }
}

const REQUEST = /[^]*?display-message "-p" "[^"]*"\n/g;

/** Peer in memory that answers as a test tells it to. */
export class ScriptedPeer {
  /** Requests, each up to its sentinel, however many were written at once. */
  readonly written: string[] = [];
  readonly stream: ByteStream;
  readonly #chunks: Uint8Array[] = [];
  #wake: () => void = () => {};
  #ended = false;

  constructor() {
    const exit = Promise.withResolvers<StreamExit>();
    const end = (): void => {
      this.#ended = true;
      this.#wake();
      exit.resolve({ status: undefined, signal: undefined, stderr: 'the peer ended' });
    };
    this.stream = {
      output: this.#output(),
      exit: exit.promise,
      write: (bytes) => void this.written.push(...(bytes.toString().match(REQUEST) ?? [])),
      end,
      kill: end,
    };
  }

  say(text: string): void {
    this.#chunks.push(Buffer.from(text));
    this.#wake();
  }

  /** Sentinel of the request with this index, counted from 0. */
  sentinel(index: number): string {
    return /display-message "-p" "([^"]*)"\n$/.exec(this.written[index] ?? '')?.[1] ?? '';
  }

  async *#output(): AsyncGenerator<Uint8Array> {
    while (!this.#ended) {
      for (const chunk of this.#chunks.splice(0)) yield chunk;
      if (this.#ended) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      if (this.#chunks.length === 0) await promise;
    }
  }
}
