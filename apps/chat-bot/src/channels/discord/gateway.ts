/** Discord's gateway: consecutive connections, each of which resumes the previous session, so that missed events are sent again. */
import { z } from 'zod';
import { ChannelError } from '../../channel.ts';
import { pause } from '@drover/base';
import type { Nature, Socket } from '../../ports.ts';

const frame = z.object({ op: z.number(), d: z.unknown(), s: z.number().nullish(), t: z.string().nullish() });
/** Milliseconds between heartbeats. Discord says about 41 s; a heartbeat without a pause would be a flood, and without an end no heartbeat at all. */
const hello = z.object({ heartbeat_interval: z.number().min(1_000).max(600_000) });
const ready = z.object({
  session_id: z.string(),
  resume_gateway_url: z.string(),
  application: z.object({ id: z.string() }),
});

/** Milliseconds until a new connection is greeted: without an end, a line that breaks before the first heartbeat would be waited for as long as the bot runs. */
const GREETED_WITHIN_MS = 60_000;

/** Close codes that must not be retried. Source: gateway close event codes. */
const FATAL: ReadonlySet<number> = new Set([4_004, 4_010, 4_011, 4_012, 4_013, 4_014]);

/** Parts that the gateway runs with. */
export interface GatewayOptions {
  readonly nature: Nature;
  readonly token: string;
  /** Returns the address for a first connection. */
  readonly urlOf: () => Promise<string>;
  /** Reports a new session of this application. */
  readonly began: (application: string) => void;
  readonly event: (name: string, data: unknown) => void;
}

/** Facts about the session, needed to resume it. */
interface Session {
  id: string;
  url: string;
  /** The number of the last event. */
  seq: number | null;
}

/** Runs until the signal aborts. @throws {ChannelError} when only a person can repair the channel. */
export async function runGateway(options: GatewayOptions, signal: AbortSignal): Promise<void> {
  let session: Session | null = null;
  while (!signal.aborted) {
    const end: Ended = await connection(options, session, signal);
    session = end.session;
    if (FATAL.has(end.code))
      throw new ChannelError(
        `Discord does not accept the token (${end.code} ${end.reason}): set DROVER_DISCORD_TOKEN to the bot token of the application`,
      );
    if (!signal.aborted) await pause(options.nature.clock, 500 + 1_000 * options.nature.random(), signal);
  }
}

interface Ended {
  readonly code: number;
  readonly reason: string;
  /** The session to resume; null: the session cannot be resumed. */
  readonly session: Session | null;
}

async function connection(options: GatewayOptions, known: Session | null, signal: AbortSignal): Promise<Ended> {
  const { nature } = options;
  const url = known?.url ?? (await options.urlOf());
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const line = new Connection(options, known);
  const socket: Socket = nature.socket(`${url}?v=10&encoding=json`, {
    message: (text) => line.take(socket, text),
    closed: ({ code, reason }) => resolve({ code, reason, session: line.session }),
  });
  line.awaitGreeting(socket);
  // Code 1000 would end the session, and lose the events until the next start.
  const stop = (): void => socket.close(4_900);
  signal.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    line.stopBeating();
  }
}

class Connection {
  session: Session | null;
  readonly #options: GatewayOptions;
  #cancelBeat: () => void = () => {};
  #isHeard = true;

  constructor(options: GatewayOptions, session: Session | null) {
    this.#options = options;
    this.session = session;
  }

  awaitGreeting(socket: Socket): void {
    this.#cancelBeat = this.#options.nature.clock.after(GREETED_WITHIN_MS, () => socket.terminate());
  }

  take(socket: Socket, text: string): void {
    const read = frame.safeParse(parsed(text));
    if (!read.success) return;
    const { op, d, s, t } = read.data;
    if (s !== null && s !== undefined && this.session !== null) this.session.seq = s;
    switch (op) {
      case 10:
        this.#greet(socket, hello.parse(d).heartbeat_interval);
        return;
      case 11:
        this.#isHeard = true;
        return;
      case 1:
        this.#beatNow(socket);
        return;
      case 7:
        socket.close(4_900);
        return;
      case 9:
        if (d !== true) this.session = null;
        socket.close(4_900);
        return;
      case 0:
        this.#dispatch(t ?? '', d, s ?? null);
        return;
      default:
    }
  }

  #greet(socket: Socket, everyMs: number): void {
    const { token, nature } = this.#options;
    const { session } = this;
    const first =
      session === null
        ? { op: 2, d: { token, intents: 0, properties: { os: 'linux', browser: 'drover', device: 'drover' } } }
        : { op: 6, d: { token, session_id: session.id, seq: session.seq } };
    socket.send(JSON.stringify(first));
    this.stopBeating();
    this.#beat(socket, { everyMs, afterMs: everyMs * nature.random() });
  }

  #beat(socket: Socket, { everyMs, afterMs }: { readonly everyMs: number; readonly afterMs: number }): void {
    this.#cancelBeat = this.#options.nature.clock.after(afterMs, () => {
      if (!this.#isHeard) {
        // Half open: nothing arrived since the last heartbeat.
        socket.terminate();
        return;
      }
      this.#isHeard = false;
      this.#beatNow(socket);
      this.#beat(socket, { everyMs, afterMs: everyMs });
    });
  }

  #beatNow(socket: Socket): void {
    socket.send(JSON.stringify({ op: 1, d: this.session?.seq ?? null }));
  }

  stopBeating(): void {
    this.#cancelBeat();
  }

  #dispatch(name: string, data: unknown, seq: number | null): void {
    if (name === 'READY') {
      const { session_id: id, resume_gateway_url: url, application } = ready.parse(data);
      this.session = { id, url, seq };
      this.#options.began(application.id);
    }
    this.#options.event(name, data);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
