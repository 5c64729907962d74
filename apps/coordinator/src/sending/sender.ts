/**
 * Sends due messages of one lane: mail, webhooks. Each station of a lane (the mail server, an endpoint) has a runner of its own, leased
 * to one replica, so a slow or dead station delays no other. The lease is renewed during a slow send, and nothing begins that could
 * outlive it: a replica that lost its lease sends nothing beside the next one.
 *
 * At least once: a replica that dies between a send and its note leaves the row as it was, and the next one sends it again. A webhook
 * then has the same id, by which its receiver knows it; a mail has the same Message-ID.
 */
import { pause } from '@drover/base';
import { listenFor, Waiters } from '../context/waiters.ts';
import type { Context } from '../context/context.ts';
import { inLanes } from './lanes.ts';
import { underLease } from './lease.ts';
import { nextTry } from './schedule.ts';
import type { Next, Verdict } from './schedule.ts';

/** Milliseconds between checks of the stations without a hint. */
const TICK_MS = 1_000;
/** Milliseconds between two checks: a hint comes with each decision of a fleet at work, and most decisions announce nothing. */
const APART_MS = 200;

/** A target with a lease of its own, such as the mail server or an endpoint. */
export interface Station {
  readonly id: string;
  /** Name for people. */
  readonly name: string;
}

/** Holder of a station's lease, and its end. */
export interface Hold {
  readonly holder: string;
  readonly now: number;
  readonly until: number;
}

/** A kind of message: finds due messages, sends one, classes the answer. `S` is a station, `P` a message, `A` an answer. */
export interface Lane<S extends Station, P, A> {
  /** Milliseconds for which a station is held. */
  readonly leaseMs: number;
  /** Milliseconds that one send takes at most: shorter than two thirds of the lease. */
  readonly sendMs: number;
  /** Sends to one station at once. */
  readonly atOnce: number;
  /** Milliseconds before each retry; after the last one the message is given up. */
  readonly waitsMs: readonly number[];
  stations(): Promise<readonly S[]>;
  /** Takes or keeps a station. @returns false while another replica has it. */
  hold(station: S, hold: Hold): Promise<boolean>;
  /** Frees a station from a given time on, if this holder has it. Nobody gets the station before. */
  free(station: S, from: Pick<Hold, 'holder' | 'now' | 'until'>): Promise<void>;
  /** Claims due messages for this holder, who holds the station. */
  claim(station: S, hold: Hold): Promise<readonly P[]>;
  /** Counts the failed tries so far. */
  failures(piece: P): number;
  /** Sends a message. Never rejects. */
  send(piece: P): Promise<A>;
  classOf(answer: A): Verdict;
  /** Saves the result of a send. */
  save(piece: P, end: Ended<A>): Promise<void>;
}

export interface Ended<A> {
  readonly holder: string;
  readonly answer: A;
  readonly verdict: Verdict;
  readonly next: Next;
  /** Start and end of the try, epoch milliseconds. */
  readonly at: number;
  readonly now: number;
}

/** Sends until it is disposed of; then waits for sends in progress. */
export class Sender<S extends Station, P, A> implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #lane: Lane<S, P, A>;
  readonly #events: Waiters;
  readonly #holder: string;
  readonly #end = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #held = new Map<string, S>();
  #whole: Promise<void> = Promise.resolve();

  /** @param events Hints that a message may be due; absent: checks every second. */
  constructor(ctx: Context, lane: Lane<S, P, A>, events = new Waiters()) {
    this.#ctx = ctx;
    this.#lane = lane;
    this.#events = events;
    this.#holder = ctx.ids.uuid();
  }

  start(): this {
    this.#whole = this.#run();
    return this;
  }

  /** Sends all due messages, and ends when nothing is left or it is stopped. Never rejects. */
  async round(): Promise<void> {
    await this.#beginAll();
    await Promise.all(this.#running.values());
  }

  async #run(): Promise<void> {
    const { clock } = this.#ctx;
    const { signal } = this.#end;
    while (!signal.aborted) {
      using hint = listenFor(this.#events, '*', { ms: TICK_MS, after: (ms, run) => clock.after(ms, run), signal });
      await this.#beginAll();
      const lookedAt = clock.now();
      await hint.heard;
      const early = lookedAt + APART_MS - clock.now();
      if (early > 0) await pause(clock, Math.min(early, APART_MS), signal);
    }
  }

  async #beginAll(): Promise<void> {
    try {
      for (const station of await this.#lane.stations()) this.#begin(station);
    } catch (error) {
      this.#ctx.log('debug', `Cannot read the messages to send: ${String(error)}`);
    }
  }

  #begin(station: S): void {
    const { id, name } = station;
    if (this.#running.has(id)) return;
    const run = this.#serve(station)
      .catch((error: unknown) => this.#ctx.log('warn', `Cannot send to ${name} now; retrying: ${String(error)}`))
      .finally(() => this.#running.delete(id));
    this.#running.set(id, run);
  }

  /** Serves a station until nothing is due, another replica has the station, or it asks for a pause. */
  async #serve(station: S): Promise<void> {
    const { clock } = this.#ctx;
    const { leaseMs, sendMs, atOnce } = this.#lane;
    const holdUntil = (until: number): Promise<boolean> =>
      this.#lane.hold(station, { holder: this.#holder, now: clock.now(), until });
    while (!this.#end.signal.aborted) {
      const now = clock.now();
      const hold: Hold = { holder: this.#holder, now, until: now + leaseMs };
      if (!(await holdUntil(hold.until))) return;
      this.#held.set(station.id, station);
      const paces: number[] = [];
      let isKept = true;
      const leased = { clock, until: hold.until, leaseMs, pieceMs: sendMs, renew: holdUntil };
      const count = await underLease(leased, async (mayBegin) => {
        const due = await this.#lane.claim(station, hold);
        await inLanes(due, atOnce, async (piece) => {
          if (this.#end.signal.aborted || paces.length > 0 || !isKept || !mayBegin()) return;
          const sent = await this.#sendOne(station, piece);
          isKept &&= sent.isKept;
          if (sent.restUntil !== null) paces.push(sent.restUntil);
        });
        return due.length;
      });
      if (paces.length > 0) {
        await this.#lane.free(station, { ...hold, now: clock.now(), until: Math.max(...paces) });
        this.#held.delete(station.id);
        return;
      }
      // Messages whose outcome could not be saved would be sent again at once.
      if (count === 0 || !isKept) return;
    }
  }

  /**
   * Sends one message. Never rejects: a message whose result could not be saved is sent again. `restUntil`: end of the pause that the
   * station asks for; null: it asks for none.
   */
  async #sendOne(station: S, piece: P): Promise<{ readonly isKept: boolean; readonly restUntil: number | null }> {
    const { clock, log, random } = this.#ctx;
    const { waitsMs } = this.#lane;
    const at = clock.now();
    const answer = await this.#lane.send(piece);
    const now = clock.now();
    const verdict = this.#lane.classOf(answer);
    const next = nextTry(verdict, { failures: this.#lane.failures(piece), waitsMs, now, chance: random() });
    const restUntil = verdict.kind === 'again' && verdict.afterMs !== null ? now + verdict.afterMs : null;
    try {
      await this.#lane.save(piece, { holder: this.#holder, answer, verdict, next, at, now });
      return { isKept: true, restUntil };
    } catch (error) {
      log('warn', `Cannot record the result of a message to ${station.name}`, { error: String(error) });
      return { isKept: false, restUntil };
    }
  }

  stop(): void {
    this.#end.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#whole;
    await Promise.all(this.#running.values());
    const now = this.#ctx.clock.now();
    for (const station of this.#held.values())
      await this.#lane.free(station, { holder: this.#holder, now, until: now }).catch(() => {});
  }
}
