/**
 * One simulated machine: panes and git that live on whatever happens to the agent, a disk that outlives it, and the real
 * core of the agent (apps/machine-agent/src/core.ts), started anew after each death.
 */
import { Core, MemoryDisk, openStores, Profiles } from '@drover/machine-agent/testing';
import type { CrashPoint, Log, MachineKey, Post } from '@drover/machine-agent/testing';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import { BUILT_IN_PROFILES } from '@drover/screen';
import type { GitLuck, ProgramLuck, SeededRandom, SimGit, VirtualTime } from '@drover/testkit';
import { SimProgram, toolFailure } from '@drover/testkit';
import { AgentLife, never } from './agent-life.ts';
import { handsOf } from './hands.ts';
import { SimPanes } from './panes.ts';

/** What can go wrong on a machine, as probabilities. Changed in place when the faults of a schedule end. */
export interface MachineLuck {
  program: ProgramLuck;
  git: GitLuck;
  /** The agent dies at one of the points of an order. */
  crash: number;
  /** Only a part of a text comes to stand in the box. */
  partial: number;
  /** A screen cannot be read when somebody looks. */
  blind: number;
  /** The option of a dialog cannot be chosen. */
  unanswered: number;
  /** A program that git or a check runs does not end by itself. */
  hangs: number;
}

/** Told of everything that a check may want to know. */
export interface MachineWatch {
  taken(workerId: string, program: SimProgram, text: string): void;
  typed(workerId: string, program: SimProgram, text: string): void;
  merged(workerId: string, works: readonly string[]): void;
  /** An order is carried out. */
  acted(commandId: string): void;
  crashed(machine: SimMachine, point: CrashPoint | null): void;
  log(line: string): void;
  /** The agent says that something is wrong with itself. */
  complained(what: string): void;
}

/** What a machine is made of. */
export interface SimMachineParts {
  readonly name: string;
  /** Told apart from others by this number in the names of its panes, from 1. */
  readonly number: number;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly git: SimGit;
  readonly luck: MachineLuck;
  readonly watch: MachineWatch;
  readonly key: MachineKey;
  readonly joinToken: string;
  /** Addresses of the replicas, in the order in which this machine tries them. */
  readonly urls: readonly string[];
  readonly post: Post;
  readonly uuid: () => string;
}

/** A tool that failed in a life of a pane, as its hook wrote it down. */
export interface NotedFailure {
  readonly workerId: string;
  readonly incarnation: string;
  readonly report: ToolFailureReport;
}

/** The life of the agent's process that runs now, with the parts of it that the machine talks to. */
interface Running {
  readonly life: AgentLife;
  readonly panes: SimPanes;
}

const FACTS = { hostname: 'sim', platform: 'sim', tmux: '3', git: '2', node: '24', zone: 'UTC' } as const;
/** Disks that were wiped: making a new one costs as much as a tenth of a schedule. */
const SPARE_DISKS: MemoryDisk[] = [];

/** A machine with its agent. */
export class SimMachine {
  readonly parts: SimMachineParts;
  /** The program in each worker's pane. */
  readonly panes = new Map<string, SimProgram>();
  /** What each conversation was told, oldest first; written by the programs. */
  readonly transcripts = new Map<string, string[]>();
  /** Failures of tools that the agent has still to read. */
  readonly failures: NotedFailure[] = [];
  /** How far the machine's clock is off, in milliseconds. */
  clockOffMs = 0;
  /** Screens cannot be read before this time. */
  blindUntil = 0;
  /** All work that programs here ever made. */
  readonly worksMade: string[] = [];
  readonly #disk = SPARE_DISKS.pop() ?? new MemoryDisk();
  #running: Running | null = null;
  #pids = 0;

  constructor(parts: SimMachineParts) {
    this.parts = parts;
  }

  /** Whether the agent's process runs. */
  get isUp(): boolean {
    return this.#running !== null;
  }

  /** The machine's own clock. */
  readonly now = (): number => this.parts.time.now() + this.clockOffMs;

  /** The agent's process starts. */
  start(): void {
    if (this.#running !== null) return;
    const { time, random, name, joinToken, key, urls, post, uuid } = this.parts;
    const life = new AgentLife({
      time,
      now: this.now,
      random: random.next,
      log: this.#log,
      diesAt: (point) => this.#diesAt(point),
    });
    const db = this.#disk.open();
    life.onDeath(() => db[Symbol.dispose]());
    const { clock, crashPoint, log } = life;
    const stores = openStores(db, clock);
    const panes = new SimPanes(this, life, stores);
    this.#running = { life, panes };
    const core = new Core({
      stores,
      hands: handsOf(this, life, stores),
      panes,
      profiles: PROFILES,
      key,
      machineName: name,
      joinToken,
      version: '0',
      facts: () => Promise.resolve(FACTS),
      urls,
      post: (url, request) => life.hear(post(url, request)),
      transport: 'poll',
      allowedRoots: [],
      clock,
      random: life.random,
      ids: uuid,
      log,
      signal: NEVER_STOPPED,
      crashPoint,
    });
    panes.start();
    void core.keepInTouch();
  }

  /** The agent's process dies and is started again after a while. @param point Where in an order; null: anywhere. */
  crash(restartMs: number, point: CrashPoint | null = null): void {
    if (this.#running === null) return;
    this.parts.watch.log(`${this.parts.name}: the agent dies${point === null ? '' : ` at "${point}"`}`);
    this.parts.watch.crashed(this, point);
    this.#running.life.die();
    this.#running = null;
    this.parts.time.after(restartMs, () => this.start());
  }

  /** The schedule is over: nothing of this machine is used any more. */
  scrap(): void {
    this.#running?.life.die();
    this.#running = null;
    this.#disk.wipe();
    SPARE_DISKS.push(this.#disk);
  }

  /** Every pane goes, as when tmux dies or the machine starts anew. */
  losePanes(): void {
    for (const program of this.panes.values()) program.vanish();
    this.panes.clear();
    this.#running?.panes.vanished();
  }

  /** In the midst of an act the agent dies with some probability. @returns never, if it did. */
  async mayDie(): Promise<void> {
    const { random, luck } = this.parts;
    if (!random.chance(luck.crash)) return;
    this.crash(random.int(200, 20_000));
    await never();
  }

  /** Starts a program in a worker's pane, in the place of the one before. */
  launch(workerId: string, conversation: string): SimProgram {
    const { time, random, luck, watch, name, number, git } = this.parts;
    this.panes.get(workerId)?.vanish();
    this.#pids += 1;
    const program: SimProgram = new SimProgram({
      incarnation: `${number}.1.%1.${this.#pids}`,
      conversation,
      world: {
        time,
        random,
        luck: luck.program,
        changed: () => this.#running?.panes.changed(workerId, program),
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
          this.#running?.panes.tellFailures();
        },
      },
    });
    this.panes.set(workerId, program);
    watch.log(`${name}: ${program.incarnation} starts`);
    return program;
  }

  /** The session is closed. */
  closePane(workerId: string): void {
    this.panes.get(workerId)?.vanish();
    this.panes.delete(workerId);
  }

  #diesAt(point: CrashPoint): boolean {
    const { random, luck } = this.parts;
    if (!random.chance(luck.crash)) return false;
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
const NEVER_STOPPED = new AbortController().signal;
