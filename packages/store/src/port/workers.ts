// Workers as they are stored.
import type { Worker, WorkerStatus } from '@drover/core';

/** Reasons why a worker is where it is. */
export interface Chosen {
  /** Reason why it came to its machine, which has this id. */
  readonly machine?: { readonly id: string; readonly why: string };
  /** Reason why its last task, which has this id, was given to it. */
  readonly task?: { readonly id: string; readonly why: string };
  /** Reason of its last move, which has this id: words that follow "moved". */
  readonly move?: { readonly id: string; readonly why: string };
}

/** Options of an existing worker that can be changed. */
export interface LiveOptions extends Omit<StartedWith, 'profile'> {
  readonly rolePrompt: string;
  readonly role: string;
  readonly excludedFromPool: boolean;
}

/** Options that an agent is started with. */
export interface StartedWith {
  readonly profile: string;
  readonly model: string | null;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  readonly sessionWidth: number;
  readonly sessionHeight: number;
}

/** Options that a person chose for a worker. */
export interface WorkerOptions {
  readonly profile: string;
  readonly model: string | null;
  readonly rolePrompt: string;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  readonly excludedFromPool: boolean;
  readonly sessionWidth: number;
  readonly sessionHeight: number;
  /** Absent: `developer`. */
  readonly role?: string;
  /** Account that pays for its agent, by its name in the configuration. Absent: the first one of its profile. */
  readonly account?: string;
  /** Options that a person set for this worker: for them it does not follow the configuration. Absent: it was not noted. */
  readonly own?: Partial<LiveOptions>;
  /** Options that its agent is being started with; `unclear` where a start before that may have happened. Absent: it is not. */
  readonly starting?: StartedWith | 'unclear';
  /** Options that the agent in the pane of this incarnation was started with. Absent: it is not known. */
  readonly started?: StartedWith & { readonly incarnation: string };
  /** Labels that its machine must have. Absent: none. */
  readonly labels?: readonly string[];
  /** A small number that no other living worker of its project has. Absent: 0. */
  readonly index?: number;
  /** Absent: it is not known. */
  readonly chosen?: Chosen;
}

/** A worker as it is stored. Times are epoch milliseconds. */
export interface WorkerRow {
  readonly id: string;
  readonly projectId: string;
  readonly machineId: string;
  readonly name: string;
  readonly options: WorkerOptions;
  readonly state: Worker;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Fields of a worker that others need: a fleet is read so, because whole states are megabytes. */
export interface RosterRow extends Omit<WorkerRow, 'state' | 'version' | 'createdAt'> {
  readonly state: Pick<Worker, 'lifecycle' | 'merge' | 'incident' | 'move'>;
}

/** Workers of a project, of a machine, or all. */
export interface WorkerFilter {
  readonly projectId?: string;
  readonly machineId?: string;
  /** Matches only the worker of this name in each project. */
  readonly name?: string;
  /** Matches only workers in this state. */
  readonly status?: WorkerStatus;
}
