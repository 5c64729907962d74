// One schedule from one seed: a fleet is built, faults rain on it, they end, and everything must come to rest.
import { DEFAULT_POLICY } from '@drover/core';
import type { DialogWish, Policy } from '@drover/core';
import { invitationText } from '@drover/protocol';
import type { FaultPoint, MemoryDatabase } from '@drover/store/testing';
import { SeededRandom, SimGit, VirtualIds, VirtualTime } from '@drover/testkit';
import { Checker } from './promises/checker.ts';
import { Chat, hasOutside, isInChat, SECOND_PLACE } from './people/chat.ts';
import { Outside } from './people/outside.ts';
import { OutsideChecks } from './promises/outside.ts';
import { strike } from './faults/disasters.ts';
import { type Kill, Killer } from './faults/killer.ts';
import { finalProblems, unrest } from './promises/final-checks.ts';
import { FLEET, KEYS } from './coordinator/keys.ts';
import { Liar, liarOf, liesIn } from './faults/liar.ts';
import type { LiarParts } from './faults/liar.ts';
import { calmDown, crowdedScenarioOf, scenarioOf } from './faults/luck.ts';
import type { SimMachineParts } from './machine/parts.ts';
import { SimParcels } from './machine/parcels.ts';
import { SimMachine } from './machine/sim-machine.ts';
import { Network } from './coordinator/network.ts';
import { Mover } from './people/mover.ts';
import { Person } from './people/person.ts';
import { Replica } from './coordinator/replica.ts';
import { Tally } from './runs/tally.ts';
import { prepare } from './coordinator/prepare.ts';
import { memoryWorld } from './coordinator/world.ts';
import type { OpenWorld, World } from './coordinator/world.ts';

/** Virtual time within which everything must be at rest after the last fault. */
const REST_WITHIN_MS = 30 * 60_000;
/** For so many milliseconds all workers stay at rest, and no person is told anything. */
const STAYS_MS = 70_000;
/** Bots show what is due within this after the last fault. */
const SHOWN_WITHIN_MS = 60_000;
/** The history of every so many schedules is decided again: it costs as much as the schedule. */
const REPLAYED_EVERY = 5;
/** A coordinator that was killed is started again after this, in milliseconds. */
const CRASHED_MS = 2_000;
/** Virtual time between two looks whether everything is at rest. */
const POLL_EVERY_MS = 5_000;

/** The policy of the simulation: the rules as they are, with waits that are short enough to be reached often. */
const POLICY: Policy = {
  ...DEFAULT_POLICY,
  startUp: { timeoutMs: 20_000, attemptsMax: 3 },
  nudge: { firstMs: 60_000, secondMs: 80_000, handOverMs: 100_000 },
  agentError: { ...DEFAULT_POLICY.agentError, patienceMs: 15_000 },
  limit: { waitMs: 20_000, waitMaxMs: 60_000, attemptsMax: 5, spread: 0.2 },
  crash: { ...DEFAULT_POLICY.crash, limitWaitMs: 20_000 },
  account: {
    unknownReset: { firstDelayMs: 15_000, capMs: 60_000, factor: 2, jitter: 0.2 },
    spreadMs: 5_000,
    staggerMs: 500,
    probeTimeoutMs: 30_000,
  },
  checkpoint: { everyMs: 15_000 },
  silence: { firstMs: 20_000, againMs: 10_000 },
  command: {
    ...DEFAULT_POLICY.command,
    timeoutMs: {
      ...DEFAULT_POLICY.command.timeoutMs,
      prepare: 30_000,
      rebase: 30_000,
      validate: 60_000,
      recycle: 30_000,
      remove: 30_000,
    },
  },
};

/** One object for each wish: what is made of a policy is remembered by its identity. */
const POLICIES: Readonly<Record<DialogWish, Policy>> = {
  ask: POLICY,
  allow: { ...POLICY, dialogs: { ...POLICY.dialogs, permission: 'allow', other: 'allow' } },
  deny: { ...POLICY, dialogs: { ...POLICY.dialogs, permission: 'deny', other: 'deny' } },
};

/** How a schedule is run. */
export interface ScheduleOptions {
  readonly keepLines: boolean;
  /** Where its state is kept; in memory without it. */
  readonly open?: OpenWorld;
  /** Breaks the agents on purpose. */
  readonly tamper?: SimMachineParts['tamper'];
  readonly tamperHands?: SimMachineParts['tamperHands'];
  /** Kills at a point of one step. */
  readonly kill?: Kill;
  /** Many are at work, and much is accepted at once: for seeds that end in a zero. */
  readonly isCrowded?: boolean;
  /** Whether a machine lies, where there are several; without it the seed says so. */
  readonly lies?: boolean;
  /** Has the coordinator hear the liar through a store that is broken on purpose. */
  readonly hearLiar?: (open: LiarParts['open'], database: MemoryDatabase) => LiarParts['open'];
}

/** Runs the schedule of one seed. Never throws for a broken promise: the tally tells of it. */
export async function runSchedule(seed: number, options: ScheduleOptions): Promise<Tally> {
  const {
    profile,
    replicas: replicaCount,
    machines: machineCount,
    workers,
    chaosMs,
    paceMs,
    crowd,
    luck,
    dialogs,
  } = options.isCrowded === true || options.kill?.way === 'train' ? crowdedScenarioOf(seed) : scenarioOf(seed);
  const policy = POLICIES[dialogs];
  const isReal = options.open !== undefined;
  const time: VirtualTime = new VirtualTime(isReal ? () => world.rest?.() ?? Promise.resolve() : undefined);
  const random = new SeededRandom(seed);
  const tally = new Tally(time.now, options);
  const databaseClock = { offMs: 0 };
  await using world: World = await (options.open ?? memoryWorld)(() => time.now() + databaseClock.offMs);
  const { database, open } = world;
  const git = new SimGit();
  const parcels = new SimParcels();
  if (crowd > 0) git.beginQuarrels();
  const checker = new Checker({
    database,
    tally,
    policy,
    repository: {
      worksAt: (head) => git.worksAt(head),
      merged: () => new Set(git.merged()),
      contains: (commit) => git.isAncestor(commit, git.tip),
      worksElsewhere: (workerId, name) => new Set([...git.merged(), ...worksElsewhere(workerId, name)]),
    },
  });
  git.onMoved((from) => checker.merges.mainMoved(from));
  const crashAll = (): void => {
    for (const replica of replicas) replica.crash(CRASHED_MS);
  };
  const killer = options.kill === undefined ? null : new Killer(options.kill, { database, crashAll });
  const replicas: readonly Replica[] = Array.from({ length: replicaCount }, (_, index) => {
    const name = `replica${index}`;
    const diesAt = (point: FaultPoint): boolean => killer?.coordinatorDies(name, point) ?? false;
    return new Replica({ name, lane: index + 1, time, random, open, luck, tally, policy, diesAt });
  });
  for (const replica of replicas) replica.offMs = random.int(-luck.skewMs, luck.skewMs);
  const network = new Network({ time, random, luck, tally, replicas });
  const uuids = new VirtualIds(time.now, 0xfff);
  const machines = Array.from({ length: machineCount }, (_, index) => {
    const name = `m${index}`;
    const keys = KEYS[index];
    if (keys === undefined) throw new Error(`There is no key for ${name}`);
    return new SimMachine({
      name,
      number: index + 1,
      time,
      random,
      isHome: index === 0,
      git: git.cloneElsewhere(),
      parcels,
      luck: luck.machine,
      watch: checker,
      keys,
      joinToken: invitationText({ secret: name, coordinator: FLEET.id }),
      urls: network.urlsFor(index),
      post: network.postFrom(name),
      launched: oneLivingCopy,
      uuid: uuids.uuid,
      tamper: options.tamper,
      tamperHands: options.tamperHands,
      diesAt: (point, kind) => killer?.agentDies(point, kind) ?? false,
    });
  });
  // What a real server has committed is mirrored without the calls of people, which the checks of a chat go by.
  const hasChat = !isReal && isInChat(seed);
  await prepare(world, { machines, uuid: uuids.uuid, now: time.now(), seed, hasChat });
  hearCommits(database, { checker, replicas });
  for (const replica of replicas) replica.start();
  for (const machine of machines) machine.start();
  const person = new Person({ time, random, database, replicas, machines, checker, tally, workers, paceMs, crowd });
  time.after(2_000, () => void person.live());
  const isAway = (): boolean => person.isAway;
  const dropped = (workerId: string): void => void person.dropped.set(workerId, time.now());
  checker.calls.onDefault = (workerIds) => workerIds.forEach(dropped);
  const parts = { seed, time, tally, database, replicas, checker, isAway, dropped };
  const chat = hasChat ? new Chat(parts) : null;
  chat?.live();
  const outside = chat !== null && hasOutside(seed) ? new OutsideChecks(database, tally) : null;
  if (chat !== null && outside !== null) {
    checker.calls.outside = outside;
    new Chat({ ...parts, place: SECOND_PLACE }, chat.cards).live();
    new Outside({ ...parts, chat, checks: outside }).live();
  }
  world.disturb({ seed, time, tally });
  const lying = machines[(options.lies ?? liesIn(seed)) ? (liarOf(seed, machineCount) ?? -1) : -1];
  if (lying !== undefined) {
    const { name } = lying.parts;
    const canSpeak = (): boolean => lying.isUp && !network.isAway(name);
    const hear = options.hearLiar?.(open, database) ?? open;
    void new Liar({ seed, time, tally, luck, policy, database, open: hear, name, canSpeak }).live();
  }
  const mover = new Mover({ seed, time, tally, database, replicas, isAway });
  if (mover.isIn(machineCount) || options.kill?.way === 'move') time.after(5_000, () => void mover.live());
  void strike({ time, random, luck, tally, network, replicas, machines, git, databaseClock });
  const isBroken = (): boolean => tally.violation !== null;
  await time.run(time.now() + chaosMs, isBroken);
  tally.log('--- the faults end');
  calmDown(luck);
  person.isAway = true;
  git.sourceIsDirty = false;
  git.mendTip();
  if (random.chance(0.7)) void person.wantAllUp();
  const isAtRest = await untilRest();
  if (!isBroken() && isAtRest) {
    checker.rest();
    await time.run(time.now() + STAYS_MS, isBroken);
    if (chat !== null) await showLast(chat);
    for (const problem of finalProblems({
      database,
      git,
      machines,
      checker,
      // What a damaged row was before is not in its history.
      isReplayed: seed % REPLAYED_EVERY === 0 && profile !== 'damaged',
      person,
    }))
      tally.broken(problem);
  }
  for (const machine of machines) machine.scrap();
  return tally;

  /** A worker that moves never has an agent in two places. */
  function oneLivingCopy(workerId: string): void {
    const living = machines.filter(({ panes }) => panes.get(workerId)?.program.end === null);
    if (living.length > 1)
      tally.broken(`a worker has an agent on ${living.map(({ parts }) => parts.name).join(' and ')}`);
  }

  function worksElsewhere(workerId: string, name: string): readonly string[] {
    const others = machines.filter(({ parts }) => parts.name !== name);
    return others.flatMap(({ parts }) => [...parts.git.worksHeld(workerId)]);
  }

  function away(): readonly SimMachine[] {
    return machines.filter(({ isUp, parts }) => !isUp || network.isAway(parts.name));
  }

  /** A pause of a failed try may be left. */
  async function showLast({ cards }: Chat): Promise<void> {
    const end = time.now() + SHOWN_WITHIN_MS;
    while (checker.calls.wrongCard(cards) !== null && time.now() < end && !isBroken())
      await time.run(time.now() + POLL_EVERY_MS, isBroken);
    checker.calls.checkCards(cards);
    const isBehind = (): boolean => outside?.isAtEnd === false;
    while (isBehind() && time.now() < end && !isBroken()) await time.run(time.now() + POLL_EVERY_MS, isBroken);
    if (!isBroken()) outside?.end();
  }

  async function untilRest(): Promise<boolean> {
    const end = time.now() + REST_WITHIN_MS;
    // Partitions and reboots of the last moment, and the longest waits of the policy, are over one by one.
    await time.run(time.now() + 2 * POLL_EVERY_MS, isBroken);
    while (time.now() < end && !isBroken()) {
      await time.run(time.now() + POLL_EVERY_MS, isBroken);
      if (unrest({ database, away: away() }) === null) return true;
    }
    if (!isBroken())
      tally.broken(`not at rest after ${REST_WITHIN_MS / 60_000} min: ${unrest({ database, away: away() })}`);
    return false;
  }
}

function hearCommits(
  database: MemoryDatabase,
  { checker, replicas }: { checker: Checker; replicas: readonly Replica[] },
): void {
  let dueBefore: number | null = null;
  const told = new Set<string>();
  database.onCommitted = () => {
    checker.committed();
    const pending = new Set<string>();
    for (const { id, machineId, state } of database.outbox.values()) {
      if (state !== 'pending' || told.has(id)) continue;
      told.add(id);
      pending.add(machineId);
    }
    let due: number | null = null;
    for (const { dueAt } of database.dueWork.values()) due = due === null ? dueAt : Math.min(due, dueAt);
    if (pending.size === 0 && due === dueBefore) return;
    for (const replica of replicas) replica.hearOfCommit(pending, due === dueBefore ? null : due);
    dueBefore = due;
  };
}
