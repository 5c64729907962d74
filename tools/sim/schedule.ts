// Runs one schedule from one seed: a fleet is built, faults rain on it, they end, and everything must come to rest.
import { invitationText } from '@drover/protocol';
import type { ClientOptions, FaultPoint, MemoryDatabase, StoreClient } from '@drover/store/testing';
import { SeededRandom, VirtualIds, VirtualTime } from '@drover/testkit';
import { Checker } from './promises/checker.ts';
import { Chat, hasOutside, isInChat, SECOND_PLACE } from './people/chat.ts';
import { Outside } from './people/outside.ts';
import { OutsideChecks } from './promises/outside.ts';
import { strike } from './faults/disasters.ts';
import { type Kill, Killer } from './faults/killer.ts';
import { finalProblems, unrest } from './promises/final-checks.ts';
import { repositoryOf } from './promises/repository.ts';
import { runProblems } from './promises/runs/rest.ts';
import { troubleGateways } from './faults/gateways.ts';
import { hearCommits } from './coordinator/hear-commits.ts';
import { addHosts, drawGateways, termsOfHosts } from './coordinator/hosts.ts';
import { FLEET, KEYS } from './coordinator/keys.ts';
import { Liar, liarOf, liesIn } from './faults/liar.ts';
import type { LiarParts } from './faults/liar.ts';
import { calmDown, crowdedScenarioOf, scenarioOf } from './faults/luck.ts';
import { Clones } from './machine/clones.ts';
import type { BrokenMachine } from './machine/parts.ts';
import { SimParcels } from './machine/parcels.ts';
import { SimMachine } from './machine/sim-machine.ts';
import { Network } from './coordinator/network.ts';
import { editSettings } from './people/editor.ts';
import { hasMoves, moveWorkers } from './people/mover.ts';
import { ownMachines } from './people/owner.ts';
import { Person } from './people/person.ts';
import { budgetsIn, dryEveryIn } from './faults/spending.ts';
import { hasRuns, Runner } from './people/runner.ts';
import { Terms } from './people/terms.ts';
import { DEFAULTS, Replica } from './coordinator/replica.ts';
import { Tally } from './runs/tally.ts';
import { POLICIES } from './coordinator/policy.ts';
import { prepare } from './coordinator/prepare.ts';
import { drawProjects, rootsOn } from './coordinator/projects.ts';
import { memoryWorld } from './coordinator/world.ts';
import type { OpenWorld, World } from './coordinator/world.ts';

/** Virtual time within which everything must be at rest after the last fault. */
const REST_WITHIN_MS = 30 * 60_000;
/** Milliseconds for which all workers stay at rest, and no person is notified. */
const STAYS_MS = 70_000;
/** Bots show what is due within this after the last fault. */
const SHOWN_WITHIN_MS = 60_000;
/** The history of every so many schedules is decided again: it costs as much as the schedule. */
const REPLAYED_EVERY = 5;
/** A coordinator that was killed is started again after this, in milliseconds. */
const CRASHED_MS = 2_000;
/** Machines per machine that does not report that it has started again. */
const SILENT_EVERY = 4;
/** Workers of a schedule with runs at least, and milliseconds that it goes on for longer: several stages are to be reached. */
const RUN_WORKERS = 5;
const RUN_MS = 60_000;
/** Virtual time between two looks whether everything is at rest. */
const POLL_EVERY_MS = 5_000;

export interface ScheduleOptions extends BrokenMachine {
  readonly keepLines: boolean;
  /** Opens the store of its state; in memory without it. */
  readonly open?: OpenWorld;
  /** Gives the coordinators a store that is broken on purpose. */
  readonly tamperStore?: (store: StoreClient) => StoreClient;
  /** Kills at a point of one step. */
  readonly kill?: Kill;
  /** Tells whether many are at work, and much is accepted at once: for seeds that end in a zero. */
  readonly isCrowded?: boolean;
  /** Runs one project, agents on all machines, and nobody who changes terms or settings. */
  readonly isPlain?: boolean;
  /** Tells whether runs are started; without it the seed decides. */
  readonly runs?: boolean | undefined;
  /** Tells whether a machine lies, where there are several; without it the seed decides. */
  readonly lies?: boolean;
  /** Passes the liar's reports to the coordinator through a store that is broken on purpose. */
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
  const uuids = new VirtualIds(time.now, 0xfff);
  // Crowds and kills have their own way: one project, and agents on every machine.
  const several = options.kill === undefined && options.isCrowded !== true && options.isPlain !== true;
  const isSparing = options.kill?.way === 'run' || (several && (options.runs ?? hasRuns(seed)));
  const budgets = several && isSparing ? budgetsIn(seed) : null;
  const { leases, longerMs } = termsOfHosts(seed, several);
  const projects = drawProjects({ seed, machines: machineCount, uuid: uuids.uuid, several });
  if (projects.length > 1) tally.fault('note: several projects');
  const origins = projects.map(({ origin }) => origin);
  const parcels = new SimParcels();
  if (crowd > 0) for (const origin of origins) origin.beginQuarrels();
  const checker = new Checker({
    database,
    tally,
    policy,
    now: time.now,
    isExact: !isReal,
    defaults: DEFAULTS,
    repository: repositoryOf({ projects, machines: () => machines }),
  });
  for (const { id, origin } of projects) {
    origin.onMoved((from) => checker.merges.mainMoved(from, id));
    origin.onRewritten((from, dropped) => checker.merges.mainRewritten(from, { projectId: id, dropped }));
  }
  const crashAll = (): void => replicas.forEach((replica) => replica.crash(CRASHED_MS));
  const killer = options.kill === undefined ? null : new Killer(options.kill, { database, crashAll });
  const replicas: readonly Replica[] = Array.from({ length: replicaCount }, (_, index) => {
    const name = `replica${index}`;
    const diesAt = (point: FaultPoint): boolean => killer?.coordinatorDies(name, point) ?? false;
    const { tamperStore = (store: StoreClient) => store } = options;
    const opened = (client: ClientOptions): StoreClient => {
      const store = tamperStore(open(client));
      return killer?.watch(name, store) ?? store;
    };
    return new Replica({ name, lane: index + 1, time, random, open: opened, luck, tally, policy, leases, diesAt });
  });
  for (const replica of replicas) replica.offMs = random.int(-luck.skewMs, luck.skewMs);
  const network = new Network({ time, random, luck, tally, replicas });
  const machines = Array.from({ length: machineCount }, (_, index) => {
    const name = `m${index}`;
    const keys = KEYS[index];
    if (keys === undefined) throw new Error(`There is no key for ${name}`);
    return new SimMachine({
      name,
      number: index + 1,
      tellsStarts: (seed + index) % SILENT_EVERY !== 0,
      time,
      random,
      roots: rootsOn(projects, index),
      clones: new Clones(projects),
      parcels,
      luck: luck.machine,
      tellsUsage: budgets !== null,
      dryEvery: budgets === null ? Infinity : dryEveryIn(seed),
      watch: checker,
      keys,
      joinToken: invitationText({ secret: name, coordinator: FLEET.id }),
      urls: network.urlsFor(index),
      post: network.postFrom(name),
      launched: oneLivingCopy,
      uuid: uuids.uuid,
      broken: options,
      diesAt: (point, kind) => killer?.agentDies(point, kind) ?? false,
    });
  });
  // A real server's commits are mirrored without the calls of people, which the checks of a chat go by.
  const hasChat = !isReal && isInChat(seed);
  const hosting = { seed, time, tally, checker, network, replicas, machines, projects, uuid: uuids.uuid };
  const gateways = several ? drawGateways(hosting) : [];
  const gatewayNames = gateways.map(({ parts }) => parts.name);
  await prepare(world, {
    machines,
    projects,
    gateways: gatewayNames,
    uuid: uuids.uuid,
    now: time.now(),
    seed,
    hasChat,
    budgets,
  });
  hearCommits(database, { checker, replicas });
  for (const replica of replicas) replica.start();
  for (const machine of machines) machine.start();
  for (const gateway of gateways) gateway.start();
  if (gateways.length > 0) time.after(200, () => void addHosts(hosting));
  const terms = new Terms(seed);
  const hands = isSparing ? Math.max(workers, RUN_WORKERS) : workers;
  const people = { time, random, database, replicas, machines, checker, tally, workers: hands, paceMs, crowd, terms };
  const person = new Person({ ...people, isSparing });
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
  // Gateways report about a host under an epoch of their own.
  if (lying !== undefined && lying.wires.length === 0) {
    const { name } = lying.parts;
    const canSpeak = (): boolean => lying.isUp && !network.isAway(name);
    const hear = options.hearLiar?.(open, database) ?? open;
    void new Liar({ seed, time, tally, luck, policy, database, open: hear, name, canSpeak }).live();
  }
  if (isSparing) time.after(4_000, () => void new Runner(parts).live());
  if (hasMoves(seed, machineCount) || options.kill?.way === 'move') time.after(5_000, () => void moveWorkers(parts));
  if (options.kill === undefined && options.isPlain !== true) {
    time.after(3_000, () => void ownMachines({ ...parts, terms }));
    const names = machines.map((machine) => machine.name);
    void editSettings({ ...parts, projects, machines: names, mayApply: !hasChat, budgets });
  }
  void strike({ time, random, luck, tally, network, replicas, machines, origins, databaseClock });
  if (gateways.length > 0)
    time.after(
      8_000,
      () => void troubleGateways({ seed, time, tally, checker, network, replicas, gateways, isOver: isAway }),
    );
  const isBroken = (): boolean => tally.violation !== null;
  await time.run(time.now() + chaosMs + longerMs + (isSparing ? RUN_MS : 0), isBroken);
  tally.log('--- the faults end');
  calmDown(luck);
  person.isAway = true;
  for (const { wires } of machines) for (const wire of wires) wire.mend();
  for (const origin of origins) {
    origin.sourceIsDirty = false;
    origin.mendTip();
  }
  if (random.chance(0.7)) void person.wantAllUp();
  const isAtRest = await untilRest();
  if (!isBroken() && isAtRest) {
    checker.rest();
    await time.run(time.now() + STAYS_MS, isBroken);
    if (chat !== null) await showLast(chat);
    checker.fleet.settings.checkRest();
    for (const problem of finalProblems({
      database,
      origins,
      machines,
      checker,
      // The history of a damaged row does not hold what the row was before.
      isReplayed: seed % REPLAYED_EVERY === 0 && profile !== 'damaged',
      person,
    }))
      tally.broken(problem);
    for (const problem of runProblems(database)) tally.broken(problem);
  }
  for (const gateway of gateways) gateway.scrap();
  for (const machine of machines) machine.scrap();
  return tally;

  /** A worker that moves never has an agent in two places. */
  function oneLivingCopy(workerId: string): void {
    const living = machines.filter(({ panes }) => panes.get(workerId)?.program.end === null);
    if (living.length > 1)
      tally.broken(`a worker has an agent on ${living.map(({ parts }) => parts.name).join(' and ')}`);
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
      if (unrest({ database, away: away(), now: time.now() }) === null) return true;
    }
    if (!isBroken())
      tally.broken(
        `not at rest after ${REST_WITHIN_MS / 60_000} min: ${unrest({ database, away: away(), now: time.now() })}`,
      );
    return false;
  }
}
