/** The flow of a run: stages in the order of its file. A flow never changes; an edited one is another flow. */
import type { Returns } from './result.ts';

/** Limits of a run or a stage; null: no limit of its own. */
export interface Budget {
  /** Time in milliseconds, without waits for people and accounts. */
  readonly timeMs: number | null;
  /** Input and output tokens together; cached input is shown and not counted. */
  readonly tokens: number | null;
  /** US dollars, where the program tells a cost. */
  readonly money: number | null;
}

/** Work that an agent does. */
export interface AgentWork {
  readonly role: string;
  /** Name of an agent profile; `other`: none that an author of the reviewed commit has; null: any. */
  readonly profile: string | null;
  /** Text with placeholders such as `{{goal}}`, `{{plan.summary}}` and `{{part.prompt}}`. */
  readonly ask: string;
  /** Attempts of each item, checks that fail included. */
  readonly tries: number;
}

/** Commands that must pass on the commit; empty: those of the project. Null: no check. */
export type Checks = readonly string[] | null;

interface Named {
  readonly name: string;
  readonly budget: Budget;
}

/** A task that one agent does. */
export interface TaskStage extends Named, AgentWork {
  readonly kind: 'task';
  readonly returns: Exclude<Returns, 'review'>;
  readonly check: Checks;
}

/** Tasks that agents do side by side: one for each part of a plan, or the same a number of times. */
export interface EachStage extends Named, AgentWork {
  readonly kind: 'each';
  readonly over:
    | { readonly kind: 'parts'; readonly stage: string }
    | { readonly kind: 'times'; readonly times: number };
  readonly returns: 'commit' | 'report';
  readonly check: Checks;
}

/** A candidate from the commits of another stage. Its work is done only if the commits conflict, or if a review or check sends it back. */
export interface JoinStage extends Named, AgentWork {
  readonly kind: 'join';
  readonly of: string;
  readonly check: Checks;
}

/** Commands on the commit of an earlier stage; no agent. */
export interface CheckStage extends Named {
  readonly kind: 'check';
  readonly of: string;
  readonly check: readonly string[];
}

export interface ReviewStage extends Named, AgentWork {
  readonly kind: 'review';
  readonly of: string;
  readonly rounds: number;
}

/** A person's yes to the output of an earlier stage. */
export interface GateStage extends Named {
  readonly kind: 'gate';
  readonly of: string;
  /** Role that a person needs for the answer. */
  readonly who: string;
}

/** A merge of the commit of an earlier stage, after a person's yes. */
export interface AcceptStage extends Named {
  readonly kind: 'accept';
  readonly of: string;
}

export type Stage = TaskStage | EachStage | JoinStage | CheckStage | ReviewStage | GateStage | AcceptStage;

export type StageKind = Stage['kind'];

/** Kinds of an input: `text` is any text, `number` a whole number. */
export type InputKind = 'text' | 'number';

export interface Flow {
  readonly name: string;
  readonly inputs: Readonly<Record<string, InputKind>>;
  readonly budget: Budget & { /** Workers at the same time. */ readonly workers: number };
  /** In the order of the file, which is the order of the run. */
  readonly stages: readonly Stage[];
}

/** Limits of every flow. */
export const FLOW_LIMITS = { stagesMax: 12, partsMax: 20, bytesMax: 32 * 1024 } as const;

/** Stage whose output this stage works on; null: none. */
export function subjectOf(stage: Stage): string | null {
  switch (stage.kind) {
    case 'task':
      return null;
    case 'each':
      return stage.over.kind === 'parts' ? stage.over.stage : null;
    default:
      return stage.of;
  }
}

/** Tells whether a stage ends with one commit. */
export function givesCommit(stage: Stage): boolean {
  return stage.kind === 'join' || (stage.kind === 'task' && stage.returns === 'commit');
}
