// Runs one coordinator replica: the real use cases over a store, under virtual time. The replica can die at any statement.
import type { LocalClock } from '@drover/base';
import {
  answer,
  createFleet,
  DatabaseClock,
  drainDueWork,
  endOf,
  listenFor,
  newerProfiles,
  notRegistered,
  sha256,
  takeCommands,
  takePoll,
  Waiters,
} from '@drover/coordinator/testing';
import type { Context, Leases } from '@drover/coordinator/testing';
import type { Policy } from '@drover/core';
import type { SyncAnswer, SyncRequest } from '@drover/protocol';
import type { Store } from '@drover/store';
import type { ClientOptions, Fault, FaultPoint, StoreClient } from '@drover/store/testing';
import { VirtualIds } from '@drover/testkit';
import type { SeededRandom, VirtualTime } from '@drover/testkit';
import { FLEET } from './keys.ts';
import type { Luck } from '../faults/luck.ts';
import { onTime } from './on-time.ts';
import { count } from '../runs/tally.ts';
import type { Tally } from '../runs/tally.ts';

export interface ReplicaParts {
  readonly name: string;
  readonly lane: number;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  /** Opens a client of the database. */
  readonly open: (options: ClientOptions) => StoreClient;
  readonly luck: Luck;
  readonly tally: Tally;
  readonly policy: Policy;
  /** Milliseconds of silence allowed to machines and gateways; absent: the default. */
  readonly leases?: Leases | undefined;
  /** Tells whether the replica dies at this point of a statement, whatever its luck. */
  readonly diesAt: (point: FaultPoint) => boolean;
}

/** Milliseconds between two looks at the due work without a hint, as in the real loop. */
const TICK_MS = 1_000;

/** Milliseconds after which a killed replica is started again. */
const KILLED_MS = 2_000;

/** A statement that takes a while takes so long at most, in milliseconds. */
const PAUSE_MAX_MS = 100;

/** The process that runs now; after its death everything of it is silent. */
interface ReplicaProcess {
  isAlive: boolean;
  readonly store: StoreClient;
  /** Use cases that the process serves with; null until it knows the time. */
  serving: Serving | null;
  readonly onDeath: Set<() => void>;
  isDraining: boolean;
  tickAt: number;
}

interface Serving {
  readonly ctx: Context;
  readonly fleet: ReturnType<typeof createFleet>;
  readonly commands: Waiters;
}

/** A replica that is started again after each death. */
export class Replica {
  readonly parts: ReplicaParts;
  /** Milliseconds between its computer's clock and that of others. */
  offMs = 0;
  #current: ReplicaProcess | null = null;

  constructor(parts: ReplicaParts) {
    this.parts = parts;
  }

  get isAlive(): boolean {
    return this.#current?.serving != null;
  }

  start(): void {
    if (this.#current !== null) return;
    const { time, random, open } = this.parts;
    const local: LocalClock = {
      now: () => time.now() + this.offMs,
      elapsed: () => time.now() + this.offMs,
      after: (ms, run) =>
        time.after(ms, () => {
          if (current.isAlive) run();
        }),
    };
    const sleep = (ms: number): Promise<void> => new Promise((resolve) => void local.after(ms, resolve));
    const store = open({ sleep, random: random.next, fault: (point) => this.#fault(point) });
    const current: ReplicaProcess = {
      isAlive: true,
      store,
      serving: null,
      onDeath: new Set(),
      isDraining: false,
      tickAt: Infinity,
    };
    this.#current = current;
    const watched = onTime(store, { now: time.now, tally: this.parts.tally });
    void this.#begin(current, () => DatabaseClock.open(local, watched.readClock), watched);
  }

  /** Starts serving as soon as the process knows the time. Without a database the process ends, and is started again. */
  async #begin(current: ReplicaProcess, open: () => Promise<DatabaseClock>, store: Store): Promise<void> {
    try {
      current.serving = this.#serving(await open(), store);
      this.#wake(this.parts.time.now());
    } catch {
      this.crash(TICK_MS);
    }
  }

  /** Lets its computer sleep for a moment: its clock stops until it reads the database's clock. */
  sleep(ms: number): void {
    const { time, random } = this.parts;
    this.offMs -= ms;
    this.#wake(time.now() + random.int(0, TICK_MS));
  }

  #serving(clock: DatabaseClock, store: Store): Serving {
    const { random, tally, policy, leases, lane, time } = this.parts;
    const commands = new Waiters();
    const events = new Waiters();
    const ids = new VirtualIds(() => clock.now(), lane);
    const ctx: Context = {
      store,
      clock,
      ids: { uuid: ids.uuid, secret: () => `${ids.secret()}-${random.int(0, 2 ** 30)}` },
      identity: FLEET,
      log: (level, message, fields) => this.#log(level, message, fields),
      hints: {
        commands: (id) => commands.wake(id),
        events: () => {},
        due: (at) => this.#wake(time.now() + at - clock.now()),
      },
      fleetSize: { machines: 1 },
      random: random.next,
      policy,
      accountOf: (profile) => ({ program: profile, account: null }),
      ...(leases !== undefined && { leases }),
      patrolEveryMs: 60_000,
      onDecision: ({ rules }) => {
        for (const rule of rules) count(tally.rules, rule);
        if (tally.isTraced) tally.log(`    ${this.parts.name} decides ${rules.join(' ')}`);
      },
    };
    const info = { version: '0', project: 'demo', root: null, pid: 1, startedAt: clock.now() };
    return { ctx, commands, fleet: createFleet(ctx, { info, events, commands, defaults: () => DEFAULTS, stop: null }) };
  }

  crash(restartMs: number): void {
    const current = this.#current;
    if (current === null) return;
    this.parts.tally.fault('replica-crash', this.parts.name);
    current.isAlive = false;
    this.#current = null;
    current.store.close();
    for (const tell of current.onDeath) tell();
    this.parts.time.after(restartMs, () => this.start());
  }

  /** Notifies the replica of a commit: as a notification, or the next look a moment later, would. */
  hearOfCommit(pendingFor: ReadonlySet<string>, nextDueAt: number | null): void {
    const { time, random } = this.parts;
    const serving = this.#current?.serving;
    if (serving == null) return;
    for (const id of pendingFor) time.after(random.int(0, 1_000), () => serving.commands.wake(id));
    if (nextDueAt === null) return;
    this.#wake(time.now() + Math.max(nextDueAt - serving.ctx.clock.now(), 0) + random.int(0, TICK_MS));
  }

  /** Runs something that a client asked for; it fails when the process dies before the answer. */
  serve<T>(run: (serving: Serving) => Promise<T>): Promise<T> {
    const current = this.#current;
    if (current?.serving == null) return Promise.reject(new Error(`${this.parts.name} is not there`));
    const { serving } = current;
    return new Promise((resolve, reject) => {
      const dead = (): void => reject(new Error(`${this.parts.name} died`));
      current.onDeath.add(dead);
      run(serving)
        .then(resolve, reject)
        .finally(() => current.onDeath.delete(dead));
    });
  }

  /** The long poll, as agent/routes.ts serves it. */
  sync(
    request: SyncRequest,
    { token, waitMs, signal }: { token: string; waitMs: number; signal: AbortSignal },
  ): Promise<SyncAnswer> {
    return this.serve(async ({ ctx, commands: waiters }) => {
      const machine = await ctx.store.machineByToken(sha256(token), ctx.clock.now());
      if (machine === null) return notRegistered(ctx, null);
      const ackThrough = await takePoll(ctx, machine, request);
      if (ackThrough === null) return notRegistered(ctx, await endOf(ctx, machine));
      const until = this.parts.time.now() + waitMs;
      for (;;) {
        const ms = Math.max(0, until - this.parts.time.now());
        using hint = listenFor(waiters, machine.id, { ms, after: (wait, run) => ctx.clock.after(wait, run), signal });
        const commands = await takeCommands(ctx, machine);
        if (commands.length > 0 || ms === 0 || signal.aborted) {
          const profiles = await newerProfiles(ctx, machine, request);
          return answer(ctx, machine, { ackThrough, commands, profiles });
        }
        await hint.heard;
      }
    });
  }

  #wake(at: number): void {
    const current = this.#current;
    if (current?.serving == null || current.isDraining || at >= current.tickAt) return;
    const { ctx } = current.serving;
    current.tickAt = at;
    const { time } = this.parts;
    time.after(at - time.now(), () => {
      if (!current.isAlive || current.tickAt !== at || current.isDraining) return;
      current.isDraining = true;
      current.tickAt = Infinity;
      void this.#drain(current, ctx);
    });
  }

  async #drain(current: ReplicaProcess, ctx: Context): Promise<void> {
    const { time } = this.parts;
    let next: number | null = null;
    try {
      await drainDueWork(ctx);
      next = await current.store.nextDueAt(ctx.clock.now());
    } catch {
      next = 0;
    }
    current.isDraining = false;
    if (next === null) return;
    const inMs = next - ctx.clock.now();
    this.#wake(time.now() + (inMs <= 0 ? TICK_MS : inMs));
  }

  #fault({ at, method }: FaultPoint): Fault | null {
    const { random, luck, tally, name, diesAt } = this.parts;
    if (diesAt({ at, method })) {
      this.crash(KILLED_MS);
      return null;
    }
    const { pause, slow, lost, conflict, crash } = luck.store;
    if (pause + slow + lost + conflict + crash === 0) return null;
    const dice = random.next();
    if (dice < crash) {
      this.crash(random.int(200, 15_000));
      return null;
    }
    if (dice < crash + lost) {
      tally.fault(at === 'committed' ? 'store-commit-unknown' : 'store-connection-lost', `${name} ${method} ${at}`);
      return { kind: 'lost-connection' };
    }
    if (dice < crash + lost + conflict && (at === 'statement' || at === 'commit')) {
      tally.fault('store-deadlock', `${name} ${method}`);
      return { kind: 'conflict' };
    }
    if (dice > 1 - slow) {
      tally.fault('store-slow', `${name} ${method}`);
      return { kind: 'slow', ms: random.int(10, 2_000) };
    }
    if (dice > 1 - slow - pause) return { kind: 'slow', ms: random.int(1, PAUSE_MAX_MS) };
    return null;
  }

  #log(level: string, message: string, fields?: Readonly<Record<string, unknown>>): void {
    const text = `${message} ${JSON.stringify(fields ?? {})}`;
    if (level === 'error' && !/ECONNRESET|deadlock|Connection terminated|No place shows the question/.test(text))
      this.parts.tally.broken(`the coordinator logs an error: ${text}`);
    this.parts.tally.log(`    ${this.parts.name} says ${text}`);
  }
}

/** Settings of a worker that specifies none. */
export const DEFAULTS = {
  role: 'developer',
  profile: 'claude',
  model: null,
  rolePrompt: '',
  skipPermissions: false,
  allowedTools: [],
  excludedFromPool: false,
  sessionWidth: 200,
  sessionHeight: 50,
  profiles: ['claude'],
} as const;
