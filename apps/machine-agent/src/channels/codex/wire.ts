/**
 * Speaks JSON-RPC with an app-server of Codex over a WebSocket on its Unix socket. A peer that breaks the protocol is disconnected with a named
 * reason: it is the program of a pane, and may be anything.
 */
import type { Duplex } from 'node:stream';
import type { LocalClock } from '@drover/base';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { ChannelError } from '../channel.ts';

/** Bytes of a message: a page of a conversation with the outputs of its tools. */
const MESSAGE_BYTES_MAX = 32 * 1_048_576;
/** Milliseconds to connect, and for an answer. */
const OPEN_MS = 3_000;
const ANSWER_MS = 5_000;

const id = z.union([z.string(), z.number()]);
const message = z.union([
  z.object({ method: z.string(), params: z.unknown().optional(), id: id.optional() }),
  z.object({ id, result: z.unknown(), error: z.undefined().optional() }),
  z.object({ id, error: z.object({ code: z.number(), message: z.string() }) }),
]);

/** Message of the program that is no answer: a notification, or with an id a request. */
export interface Told {
  readonly method: string;
  readonly params?: unknown;
  readonly id?: string | number | undefined;
}

interface WireOptions {
  readonly clock: LocalClock;
  readonly onTold: (told: Told) => void;
  readonly onEnd: (why: string) => void;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ChannelError) => void;
}

/** Connection to one app-server. When it has ended it stays ended. */
export class Wire implements Disposable {
  readonly #socket: WebSocket;
  readonly #options: WireOptions;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #end: string | null = null;

  private constructor(stream: Duplex, options: WireOptions) {
    this.#options = options;
    this.#socket = new WebSocket('ws://localhost/', {
      createConnection: () => stream,
      perMessageDeflate: false,
      maxPayload: MESSAGE_BYTES_MAX,
      handshakeTimeout: OPEN_MS,
    });
    this.#socket.on('message', (data, isBinary) => this.#heard(String(data), isBinary));
    this.#socket.on('error', (error) => this.#close('unreachable', wordsOf(error)));
    this.#socket.on('close', () => this.#close('unreachable', 'it closed the connection'));
  }

  /** Connects and introduces itself. @throws ChannelError */
  static async open(stream: Duplex, options: WireOptions): Promise<Wire> {
    const wire = new Wire(stream, options);
    try {
      await new Promise<void>((resolve, reject) => {
        wire.#socket.once('open', resolve);
        wire.#socket.once('close', () =>
          reject(new ChannelError('unreachable', wire.#end ?? 'it closed the connection')),
        );
      });
      const clientInfo = { name: 'drover', title: null, version: '1' };
      // Codex tells what runs on beside a turn only to clients that want what is not settled yet.
      await wire.ask('initialize', { clientInfo, capabilities: { experimentalApi: true } });
      wire.#write({ method: 'initialized' });
      return wire;
    } catch (error) {
      wire[Symbol.dispose]();
      throw error;
    }
  }

  /** Reason of the end; null while the connection is open. */
  get end(): string | null {
    return this.#end;
  }

  /** Asks and waits for the answer. @throws ChannelError `refused` with the program's own words; `unreachable`; `cut-off`. */
  ask(method: string, params: object): Promise<unknown> {
    if (this.#end !== null) return Promise.reject(new ChannelError('unreachable', this.#end));
    const asked = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const cancel = this.#options.clock.after(ANSWER_MS, () => {
        this.#pending.delete(asked);
        reject(new ChannelError('unreachable', `it did not answer "${method}" within ${ANSWER_MS} ms`));
      });
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          cancel();
          then(value);
        };
      this.#pending.set(asked, { resolve: settle(resolve), reject: settle(reject) });
      this.#write({ id: asked, method, params });
    });
  }

  /** Answers a request of the program. */
  reply(to: string | number, result: object): void {
    this.#write({ id: to, result });
  }

  [Symbol.dispose](): void {
    this.#close('unreachable', 'Drover closed the connection');
  }

  #write(words: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(words));
  }

  #heard(text: string, isBinary: boolean): void {
    const parsed = isBinary ? undefined : message.safeParse(parse(text));
    if (parsed?.success !== true) return this.#close('cut-off', 'it sent something that is no message');
    const heard = parsed.data;
    if ('method' in heard) return this.#options.onTold(heard);
    const pending = typeof heard.id === 'number' ? this.#pending.get(heard.id) : undefined;
    // A late answer to a question that was given up is no lie, but it is as little use.
    if (pending === undefined) {
      const isLate = typeof heard.id === 'number' && heard.id > 0 && heard.id < this.#nextId;
      return isLate ? undefined : this.#close('cut-off', `it answered "${String(heard.id)}", which nobody asked`);
    }
    this.#pending.delete(Number(heard.id));
    if ('result' in heard) pending.resolve(heard.result);
    else if (heard.error !== undefined) pending.reject(new ChannelError('refused', heard.error.message));
  }

  #close(code: 'unreachable' | 'cut-off', why: string): void {
    if (this.#end !== null) return;
    this.#end = why;
    for (const { reject } of this.#pending.values()) reject(new ChannelError(code, why));
    this.#pending.clear();
    this.#socket.terminate();
    this.#options.onEnd(why);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wordsOf(error: Error): string {
  return /max payload/iu.test(error.message) ? 'it sent a message that is too long' : error.message;
}
