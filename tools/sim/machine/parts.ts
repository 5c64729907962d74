/** Defines the parts of a simulated machine, the faults that it can have, and the watch that is notified of its events. */
import type { Log } from '@drover/base';
import type {
  CrashPoint,
  Hands,
  KeptDelivery,
  MachineKeys,
  MachineStarts,
  RunningCommand,
  Post,
  Stores,
} from '@drover/machine-agent/testing';
import type { Command } from '@drover/core';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import type { ObservationBody, Query, WorkerSettings } from '@drover/protocol';
import type { GitLuck, GitCommand, ProgramLuck, SeededRandom, SimProgram, VirtualTime } from '@drover/testkit';
import type { Clones } from './clones.ts';
import type { SimParcels } from './parcels.ts';
import type { SavedDraft, SimStarts } from './records.ts';
import type { RunAgents, RunAgentWatch } from './runs/agents.ts';
import type { Used, UsageRecords } from './runs/usage.ts';
import type { SimPane } from './shown-pane.ts';

/** Probabilities of a machine's faults. Changed in place when the faults of a schedule end. */
export interface MachineLuck {
  program: ProgramLuck;
  git: GitLuck;
  /** The agent dies at one of the points of a command. */
  crash: number;
  /** Chance that only a part of a text comes to stand in the box. */
  partial: number;
  /** A screen cannot be read at a check. */
  blind: number;
  /** A look sees the pane and not its screen: the protocol has it, though this build's agents say that the look failed. */
  unreadable: number;
  /** tmux does not open a session, or does not start a program in one. */
  unopened: number;
  /** The option of a dialog cannot be chosen. */
  unanswered: number;
  /** The disk is slow for a while of one command. */
  slow: number;
  /** Commands about the worktree that take long, and how many milliseconds they take at most. */
  takesMs: Partial<Record<GitCommand['kind'], number>>;
  /** A program that git or a check runs does not end by itself. */
  hangs: number;
  /** A parcel arrives damaged, is gone, or builds on a commit that the other clone lacks. */
  parcel: number;
}

/** Command or query that a machine was given. */
export interface Given {
  readonly machine: string;
  readonly what: Command | Query;
  /** Epoch of the gateway; undefined: the machine's own agent did it. */
  readonly epoch: number | undefined;
}

/** Work that enters the default branch of a project. */
export interface Merged {
  readonly projectId: string;
  readonly works: readonly string[];
  /** The files that the default branch has by it. */
  readonly tree: string;
}

/** Run of the checks. */
export interface CheckRun {
  readonly isPassed: boolean;
  /** The files that they ran on, and those of the commit before it. */
  readonly tree: string;
  readonly before: string | null;
  /** Worker whose work the commit is; undefined: nobody's. */
  readonly worker: string | undefined;
}

/** A tool that failed in a pane, as its hook wrote it down. */
export interface NotedFailure {
  readonly workerId: string;
  readonly incarnation: string;
  readonly report: ToolFailureReport;
}

/** Receiver of what gateways do on hosts. */
export interface GatewayWatch {
  /** Notes that a gateway with a higher epoch than all before has come. */
  claimed(host: string, epoch: number): void;
  actedBy(host: string, epoch: number): void;
  /** Notes that a replaced gateway wanted to do something. */
  fenced(host: string, epoch: number): void;
  /** Notes that a gateway has logged in, and the key that it was shown. */
  loggedIn(host: string, key: string): void;
}

/** Receiver of what machines and agents do for runs. */
export interface RunWatch extends RunAgentWatch {
  /** An agent has used something, for a run or a task of its own. */
  used(used: Used): void;
  checked(check: { readonly run: string; readonly commit: string; readonly passed: boolean }): void;
  /** Work of a run entered the default branch. `commit`: the one that the run asked for. */
  landed(landed: {
    readonly run: string;
    readonly commit: string;
    readonly projectId: string;
    readonly works: readonly string[];
  }): void;
}

/** Receiver of everything that a check may want to know. */
export interface MachineWatch {
  readonly runs: RunWatch;
  taken(workerId: string, program: SimProgram, text: string): void;
  typed(workerId: string, program: SimProgram, text: string): void;
  /** The checks of a project ended. */
  checked(run: CheckRun): void;
  merged(workerId: string, merged: Merged): void;
  /** An agent was started in a pane, with these settings. */
  started(incarnation: string, settings: WorkerSettings): void;
  /** An agent made work. */
  worked(work: string, of: { readonly projectId: string; readonly workerId: string }): void;
  /** A place was made fresh. `lost`: works that its machine held for the worker before, and does not hold now. */
  madeFresh(workerId: string, lost: readonly string[]): void;
  /** A command or a query is carried out. */
  acted(running: RunningCommand, given: Given): void;
  /** The whole machine starts again: what has this number of its tmux server, or a higher one, began after that. */
  restarted(machine: number, server: number): void;
  /** A start was noted as told. `hasSaid`: a list of its agent has said it. */
  startNoted(machine: string, hasSaid: boolean): void;
  /** The agent reports something: its buffer holds it from now on. */
  told(body: ObservationBody, epoch: number | undefined): void;
  crashed(point: CrashPoint | null): void;
  log(line: string): void;
  /** Watch of what gateways do on hosts. */
  readonly gateways: GatewayWatch;
  /** The place of a worker was cleared for a move. `works`: all that it held. */
  placeLeft(workerId: string, left: PlaceLeft): void;
  /** The agent says that something is wrong with itself. */
  complained(what: string): void;
}

/** A place that was cleared, because its worker has left it. */
export interface PlaceLeft {
  readonly machine: string;
  readonly move: string;
  readonly works: ReadonlySet<string>;
}

/** Parts that are broken on purpose: a simulation that does not notice is not looking. */
export interface BrokenMachine {
  /** Breaks its agents, at the start of each of their lives. */
  readonly tamper?: ((stores: Stores) => void) | undefined;
  /** Breaks what its hands do. */
  readonly tamperHands?: ((hands: Hands, clones: Clones) => Hands) | undefined;
  /** Breaks how its restarts are reported. */
  readonly tamperStarts?: ((starts: MachineStarts) => MachineStarts) | undefined;
  /** Tells whether the machine obeys every gateway. */
  readonly obeysAll?: boolean;
}

export interface SimMachineParts {
  readonly name: string;
  /** Tells whether its system reports that it has started again. */
  readonly tellsStarts: boolean;
  /** Number that tells it apart from others in the names of its panes, from 1. */
  readonly number: number;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  /** Roots of projects in which its agent runs: main is here, unless the project names another machine. */
  readonly roots: Readonly<Record<string, string>>;
  readonly clones: Clones;
  readonly parcels: SimParcels;
  readonly luck: MachineLuck;
  /** Tells whether it reports what agents use. */
  readonly tellsUsage: boolean;
  /** Its account runs dry at every so many items of runs; Infinity: never. */
  readonly dryEvery: number;
  readonly watch: MachineWatch;
  readonly keys: MachineKeys;
  readonly joinToken: string;
  /** Addresses of the replicas, in the order in which this machine tries them. */
  readonly urls: readonly string[];
  readonly post: Post;
  /** A program of this worker was started. */
  readonly launched: (workerId: string) => void;
  readonly uuid: () => string;
  readonly broken: BrokenMachine;
  /** Tells whether its agent dies at this point of a command, whatever its luck. */
  readonly diesAt?: ((point: CrashPoint, kind: string) => boolean) | undefined;
}

/** Parts of a machine that outlive the agent's process, as the parts of the process see them. */
export interface MachineBody {
  readonly parts: SimMachineParts;
  /** Panes by worker. */
  readonly panes: Map<string, SimPane>;
  /** Words told to each conversation, oldest first. */
  readonly transcripts: Map<string, string[]>;
  readonly drafts: Map<string, SavedDraft>;
  /** Text typed last into the pane of each worker, for the next gateway. */
  readonly kept: Map<string, KeptDelivery>;
  /** Places that are frozen for a move, by path, for the next gateway. */
  readonly frozen: Map<string, string>;
  /** Lives of its tmux server. */
  readonly serverStarts: number;
  readonly starts: SimStarts;
  readonly runAgents: RunAgents;
  readonly usage: UsageRecords;
  /** The first part of the names of its panes. */
  readonly number: number;
  /** Tells whether no screen can be read for the moment. */
  readonly isBlind: boolean;
  /** Tells whether the agents' program is missing for the moment. */
  readonly isUninstalled: boolean;
  /** The machine's own clock. */
  readonly now: () => number;
  readonly log: Log;
  goBlind(): void;
  paneAt(incarnation: string): SimPane | undefined;
  launch(worker: WorkerSettings, conversation: string): SimProgram;
  closePane(workerId: string): void;
}
