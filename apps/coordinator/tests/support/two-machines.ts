/** Builds two machines with workers at work, on a store in memory: one is honest, the other sends the test's reports. */
import { newWorker, type AgentState, type CommandKind, type CommandResult, type WorkerEvent } from '@drover/core';
import type { Observation, ObservationBody, SyncRequest, UnreadObservation } from '@drover/protocol';
import type { Machine, MachinePlaces, WorkerRow } from '@drover/store';
import { createMemoryStore, MemoryDatabase, workerOptions } from '@drover/store/testing';
import { takePoll } from '../../src/agent/sync.ts';
import type { Context } from '../../src/context/context.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { AT_ROOT, contextOf, Nature } from './scene.ts';

const EMPTY = { kind: 'empty' } as const;
const RECEIPT = { evidence: ['transcript: it'], steps: [], method: 'paste', bytes: 1, enters: 1 };
const WORK = { head: 'b'.repeat(40), tree: 'e'.repeat(40) } as const;
/** Commit of the work on the default branch. */
const MADE = { commit: 'c'.repeat(40), tree: 'f'.repeat(40) } as const;
const GIT = { head: WORK.head, ahead: 1, dirty: 0, subject: 's', rebasing: false, unmerged: 0 };
export const READY: AgentState = { kind: 'ready', after: 'completed', composer: EMPTY };
export const BUSY: AgentState = { kind: 'processing', queued: false, composer: EMPTY };

/** Ends of commands on a diligent machine. */
export const ENDS: Readonly<Record<CommandKind, CommandResult>> = {
  prepare: { kind: 'prepared', base: 'aaaaaaa', head: 'aaaaaaa', saved: null },
  open: { kind: 'opened', incarnation: 'a life' },
  respawn: { kind: 'opened', incarnation: 'a life' },
  close: { kind: 'closed' },
  deliver: { kind: 'delivered', at: 1, receipt: RECEIPT },
  observe: { kind: 'observed', incarnation: 'a life', screen: readingOf(READY, 9), git: GIT, delivery: null },
  answer: { kind: 'answered', label: 'Yes' },
  checkpoint: { kind: 'checkpointed', commit: null, head: 'aaaaaaa', dirty: 0 },
  interrupt: { kind: 'at-rest', pressed: 1 },
  restore: { kind: 'restored', head: 'aaaaaaa', saved: null },
  rebase: { kind: 'rebased', base: 'aaaaaaa', from: WORK.head, head: WORK.head, moved: false },
  resolution: { kind: 'judged', verdict: 'resolved', head: WORK.head, why: 'has resolved', prompt: '', notes: [] },
  candidate: {
    kind: 'candidate',
    head: WORK.head,
    headTree: WORK.tree,
    base: 'a'.repeat(40),
    ...MADE,
    checks: 'make',
    notes: [],
  },
  extend: { kind: 'extended', onto: MADE.commit, links: [], left: [] },
  validate: { kind: 'valid', head: MADE.commit, tree: MADE.tree, checks: 'make' },
  publish: { kind: 'published', commit: MADE.commit },
  prove: { kind: 'proven', commit: MADE.commit },
  recycle: { kind: 'recycled', base: MADE.commit },
  freeze: { kind: 'frozen', commit: 'f'.repeat(40) },
  'set-up': { kind: 'set-up', said: '' },
  'let-in': { kind: 'let-in' },
  remove: { kind: 'removed', kept: null },
};

export function readingOf(state: AgentState, at: number) {
  return { at, state, fingerprint: `f${at}`, progress: `p${at}`, rule: 'test' };
}

/** The command in flight of a worker, as its machine knows it. */
export interface GivenCommand {
  readonly commandId: string;
  readonly seq: number;
}

export interface TwoMachines {
  readonly database: MemoryDatabase;
  readonly ctx: Context;
  /** Warnings in the log, and counted refusals. */
  readonly logged: string[];
  readonly counted: string[];
  readonly liar: Machine;
  readonly honest: Machine;
  /** Workers at work, with a delivery in flight: `ann` of the liar, `bea` of the honest machine. */
  readonly ann: WorkerRow;
  readonly bea: WorkerRow;
  /** Workers of the honest machine: `bob` is being merged, with its candidate on its way; `cal` waits for a person. */
  readonly bob: WorkerRow;
  readonly cal: WorkerRow;
  /** Id of a question to the honest machine. */
  readonly queryId: string;
  commandOf(worker: WorkerRow): GivenCommand;
  /** Says a new hello, perhaps with places of checkouts. @returns the machine after the hello. */
  hello(machine: Machine, places?: MachinePlaces): Promise<Machine>;
  /** Adds a worker of the machine, which prepares its worktree, and has not answered yet. */
  begin(machine: Machine, name: string): Promise<WorkerRow>;
  /** Sends one message, by poll. @returns null when it is refused. */
  send(
    machine: Machine,
    observations: readonly (Observation | UnreadObservation)[],
    more?: Partial<SyncRequest>,
  ): Promise<number | null>;
  /** Sends one report under the next number. */
  say(machine: Machine, body: ObservationBody): Promise<number | null>;
}

/** Builds both machines. */
export async function twoMachines(nature = new Nature()): Promise<TwoMachines> {
  const database = new MemoryDatabase();
  const store = createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 });
  const [logged, counted]: [string[], string[]] = [[], []];
  const ctx: Context = {
    ...contextOf(store, nature),
    log: (level, message) => void (level === 'warn' && logged.push(message)),
    counters: {
      decided: () => {},
      observed: () => {},
      unread: () => {},
      done: () => {},
      refused: (reason) => counted.push(reason),
    },
  };
  const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' };
  const projectId = ctx.ids.uuid();
  await store.upsertProject({ id: projectId, name: 'p', source: '/s', root: '/r', defaultBranch: 'main', config }, 1);

  async function hello(machine: Machine, places: MachinePlaces = AT_ROOT): Promise<Machine> {
    const { id, agentEpoch, epoch, publicKey } = machine;
    const greeted = await store.hello({
      machineId: id,
      epoch,
      publicKey,
      rotated: false,
      dialledUrl: 'http://127.0.0.1:1',
      agentEpoch: agentEpoch ?? ctx.ids.uuid(),
      version: '0',
      facts: {},
      places,
      accessTokenSha256: ctx.ids.uuid(),
      accessTokenExpiresAt: ctx.clock.now() + 1,
      now: ctx.clock.now(),
    });
    if (greeted === null) throw new Error('The machine said no hello');
    return greeted;
  }

  async function join(name: string): Promise<Machine> {
    await store.createJoinToken({ sha256: name, expiresAt: 2_000_000, now: 1 });
    const id = ctx.ids.uuid();
    await store.joinMachine({ id, name, publicKey: name, tokenSha256: name, now: ctx.clock.now() });
    const joined = await store.readMachine(id);
    if (joined === null) throw new Error('The machine did not join');
    return hello(joined);
  }

  const seqs = new Map<string, number>();
  const send: TwoMachines['send'] = (machine, observations, more = {}) =>
    takePoll(ctx, machine, {
      agentEpoch: machine.agentEpoch ?? '',
      profilesRevision: 0,
      acks: [],
      observations,
      ...more,
    });
  const say: TwoMachines['say'] = (machine, body) => {
    const seq = (seqs.get(machine.id) ?? 0) + 1;
    seqs.set(machine.id, seq);
    return send(machine, [{ seq, at: seq, body }]);
  };

  function rowOf({ id }: WorkerRow): WorkerRow {
    const row = database.workers.get(id);
    if (row === undefined) throw new Error('The worker is gone');
    return row;
  }

  function commandOf(worker: WorkerRow): GivenCommand {
    const seq = rowOf(worker).state.command.inFlight?.seq ?? 0;
    const all = [...database.outbox.values(), ...database.ended.values()];
    const found = all.find(({ workerId, body }) => workerId === worker.id && 'seq' in body && body.seq === seq);
    if (found === undefined) throw new Error(`"${worker.name}" has no command in flight`);
    return { commandId: found.id, seq };
  }

  async function hear(worker: WorkerRow, event: WorkerEvent): Promise<void> {
    await store.transaction((tx) => handleEvent(ctx, tx, { workerId: worker.id, event, by: { kind: 'policy' } }));
    nature.now += 10;
  }

  /** Ends commands as a diligent machine until one of this kind is in flight, or none. */
  async function work(machine: Machine, worker: WorkerRow, until: CommandKind | null = null): Promise<void> {
    for (;;) {
      await store.takeCommands(machine.id, machine.epoch, 50);
      const { inFlight } = rowOf(worker).state.command;
      if (inFlight === null || inFlight.command.kind === until) return;
      const ended = ENDS[inFlight.command.kind];
      const result = 'incarnation' in ended ? { ...ended, incarnation: incarnationOf(worker) } : ended;
      await say(machine, { kind: 'result', workerId: worker.id, ...commandOf(worker), result });
      nature.now += 10;
    }
  }

  async function see(machine: Machine, worker: WorkerRow, state: AgentState): Promise<void> {
    nature.now += 10;
    const reading = readingOf(state, nature.now);
    await say(machine, { kind: 'screen', workerId: worker.id, incarnation: incarnationOf(worker), reading });
  }

  async function begin(machine: Machine, name: string): Promise<WorkerRow> {
    const row = { id: ctx.ids.uuid(), projectId, machineId: machine.id, name, options: workerOptions() };
    await store.transaction((tx) => tx.insertWorker({ ...row, state: newWorker(), createdAt: 1 }));
    const worker = { ...row, state: newWorker(), version: 1, createdAt: 1, updatedAt: 1 };
    await hear(worker, { kind: 'up-requested' });
    return worker;
  }

  async function add(machine: Machine, name: string): Promise<WorkerRow> {
    const worker = await begin(machine, name);
    await work(machine, worker);
    await see(machine, worker, READY);
    const taskId = ctx.ids.uuid();
    await hear(worker, { kind: 'start-requested', taskId, prompt: 'do it', text: 'do it' });
    await work(machine, worker, 'deliver');
    return worker;
  }

  /** Ends the turn; the next look decides the fate of the work. */
  async function finishTurn(machine: Machine, worker: WorkerRow): Promise<void> {
    await work(machine, worker);
    await see(machine, worker, BUSY);
    await see(machine, worker, READY);
    nature.now = rowOf(worker).state.deadlines.settle ?? nature.now;
    await hear(worker, { kind: 'deadline-expired', name: 'settle' });
  }

  const [liar, honest] = [await join('liar'), await join('honest')];
  const ann = await add(liar, 'ann');
  const bea = await add(honest, 'bea');
  const bob = await add(honest, 'bob');
  await finishTurn(honest, bob);
  await work(honest, bob);
  await hear(bob, { kind: 'accept-requested', pin: WORK });
  await work(honest, bob, 'candidate');
  const cal = await add(honest, 'cal');
  await finishTurn(honest, cal);
  const observed = {
    kind: 'observed',
    incarnation: incarnationOf(cal),
    git: { ...GIT, head: 'aaaaaaa', ahead: 0 },
  } as const;
  const found: CommandResult = { ...observed, screen: readingOf(READY, nature.now), delivery: null };
  await say(honest, { kind: 'result', workerId: cal.id, ...commandOf(cal), result: found });
  await work(honest, cal);
  const states = [ann, bea, bob, cal].map((worker) => rowOf(worker).state);
  const told = states
    .map(({ lifecycle, command }) => `${lifecycle.status} ${command.inFlight?.command.kind}`)
    .join(', ');
  if (told !== STATES) throw new Error(`The workers are not as they should be: ${told}`);
  const queryId = ctx.ids.uuid();
  const settings = [...database.outbox.values()].find(({ workerId }) => workerId === bea.id)?.settings;
  if (settings === undefined) throw new Error('There are no settings');
  const query = { id: queryId, machineId: honest.id, workerId: bea.id, settings, timeoutMs: 1 };
  const body = { kind: 'query', query: { kind: 'read-screen' } } as const;
  await store.transaction((tx) => tx.insertCommands([{ ...query, body }], ctx.clock.now()));
  logged.length = 0;
  counted.length = 0;
  return {
    database,
    ctx,
    logged,
    counted,
    liar,
    honest,
    ann,
    bea,
    bob,
    cal,
    queryId,
    commandOf,
    hello,
    begin,
    send,
    say,
  };
}

const STATES = 'working deliver, working deliver, needs_review candidate, needs_input undefined';

export function incarnationOf({ name }: WorkerRow): string {
  return `1.1.%1.${name}`;
}

/** Returns everything on record of a machine and its workers. */
export function contentsOf({ database }: TwoMachines, { id }: Machine): unknown {
  const own = new Set([...database.workers.values()].filter(({ machineId }) => machineId === id).map((row) => row.id));
  const ofOwn = <T extends { readonly workerId: string | null }>(rows: Iterable<T>): readonly T[] =>
    [...rows].filter(({ workerId }) => workerId !== null && own.has(workerId));
  return structuredClone({
    machine: database.machines.get(id),
    workers: [...database.workers.values()].filter(({ machineId }) => machineId === id),
    commands: [...database.outbox.values(), ...database.ended.values()].filter(({ machineId }) => machineId === id),
    due: [...database.dueWork].filter(([key]) => [...own].some((worker) => key.includes(worker))),
    events: ofOwn(database.events.values()),
    escalations: ofOwn(database.escalations.values()),
    incidents: ofOwn(database.incidents.values()),
    errors: ofOwn(database.errors.values()),
    checkpoints: ofOwn(database.checkpoints.values()),
    receipts: ofOwn(database.receipts.values()),
    queue: ofOwn(database.queueItems.values()),
    accounts: [...database.accounts].filter(([key]) => key.endsWith(`@${id}`)),
  });
}
