/**
 * The numbers of the policy, in one readable place: no rule holds a number of its own. docs/recovery.md gives
 * the reasons. Times in milliseconds.
 */
import type { CommandKind, TypingMethod } from '../machine/commands.ts';
import { DEFAULT_DEGRADATION_POLICY } from './degradation.ts';
import type { DegradationPolicy } from './degradation.ts';
import type { DialogPolicy } from './dialogs.ts';
import { DEFAULT_LIMIT_POLICY } from './limits.ts';
import type { LimitPolicy } from './limits.ts';
import { RETRY_CONFIGS } from './retry.ts';
import type { Backoff } from './retry.ts';
import { DEFAULT_RUN_POLICY } from './run.ts';
import type { RunPolicy } from './run.ts';
import { NUDGES } from './texts.ts';
import { DEFAULT_TOOL_FAILURE_POLICY } from './tool-failures.ts';
import type { ToolFailurePolicy } from './tool-failures.ts';

/** A rung of the ladder for a prompt that left no trace of having been taken. */
export interface LostInputRung {
  readonly waitMs: number;
  readonly method: TypingMethod;
  readonly settleMs: number;
  /** Start the agent again before typing again. */
  readonly respawn: boolean;
}

/** Profiles that may take the place of another, in their order. */
export interface Substitutes {
  readonly profile: string;
  readonly by: readonly string[];
}

/**
 * Everything that a decision weighs by number, as one document that every decision is given. Times in milliseconds.
 */
export interface Policy {
  /** Stuck check: how long a worker may be marked busy before somebody looks. */
  readonly checkEveryMs: number;
  /** A wait that ends so much too late begins again: the computer slept, or a clock was set. */
  readonly unwatchedMs: number;
  /** Time for which "ready" must stand before a turn counts as over. */
  readonly settleMs: number;
  /**
   * Time after a text was taken for which "ready" must still stand if only the program's record, and neither screen nor git, tells
   * of its turn; and how long it must stand while words wait in the program's own queue. As long as the machine waits for
   * a turn to begin: a loaded one needs more than 3 s (bench/RESULTS.md).
   */
  readonly turnShowsMs: number;
  /** Time after a nudge in which a change of the screen is put down to the nudge, and is no progress. */
  readonly echoMs: number;
  /** The budgets of recovery (R2). */
  readonly incident: {
    /** Attempts of level 1 in one incident, unless its code has a plan of its own. */
    readonly maxAttemptsPerError: number;
    /** Attempts of one task, over all its incidents. */
    readonly maxTotalAttempts: number;
    /** Workers that fail at the same task, one after the other, before it waits for a person. */
    readonly workersPerTaskMax: number;
    /** Pause between two incidents of one worker. */
    readonly cooldownMs: number;
    /** Progress for this long after the last attempt ends an incident. */
    readonly calmMs: number;
    /** Looks at a screen that cannot be read before a program counts as hung. */
    readonly blindChecksMax: number;
  };
  readonly startUp: { readonly timeoutMs: number; readonly attemptsMax: number };
  readonly crash: {
    readonly restartAfterMs: number;
    /** The crash that makes this many is not restarted. */
    readonly countMax: number;
    readonly forgetAfterMs: number;
    /** Wait after a limit whose reset is not known. */
    readonly limitWaitMs: number;
  };
  /** A turn without progress: two nudges, then a person is asked, counted from the last progress. */
  readonly nudge: {
    readonly firstMs: number;
    readonly secondMs: number;
    readonly askMs: number;
    readonly firstText: string;
    readonly secondText: string;
  };
  /** An error that the agent shows. */
  readonly agentError: {
    /** Time for which Drover waits for the program's own retries. */
    readonly patienceMs: number;
    /** Pauses before it is asked to go on. */
    readonly backoff: Backoff;
  };
  readonly limit: {
    /** First wait for a limit that does not say when it resets; doubled each time. */
    readonly waitMs: number;
    readonly waitMaxMs: number;
    readonly attemptsMax: number;
    /** Share of a wait, at most of `waitMs`, by which workers are spread, so that they do not come back at once. */
    readonly spread: number;
  };
  /** Level 2 may go on with another profile. */
  readonly substitutes: readonly Substitutes[];
  readonly dialogs: DialogPolicy;
  readonly checkpoint: {
    /** False: Drover saves the work only by request, before an alternative, and before it asks a person. */
    readonly enabled: boolean;
    /** Interval between checkpoints while something changes. */
    readonly everyMs: number;
    /** True: the work is saved before the first attempt of an incident, too. */
    readonly onError: boolean;
    /** Checkpoints kept of one worker, of each of the two sorts: those for people, and Drover's own. */
    readonly keptMax: number;
  };
  /** An agent that has taken a text and shows nothing: time until it is asked, and between two questions. */
  readonly silence: { readonly firstMs: number; readonly againMs: number };
  /** An agent whose turn left work running in the background. */
  readonly background: {
    /** Time for work in the background, until Drover asks a person. */
    readonly maxMs: number;
  };
  /** Conflicts that come again and again. */
  readonly rework: {
    readonly sameConflictsMax: number;
    readonly stuckMs: number;
    /** Hints to an agent about its conflicts before a person is asked. */
    readonly helpsMax: number;
  };
  readonly lostInput: readonly LostInputRung[];
  readonly partial: { readonly waitMs: number; readonly settleMs: number; readonly attemptsMax: number };
  readonly refused: { readonly waitMs: number; readonly attemptsMax: number };
  readonly command: {
    /** Time after which a command is overdue: `default`, or the limit of its kind. */
    readonly timeoutMs: Readonly<{ default: number } & Partial<Record<CommandKind, number>>>;
    /** Overdue periods, with the machine connected, after which the outcome counts as unknown. */
    readonly overdueMax: number;
    readonly retry: { readonly waitMs: number; readonly attemptsMax: number };
  };
  /** A move to another machine: how long its parcels may take, and how long its agent is waited for there, before it comes back. */
  readonly move: { readonly carryMs: number; readonly arriveMs: number };
  /** Interval at which a waiting accept asks for its turn. */
  readonly acceptTurnMs: number;
  /** Largest number of accepted works that are checked and published together. */
  readonly trainMax: number;
  /** Time for which an accept waits for others that the same person accepts with it. */
  readonly trainGatherMs: number;
  /** Moves of the default branch during the publication of one accept before a person is asked. Source: docs/git.md. */
  readonly publishTriesMax: number;
  /** Restarts of the check of one work, because another commit was there, before a person is asked. */
  readonly reviewTriesMax: number;
  /** Rules for the failed tools of an agent, by class. An agent that runs keeps those under which it was started. */
  readonly toolFailures: ToolFailurePolicy;
  /** Limits that the workers of one account share. */
  readonly account: LimitPolicy;
  /** Free bytes that a machine needs for new work, and the largest error of its clock before Drover warns people. */
  readonly placement: {
    readonly diskBytesMin: number;
    readonly memoryBytesMin: number;
    readonly clockOffsetMs: number;
  };
  /** Proof of a version of an agent's program that no trial has seen. */
  readonly canary: {
    /** Turns that must be read right before a version that no trial has seen is proven. */
    readonly turns: number;
  };
  /** More workers of one machine or account than `workersMax` that escalate for it within `windowMs` are one escalation. */
  readonly storm: { readonly workersMax: number; readonly windowMs: number };
  readonly run: RunPolicy;
  /** A run that loses a role for good. */
  readonly degradation: DegradationPolicy;
}

const { agentSpawn: SPAWN, messageSend: SEND, rateLimited: LIMITED, command: COMMAND } = RETRY_CONFIGS;
const { retriesMax: AGAIN, ...LEVEL_ONE } = RETRY_CONFIGS.levelOne;

/** Characters that are kept of a failed check's output, from its end: the row of a worker is read with each decision. */
export const CHECK_OUTPUT_MAX = 4_000;

/** Dialogs that are remembered for one task; beyond, the oldest are forgotten. More than an agent shows in a day. */
export const DIALOGS_REMEMBERED_MAX = 50;

/**
 * Numbers of the policy as Drover ships it. docs/recovery.md gives their purposes; those of the ladder, the restarts and the stuck check are
 * product decisions, the time limits of commands are bounds well above the needs of the slowest healthy machine.
 */
export const DEFAULT_POLICY: Policy = {
  checkEveryMs: 60_000,
  unwatchedMs: 60_000,
  settleMs: 500,
  turnShowsMs: 10_000,
  echoMs: 3_000,
  incident: {
    maxAttemptsPerError: AGAIN,
    maxTotalAttempts: 10,
    workersPerTaskMax: 2,
    cooldownMs: 5_000,
    calmMs: 60_000,
    blindChecksMax: 3,
  },
  startUp: { timeoutMs: 60_000, attemptsMax: 1 + SPAWN.retriesMax },
  crash: {
    restartAfterMs: SPAWN.firstDelayMs,
    countMax: 1 + SPAWN.retriesMax,
    forgetAfterMs: 24 * 3_600_000,
    limitWaitMs: 5 * 60_000,
  },
  nudge: {
    firstMs: 30 * 60_000,
    secondMs: 40 * 60_000,
    askMs: 45 * 60_000,
    firstText: NUDGES[0],
    secondText: NUDGES[1],
  },
  agentError: {
    patienceMs: 2 * 60_000,
    backoff: LEVEL_ONE,
  },
  limit: {
    waitMs: LIMITED.firstDelayMs,
    waitMaxMs: LIMITED.capMs,
    attemptsMax: LIMITED.retriesMax,
    spread: LIMITED.jitter,
  },
  substitutes: [],
  dialogs: { permission: 'ask', question: 'ask', other: 'ask', answersMax: 3, rules: [] },
  checkpoint: { enabled: true, everyMs: 60_000, onError: true, keptMax: 10 },
  silence: { firstMs: 10 * 60_000, againMs: 30_000 },
  background: { maxMs: 30 * 60_000 },
  rework: { sameConflictsMax: 3, stuckMs: 5 * 60_000, helpsMax: 1 },
  lostInput: [
    { waitMs: 2_000, method: 'typed', settleMs: 200, respawn: false },
    { waitMs: 5_000, method: 'buffer', settleMs: 0, respawn: false },
    { waitMs: 10_000, method: 'profile', settleMs: 0, respawn: true },
  ],
  partial: { waitMs: 100, settleMs: 200, attemptsMax: 3 },
  refused: { waitMs: SEND.firstDelayMs, attemptsMax: SEND.retriesMax },
  command: {
    timeoutMs: {
      default: 60_000,
      prepare: 120_000,
      'set-up': 1_800_000,
      open: 30_000,
      respawn: 30_000,
      close: 30_000,
      observe: 20_000,
      answer: 20_000,
      rebase: 120_000,
      // The first candidate of a project on a machine copies all of the project into the depot.
      candidate: 300_000,
      extend: 300_000,
      // A late check has a second try, by default after 15 minutes.
      validate: 2_700_000,
      recycle: 120_000,
      freeze: 120_000,
      remove: 120_000,
      restore: 120_000,
    },
    overdueMax: 2,
    retry: { waitMs: COMMAND.firstDelayMs, attemptsMax: 1 + COMMAND.retriesMax },
  },
  // Parcels are kept for an hour.
  move: { carryMs: 3_600_000, arriveMs: 600_000 },
  acceptTurnMs: 1_000,
  trainMax: 5,
  trainGatherMs: 1_000,
  publishTriesMax: 5,
  reviewTriesMax: 5,
  toolFailures: DEFAULT_TOOL_FAILURE_POLICY,
  account: DEFAULT_LIMIT_POLICY,
  // A build of a large project takes as much; an agent that has just started takes more than this of memory.
  placement: { diskBytesMin: 1024 ** 3, memoryBytesMin: 256 * 1024 ** 2, clockOffsetMs: 2_000 },
  canary: { turns: 10 },
  storm: { workersMax: 5, windowMs: 60_000 },
  run: DEFAULT_RUN_POLICY,
  degradation: DEFAULT_DEGRADATION_POLICY,
};

/** Returns the milliseconds that a command of this kind may take. */
export function timeLimitOf({ command: { timeoutMs } }: Policy, kind: CommandKind): number {
  return timeoutMs[kind] ?? timeoutMs.default;
}
