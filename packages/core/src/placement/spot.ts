/** Describes spots for work, and the wishes of the work. */

/** Fields of a machine on which a choice depends. */
export interface PlaceMachine {
  readonly id: string;
  readonly name: string;
  readonly state: 'connected' | 'suspect' | 'disconnected' | 'never' | 'revoked';
  /** Reason for no new work, such as `cordoned by mia`; null: the machine gets some. */
  readonly cordon: string | null;
  readonly labels: readonly string[];
  /** Most workers that the machine takes; null: any number. */
  readonly capacity: number | null;
  /** Number of workers on the machine, or on their way to it. */
  readonly workers: number;
  /** Number of workers on the machine that have a task. */
  readonly busy: number;
  /** Processes that want a processor, for each processor of the machine; null: not reported, or long ago. */
  readonly load: number | null;
  /** Reason for too little disk for new work, such as `0.4 GiB of disk are free, 1.0 GiB is the least`; null: enough, or not known. */
  readonly disk: string | null;
  /** Reason for too little memory for a new worker; null: enough, or not known. */
  readonly memory: string | null;
}

/** Fields of a worker on which a choice depends. */
export interface PlaceWorker {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly profile: string;
  readonly isInPool: boolean;
  /** `idle` since, epoch milliseconds; or its other state, in words. */
  readonly standing:
    | { readonly kind: 'idle'; readonly since: number }
    | { readonly kind: 'other'; readonly what: string };
}

/** A spot for work: a worker, or room for a worker on a machine. */
export interface Spot {
  readonly machine: PlaceMachine;
  /** Null: room for a worker. */
  readonly worker: PlaceWorker | null;
  /** Reason against using the worker's name there; null: the name can be used. */
  readonly namesake: string | null;
  /**
   * Reason for a missing checkout; null: the machine has the project, or was not tried yet. `mayComeLater`: the machine tries again for each
   * worker.
   */
  readonly checkout: { readonly why: string; readonly mayComeLater: boolean } | null;
  /**
   * Reason that the program of the worker's profile cannot be started there; null: it can, or the machine has not said. `mayComeLater`: the
   * program was not there when the machine looked, up to some minutes ago, and may have been installed since.
   */
  readonly program: { readonly why: string; readonly mayComeLater: boolean } | null;
  /** End of the pause of the account that the worker uses there, in words; null: no pause. */
  readonly paused: string | null;
  /** Reason against one more task on the version of the worker's program, which no trial has seen; null: it can take one. */
  readonly canary: string | null;
}

/** Wishes for the spot. */
export interface Wanted {
  /** Only a worker of this role; null: of any. */
  readonly role: string | null;
  /** Only a worker of this agent profile; null: of any. */
  readonly profile: string | null;
  /** No worker of these agent profiles. */
  readonly notProfiles: readonly string[];
  /** None of these workers, by their ids: the authors of work under review. */
  readonly notWorkers: readonly string[];
  /** Only a machine that has all of these labels. */
  readonly labels: readonly string[];
  /** Ids of workers that get the work only if there is no other. */
  readonly notYet: readonly string[];
  /** Id of a machine that is preferred to others that are as busy; null: none. */
  readonly near: string | null;
  /**
   * True if the work may go to a spot with a temporary obstacle when nothing else fits: an account that is paused, a checkout that failed, a
   * program that was not found.
   */
  readonly mayWait: boolean;
  /** True if a person named the spot: the work may wait for its machine, its project, its account and the worker itself. */
  readonly isNamed: boolean;
}

/** Wants nothing in particular. */
export const ANYWHERE: Wanted = {
  role: null,
  profile: null,
  notProfiles: [],
  notWorkers: [],
  labels: [],
  notYet: [],
  near: null,
  mayWait: false,
  isNamed: false,
};
