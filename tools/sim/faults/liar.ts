// A machine that lies: in its own session it forges, replays and reorders reports of other machines' workers.
import { takeRequest } from '@drover/coordinator/testing';
import type { Context } from '@drover/coordinator/testing';
import type { AgentState, CommandKind, CommandResult, Policy } from '@drover/core';
import type { Observation, ObservationBody } from '@drover/protocol';
import type { Machine, WorkerRow } from '@drover/store';
import type { CommandRecord, MemoryDatabase } from '@drover/store/testing';
import { SeededRandom, toolFailure, VirtualIds } from '@drover/testkit';
import { FLEET } from '../coordinator/keys.ts';
import { count } from '../runs/tally.ts';
import type { Scene } from '../scene.ts';
import type { World } from '../coordinator/world.ts';

/** Schedules with several machines per schedule with a lying machine. */
const LIARS_EVERY = 4;
/** Milliseconds between two of its messages, at most. */
const PACE_MS = 4_000;
/** Start of its numbers, far above those of its own buffer: the liar harms others, not itself. */
const FAR = 2 ** 40;
/** Promise about a liar's reports. */
const PROMISE = 'no report of a machine is decided on for the worker of another';

/** Parts that a liar is made of. The liar knows everything that is on record: more than any machine could. */
export interface LiarParts extends Pick<Scene, 'seed' | 'time' | 'tally' | 'luck' | 'database'> {
  readonly policy: Policy;
  /** Opens the client by which it is heard. */
  readonly open: World['open'];
  /** The machine's name. */
  readonly name: string;
  /** Tells whether the machine can speak for the moment. */
  readonly canSpeak: () => boolean;
}

/** Tells whether a machine lies in a schedule, if there are several. */
export function liesIn(seed: number): boolean {
  return seed % LIARS_EVERY === 2;
}

/** Picks the machine that lies; null: there is but one. Draws from a chance of its own, so that all else comes as it would without the liar. */
export function liarOf(seed: number, machines: number): number | null {
  return machines < 2 ? null : new SeededRandom(seed * 104_729 + 3).int(0, machines - 1);
}

/** The second voice of a machine whose agent goes on as if nothing were. */
export class Liar {
  readonly #parts: LiarParts;
  readonly #random: SeededRandom;
  readonly #ids: VirtualIds;
  readonly #ctx: Context;
  /** The machine as it was after each of its hellos. */
  readonly #sessions: Machine[] = [];
  #told = 0;

  constructor(parts: LiarParts) {
    const { seed, time, tally, luck, policy, open } = parts;
    this.#parts = parts;
    const random = new SeededRandom(seed * 15_485_863 + 5);
    this.#random = random;
    this.#ids = new VirtualIds(time.now, 0xbad);
    const sleep = (ms: number): Promise<void> => time.sleep(ms);
    const store = open({
      sleep,
      random: random.next,
      fault: () => (random.chance(luck.store.pause) ? { kind: 'slow', ms: random.int(1, 100) } : null),
    });
    this.#ctx = {
      store,
      clock: { now: time.now, after: time.after },
      ids: this.#ids,
      identity: FLEET,
      log: (level, message) => tally.log(`    the liar's coordinator says ${level} ${message}`),
      hints: { commands: () => {}, events: () => {}, due: () => {} },
      fleetSize: { machines: 1 },
      random: random.next,
      policy,
      accountOf: (profile) => ({ program: profile, account: null }),
      patrolEveryMs: null,
      onDecision: ({ rules }) => tally.broken(`a forged report was decided on: ${rules.join(' ')}`),
    };
  }

  /** Lies for as long as time goes on. */
  async live(): Promise<void> {
    const { time, tally, name, canSpeak } = this.#parts;
    tally.fault('machine-lies', name);
    for (;;) {
      await time.sleep(this.#random.int(100, PACE_MS));
      const own = this.#own();
      if (own === undefined || own.agentEpoch === null || !canSpeak()) continue;
      if (this.#isExpecting(own)) return;
      if (this.#sessions.at(-1)?.epoch !== own.epoch) this.#sessions.push(own);
      try {
        await this.#speak(own, own.agentEpoch);
      } catch (error) {
        tally.log(`    the liar is not heard: ${String(error)}`);
      }
    }
  }

  /**
   * Tells whether a worker is on its way to this machine: from then on the machine speaks of its own worker, and reports of others about that
   * worker are no lies of this machine.
   */
  #isExpecting({ id }: Machine): boolean {
    return [...this.#database.workers.values()].some(
      ({ state: { move } }) => move.kind !== 'none' && move.route.to.id === id,
    );
  }

  #own(): Machine | undefined {
    return [...this.#database.machines.values()].find(({ name }) => name === this.#parts.name);
  }

  get #database(): MemoryDatabase {
    return this.#parts.database;
  }

  async #speak(own: Machine, agentEpoch: string): Promise<void> {
    const random = this.#random;
    const others = [...this.#database.workers.values()].filter(({ machineId }) => machineId !== own.id);
    if (others.length === 0) return;
    const bodies = Array.from({ length: random.int(1, 4) }, () => this.#lie(random.pick(others), own)).flat();
    const observations = (random.chance(0.3) ? bodies.toReversed() : bodies).map((body) => this.#numbered(body));
    const ids = this.#commands(({ machineId }) => machineId !== own.id).map(({ id }) => id);
    const acks = ids.length === 0 ? [] : Array.from({ length: random.int(0, 4) }, () => random.pick(ids));
    const strange = [...this.#database.machines.values()].flatMap((one) => one.agentEpoch ?? []);
    await takeRequest(this.#ctx, random.chance(0.9) ? own : random.pick(this.#sessions), {
      agentEpoch: random.chance(0.95) ? agentEpoch : random.pick(strange),
      profilesRevision: 0,
      acks,
      observations,
    });
  }

  /** Mostly under the next number, sometimes under one that was used. */
  #numbered(body: ObservationBody): Observation {
    if (!this.#random.chance(0.1)) this.#told += 1;
    return { seq: FAR + this.#told, at: this.#parts.time.now(), body };
  }

  #commands(isWanted: (command: CommandRecord) => boolean): readonly CommandRecord[] {
    return [...this.#database.outbox.values()].filter(isWanted);
  }

  #lie(row: WorkerRow, own: Machine): readonly ObservationBody[] {
    const { tally, time } = this.#parts;
    const random = this.#random;
    const kind = random.weighted(LIES);
    count(tally.faults, `lie: ${kind}`);
    count(tally.checks, PROMISE);
    const { id: workerId, state } = row;
    const incarnation = state.session.pane.kind === 'absent' ? '1.1.%1.1' : state.session.pane.incarnation;
    const at = time.now() + random.int(-5_000, 5_000);
    const { inFlight } = state.command;
    const newest = inFlight?.command.kind ?? 'observe';
    const given = this.#commands((one) => one.workerId === workerId && one.body.kind === 'command')[0];
    const seq = inFlight?.seq ?? state.command.seq + random.int(0, 1);
    const end = (commandId: string, result: CommandResult): ObservationBody[] => [
      {
        kind: 'result',
        workerId,
        commandId,
        seq,
        result: 'incarnation' in result ? { ...result, incarnation } : result,
      },
    ];
    switch (kind) {
      case 'end':
        return end(given?.id ?? this.#ids.uuid(), ENDS[newest]);
      case 'another-end':
        return end(given?.id ?? this.#ids.uuid(), random.pick(Object.values(ENDS)));
      case 'guessed-end':
        return end(this.#commands(({ machineId }) => machineId === own.id)[0]?.id ?? this.#ids.uuid(), ENDS[newest]);
      case 'failure':
        return end(given?.id ?? this.#ids.uuid(), { kind: 'failed', code: 'a-lie', message: 'a lie', retry: false });
      case 'screen': {
        const reading = { at, state: random.pick(SCREENS), fingerprint: 'a lie', progress: `${at}`, rule: 'a lie' };
        return [{ kind: 'screen', workerId, incarnation, reading }];
      }
      case 'exit': {
        const exit = { incarnation, status: random.int(0, 2), signal: null, lastLines: ['a lie'], limit: null, at };
        return [{ kind: 'exit', workerId, exit }];
      }
      case 'tool-failed':
        return [
          { kind: 'tool-failed', workerId, incarnation, report: toolFailure(random, { at, conversation: 'a lie' }) },
        ];
      case 'answer': {
        const asked = this.#commands(({ machineId, body }) => machineId !== own.id && body.kind === 'query');
        return asked.map(({ id: commandId }) => ({ kind: 'answer', commandId, result: A_LIE }));
      }
      case 'replay':
        return this.#replayed(own);
      default:
        return kind satisfies never;
    }
  }

  /** Replays what other machines said some time ago, one report or several in a row; of a worker that has come here since, it may speak. */
  #replayed(own: Machine): readonly ObservationBody[] {
    const { observations } = this.#database;
    const first = this.#random.int(0, Math.max(0, observations.size - 1));
    const some: ObservationBody[] = [];
    let index = 0;
    for (const { machineId, body } of observations.values()) {
      const isOwn = 'workerId' in body && this.#database.workers.get(body.workerId)?.machineId === own.id;
      const isOthers = machineId !== own.id && !isOwn && body.kind !== 'panes';
      if (index >= first && isOthers) some.push(body);
      if (some.length === 3) break;
      index += 1;
    }
    return some;
  }
}

/** Lies by how often they come. */
const LIES = {
  end: 6,
  'another-end': 3,
  'guessed-end': 2,
  failure: 2,
  screen: 5,
  exit: 3,
  'tool-failed': 1,
  answer: 2,
  replay: 5,
} as const;

const A_LIE = { kind: 'failed', code: 'a-lie', message: 'a lie' } as const;
const EMPTY = { kind: 'empty' } as const;
const SCREENS: readonly AgentState[] = [
  { kind: 'ready', after: 'completed', composer: EMPTY },
  { kind: 'ready', after: 'asked', composer: EMPTY },
  { kind: 'processing', queued: false, composer: EMPTY },
];
const RECEIPT = { evidence: ['transcript: a lie'], steps: [], method: 'a lie', bytes: 1, enters: 1 };

/** Results of commands that end well, as told of a command that was never carried out. */
const ENDS: Readonly<Record<CommandKind, CommandResult>> = {
  prepare: { kind: 'prepared', base: 'a-lie', head: 'a-lie', saved: null },
  open: { kind: 'opened', incarnation: '' },
  respawn: { kind: 'opened', incarnation: '' },
  close: { kind: 'closed' },
  deliver: { kind: 'delivered', at: 1, receipt: RECEIPT },
  observe: { kind: 'observed', incarnation: '', screen: null, git: null, delivery: null },
  answer: { kind: 'answered', label: 'a lie' },
  interrupt: { kind: 'at-rest', pressed: 1 },
  checkpoint: { kind: 'checkpointed', commit: 'a-lie', head: 'a-lie', dirty: 1 },
  restore: { kind: 'restored', head: 'a-lie', saved: null },
  rebase: { kind: 'rebased', base: 'a-lie', from: '', head: 'a-lie', moved: true },
  resolution: { kind: 'judged', verdict: 'resolved', head: 'a-lie', why: 'a lie', prompt: '', notes: [] },
  candidate: { kind: 'contained', head: 'a-lie', base: 'a-lie' },
  extend: { kind: 'extended', onto: 'a-lie', links: [], left: [] },
  validate: { kind: 'valid', head: 'a-lie', tree: 'a-lie', checks: 'a-lie' },
  publish: { kind: 'published', commit: 'a-lie' },
  prove: { kind: 'proven', commit: 'a-lie' },
  recycle: { kind: 'recycled', base: 'a-lie' },
  freeze: { kind: 'frozen', commit: 'f'.repeat(40) },
  'set-up': { kind: 'set-up', said: 'a lie' },
  'let-in': { kind: 'let-in' },
  remove: { kind: 'removed', kept: null },
};
