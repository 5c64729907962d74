/** Runs an exchange over a WebSocket, and notices a link that only looks open. */
import type { LocalClock } from '@drover/base';
import { syncAnswer } from '@drover/protocol';
import { WebSocket } from 'ws';
import { parseJson, refusal } from './api.ts';
import { SyncError } from './errors.ts';
import { afterMs } from './http-adapter.ts';
import type { Link } from './link.ts';

/** Milliseconds until the socket must be open. */
const OPEN_MS = 10_000;
/** Milliseconds between pings, and of silence after which the link counts as dead. */
const PING_MS = 3_000;
const SILENT_MS = 9_000;
/** Milliseconds that observations which come together are collected. */
const COLLECT_MS = 10;
/** Milliseconds after which an unacknowledged message means that the other end is gone. */
const ACK_MS = 20_000;
/** Bytes of one message from the coordinator. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

/** Runs until the link ends. @throws SyncError always, with the reason; returns when `link.signal` fired. */
export async function runSocket(link: Link): Promise<void> {
  const socket = await open(link);
  await new Promise<void>((resolve, reject) => {
    const life = new SocketRun(socket, link, (reason) => {
      life.close();
      if (reason === undefined) resolve();
      else reject(reason);
    });
  });
}

/** @throws SyncError `no-socket` when no WebSocket can be had but the coordinator may be there. */
function open({ url, token, clock, signal }: Link): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/u, 'ws')}/agent/ws`, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: MESSAGE_BYTES_MAX,
      handshakeTimeout: OPEN_MS,
    });
    const stop = (): void => fail(new SyncError('unreachable', 'The agent is stopping'));
    const cancel = clock.after(OPEN_MS, () => fail(new SyncError('no-socket', `No WebSocket in ${OPEN_MS} ms`)));
    const settle = (): void => {
      cancel();
      signal.removeEventListener('abort', stop);
    };
    const fail = (error: SyncError): void => {
      settle();
      socket.terminate();
      reject(error);
    };
    signal.addEventListener('abort', stop);
    socket.on('error', (cause) =>
      fail(new SyncError('no-socket', `No WebSocket to ${url}: ${cause.message}`, { cause })),
    );
    socket.on('unexpected-response', (_request, response) => {
      const status = response.statusCode ?? 0;
      const retryAfterMs = afterMs(response.headers['retry-after']);
      const answered = refusal(`${url}/agent/ws`, status, { text: '', retryAfterMs });
      const isAnswer = answered.code === 'unauthorized' || answered.code === 'busy';
      fail(isAnswer ? answered : new SyncError('no-socket', answered.message));
    });
    socket.on('open', () => {
      settle();
      // Commands may come in the same packet as the answer to the upgrade, before this listens for them.
      socket.pause();
      resolve(socket);
    });
  });
}

class SocketRun {
  readonly #socket: WebSocket;
  readonly #link: Link;
  readonly #end: (reason: SyncError | undefined) => void;
  readonly #clock: LocalClock;
  readonly #cancels = new Set<() => void>();
  #heardAt: number;
  #waitingSince: number | undefined;
  #flushing = false;
  #intervalMs: number;
  #ended = false;

  constructor(socket: WebSocket, link: Link, end: (reason: SyncError | undefined) => void) {
    this.#socket = socket;
    this.#link = link;
    this.#end = end;
    this.#clock = link.clock;
    this.#heardAt = link.clock.now();
    this.#intervalMs = link.intervalMs;
    socket.on('message', (data) => this.#message(String(data)));
    socket.on('pong', () => (this.#heardAt = this.#clock.now()));
    socket.on('ping', () => (this.#heardAt = this.#clock.now()));
    socket.on('error', () => {});
    socket.on('close', (code) =>
      this.#finish(new SyncError('unreachable', `The coordinator closed the link (${code})`)),
    );
    const stop = (): void => this.#finish(undefined);
    link.signal.addEventListener('abort', stop);
    this.#cancels.add(() => link.signal.removeEventListener('abort', stop));
    this.#cancels.add(link.exchange.onNews(() => this.#soon()));
    this.#say();
    this.#every(
      () => PING_MS,
      () => this.#beat(),
    );
    this.#every(
      () => this.#intervalMs,
      () => this.#say(),
    );
    socket.resume();
  }

  close(): void {
    this.#ended = true;
    for (const cancel of this.#cancels) cancel();
    this.#socket.close();
    // A peer that does not answer the close must not keep the socket.
    const cancel = this.#clock.after(1_000, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  #finish(reason: SyncError | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#end(reason);
  }

  #every(delayMs: () => number, act: () => void): void {
    const cancel = this.#clock.after(delayMs(), () => {
      this.#cancels.delete(cancel);
      if (this.#ended) return;
      act();
      if (!this.#ended) this.#every(delayMs, act);
    });
    this.#cancels.add(cancel);
  }

  #beat(): void {
    const now = this.#clock.now();
    if (now - this.#heardAt > SILENT_MS) {
      this.#finish(new SyncError('silent', `The coordinator was silent for ${now - this.#heardAt} ms`));
      return;
    }
    if (this.#waitingSince !== undefined && now - this.#waitingSince > ACK_MS) {
      this.#finish(new SyncError('silent', 'The coordinator did not acknowledge what was sent'));
      return;
    }
    this.#socket.ping();
  }

  #soon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    const cancel = this.#clock.after(COLLECT_MS, () => {
      this.#cancels.delete(cancel);
      this.#flushing = false;
      if (!this.#ended && this.#link.exchange.hasNews) this.#say();
    });
    this.#cancels.add(cancel);
  }

  #say(): void {
    const { exchange } = this.#link;
    const request = exchange.next();
    if (exchange.isWaiting) this.#waitingSince ??= this.#clock.now();
    this.#socket.send(JSON.stringify(request), () => {});
  }

  #message(text: string): void {
    if (this.#ended) return;
    this.#heardAt = this.#clock.now();
    const parsed = syncAnswer.safeParse(parseJson(text));
    if (!parsed.success) {
      const message = `This agent cannot read a message of the coordinator: ${parsed.error.message}`;
      return this.#finish(new SyncError('bad-answer', message));
    }
    try {
      this.#link.exchange.heard(parsed.data);
    } catch (error) {
      const reason = error instanceof SyncError ? error : new SyncError('bad-answer', String(error), { cause: error });
      return this.#finish(reason);
    }
    this.#link.onHeard(parsed.data);
    this.#intervalMs = parsed.data.nextIntervalMs;
    this.#waitingSince = this.#link.exchange.isWaiting ? this.#clock.now() : undefined;
    if (this.#link.exchange.hasNews) this.#soon();
  }
}
