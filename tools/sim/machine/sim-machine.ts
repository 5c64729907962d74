/**
 * One simulated machine: panes and git that live on whatever happens to the agent, a disk that outlives it, and the real
 * core of the agent (apps/machine-agent/src/core.ts), started again after each death.
 */
import { PaneReadings, Core, MemoryDisk, Observer, openStores, Profiles } from '@drover/machine-agent/testing';
import type { CrashPoint, Log, Post, Stores } from '@drover/machine-agent/testing';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import { type ObservationBody, Redactor, type WorkerSettings } from '@drover/protocol';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { SimProgram, toolFailure } from '@drover/testkit';
import { AgentProcess, never } from './agent-process.ts';
import { simParcels } from './elsewhere.ts';
import { handsOf } from './hands.ts';
import { SimTmux } from './tmux.ts';
import type { MachineBody, SimMachineParts } from './parts.ts';
import { FACTS, HOME, placesOf, recordsOn } from './records.ts';
import type { SavedDraft } from './records.ts';
import { readShown, type SimPane } from './shown-pane.ts';
import { watchedHands } from './watched-hands.ts';

/** A tool that failed in a pane, as its hook wrote it down. */
export interface NotedFailure {
  readonly workerId: string;
  readonly incarnation: string;
  readonly report: ToolFailureReport;
}

/** The agent's process that runs now, with the parts of it that the machine talks to. */
interface Running {
  readonly agentProcess: AgentProcess;
  readonly tmux: SimTmux;
  readonly stores: Stores;
}

/** Disks that were wiped: making a new one costs as much as a tenth of a schedule. */
const SPARE_DISKS: MemoryDisk[] = [];

/** A machine with its agent. */
export class SimMachine implements MachineBody {
  readonly parts: SimMachineParts;
  /** By worker. */
  readonly panes = new Map<string, SimPane>();
  /** What each conversation was told, oldest first; written by the programs. */
  readonly transcripts = new Map<string, string[]>();
  readonly drafts = new Map<string, SavedDraft>();
  /** Lives of its tmux server. */
  serverLives = 1;
  /** Failures of tools that the agent has still to read. */
  readonly failures: NotedFailure[] = [];
  /** How far the machine's clock is off, in milliseconds. */
  clockOffMs = 0;
  /** All work that programs here ever made. */
  readonly worksMade: string[] = [];
  readonly #disk = SPARE_DISKS.pop() ?? new MemoryDisk();
  #running: Running | null = null;
  #pids = 0;
  #blindUntil = 0;
  #uninstalledUntil = 0;

  constructor(parts: SimMachineParts) {
    this.parts = parts;
  }

  /** Whether the agent's process runs. */
  get isUp(): boolean {
    return this.#running !== null;
  }

  /** The first part of the names of its panes. */
  get number(): number {
    return this.parts.number;
  }

  /** Whether no screen can be read for the moment. */
  get isBlind(): boolean {
    return this.parts.time.now() < this.#blindUntil;
  }

  /** Whether the agents' program is not there for the moment. */
  get isUninstalled(): boolean {
    return this.parts.time.now() < this.#uninstalledUntil;
  }

  /** Somebody takes the agents' program away for a while, and ends what runs of it, or the whole terminal. */
  uninstall(ms: number): void {
    const { random, watch, time, name } = this.parts;
    watch.log(`! ${name}: the program is not there for ${ms} ms`);
    this.#uninstalledUntil = time.now() + ms;
    if (random.chance(0.4)) return this.losePanes();
    for (const { program } of this.panes.values())
      program.kill({ status: null, signal: 15, lastLines: [], limit: null });
  }

  /** Whether nothing may begin in the place of a worker; null while no agent says it. */
  isFrozen(workerId: string): boolean | null {
    return this.#running === null ? null : this.#running.stores.knownWorkers.frozenFor(workerId) !== undefined;
  }

  goBlind(): void {
    this.#blindUntil = this.parts.time.now() + this.parts.random.int(100, BLIND_MAX_MS);
  }

  /** The pane of this incarnation; undefined when it is gone. */
  paneAt(incarnation: string): SimPane | undefined {
    return [...this.panes.values()].find(({ program }) => program.incarnation === incarnation);
  }

  /** The machine's own clock. */
  readonly now = (): number => this.parts.time.now() + this.clockOffMs;

  /** The agent's process starts. */
  start(): void {
    if (this.#running !== null) return;
    const { time, random, name, joinToken, keys, urls, post, uuid } = this.parts;
    const agentProcess = new AgentProcess({
      time,
      now: this.now,
      random: random.next,
      log: this.#log,
      diesAt: (point, kind) => this.#diesAt(point, kind),
    });
    const db = this.#disk.open();
    agentProcess.onDeath(() => db[Symbol.dispose]());
    const { clock, crashPoint, log } = agentProcess;
    const stores = openStores(db, clock);
    this.parts.tamper?.(stores);
    const { knownWorkers, journal, outbox } = stores;
    const add = outbox.add.bind(outbox);
    outbox.add = (body) => {
      this.#told(body);
      add(body);
    };
    const tmux = new SimTmux(this, agentProcess);
    this.#running = { agentProcess, tmux, stores };
    const readings = new PaneReadings({ profiles: PROFILES, listener: SILENT, understand: readShown, clock });
    const observer = new Observer({
      tmux,
      knownWorkers,
      readings,
      outbox,
      redactor: new Redactor(),
      clock,
      log,
    });
    const files = recordsOn(this);
    const seeing = { tmux, readings, understand: readShown, files, profiles: PROFILES };
    const tools = { ...seeing, knownWorkers, journal, machineDir: '/data', home: HOME, clock, log, crashPoint };
    const heard: Post = (url, request) => agentProcess.hear(post(url, request));
    const parcels = simParcels({ post: heard, clock, random: agentProcess.random, log });
    const hands = handsOf({ ...tools, machine: this, agentProcess, observer, asksElsewhere: parcels });
    const core = new Core({
      stores,
      hands: watchedHands(this.parts, hands),
      panes: observer,
      profiles: PROFILES,
      keys,
      machineName: name,
      joinToken,
      version: '0',
      facts: () => Promise.resolve(FACTS),
      urls,
      places: placesOf(this.parts),
      parcels,
      post: heard,
      transport: 'poll',
      confine: (worker) => Promise.resolve(worker),
      clock,
      random: agentProcess.random,
      ids: uuid,
      log,
      // One for each process: what a dead one still listens with goes when the schedule does.
      signal: new AbortController().signal,
      crashPoint,
    });
    observer.start();
    this.#tellFailures();
    void core.keepInTouch();
  }

  /** The agent's process dies and is started again after a while. @param point Where in an order; null: anywhere. */
  crash(restartMs: number, point: CrashPoint | null = null): void {
    if (this.#running === null) return;
    this.parts.watch.log(`${this.parts.name}: the agent dies${point === null ? '' : ` at "${point}"`}`);
    this.parts.watch.crashed(point);
    this.#running.agentProcess.die();
    this.#running = null;
    this.parts.time.after(restartMs, () => this.start());
  }

  /** The schedule is over: nothing of this machine is used any more. */
  scrap(): void {
    this.#running?.agentProcess.die();
    this.#running = null;
    this.#disk.wipe();
    SPARE_DISKS.push(this.#disk);
  }

  /** Every pane goes, as when tmux dies or the machine restarts. */
  losePanes(): void {
    const lost = [...this.panes.values()];
    this.panes.clear();
    this.serverLives += 1;
    for (const pane of lost) this.#vanish(pane);
  }

  /** In the midst of an act the agent dies with some probability. @returns never, if it did. */
  async mayDie(): Promise<void> {
    const { random, luck } = this.parts;
    if (!random.chance(luck.crash)) return;
    this.crash(random.int(200, 20_000));
    await never();
  }

  /** Starts a program in a worker's pane, in the place of the one before. */
  launch(worker: WorkerSettings, conversation: string): SimProgram {
    const { time, random, luck, watch, name, number, git } = this.parts;
    const { workerId } = worker;
    this.closePane(workerId);
    this.#pids += 1;
    const program: SimProgram = new SimProgram({
      incarnation: `${number}.${this.serverLives}.%1.${this.#pids}`,
      conversation,
      world: {
        time,
        random,
        luck: luck.program,
        changed: () => {
          if (this.panes.get(workerId) === pane) this.#running?.tmux.watch?.changed(pane);
        },
        taken: (text) => {
          const words = this.transcripts.get(conversation) ?? [];
          this.transcripts.set(conversation, [...words, text]);
          watch.taken(workerId, program, text);
        },
        work: (how) => {
          const work = `${name}-work-${this.worksMade.length + 1}`;
          if (git.work(workerId, how, work)) this.worksMade.push(work);
        },
        hasConflicts: () => git.worktrees.get(workerId)?.rebase != null,
        toolFailed: () => {
          const report = toolFailure(random, { at: this.now(), conversation });
          this.failures.push({ workerId, incarnation: program.incarnation, report });
          this.#tellFailures();
        },
      },
    });
    const pane: SimPane = { program, seat: worker };
    this.panes.set(workerId, pane);
    this.parts.launched(workerId);
    this.#running?.tmux.watch?.changed(pane);
    watch.log(`${name}: ${program.incarnation} starts`);
    return program;
  }

  /** The session is closed. */
  closePane(workerId: string): void {
    const pane = this.panes.get(workerId);
    this.panes.delete(workerId);
    if (pane !== undefined) this.#vanish(pane);
  }

  #vanish(pane: SimPane): void {
    pane.program.vanish();
    this.#running?.tmux.watch?.vanished(pane);
  }

  /** What tools failed is read from where the hooks wrote it. */
  #tellFailures(): void {
    const running = this.#running;
    if (running === null) return;
    for (const failure of this.failures.splice(0)) running.stores.outbox.add({ kind: 'tool-failed', ...failure });
  }

  #told(body: ObservationBody): void {
    const { watch, name } = this.parts;
    watch.told(body);
    if (body.kind === 'screen') watch.log(`${name}: sees ${body.look.state.kind} in ${body.incarnation}`);
    if (body.kind === 'exit') watch.log(`${name}: ${body.exit.incarnation} ended ${JSON.stringify(body.exit)}`);
  }

  #diesAt(point: CrashPoint, kind: string): boolean {
    const { random, luck, diesAt } = this.parts;
    if (diesAt?.(point, kind) !== true && !random.chance(luck.crash)) return false;
    this.crash(random.int(200, 20_000), point);
    return true;
  }

  readonly #log: Log = (level, message, fields) => {
    const { watch, name } = this.parts;
    const line = `${name} says ${message} ${JSON.stringify(fields ?? {})}`;
    watch.log(`    ${line}`);
    if (level === 'error') watch.complained(line);
  };
}

const PROFILES = new Profiles({}, BUILT_IN_PROFILES);
/** Programs say nothing of themselves but on their screens and in their transcripts. */
const SILENT = { attend: () => {}, audible: () => ({}), read: () => Promise.resolve(), forget: () => {} };
/** Milliseconds for which screens cannot be read once they could not, at most. */
const BLIND_MAX_MS = 8_000;
