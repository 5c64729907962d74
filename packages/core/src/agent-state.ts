/**
 * Names what a coding agent in a pane can be doing: the vocabulary that `screen` answers in, that observations carry and that the policy
 * decides on.
 */
import type { TrustKind } from './machine/trust.ts';

/** An option of a dialog, as the screen shows it. Choose by `label`: positions move between versions and modes. */
export interface DialogOption {
  /** The words of the option without its number, one line. */
  readonly label: string;
  /** True while the program's highlight stands on this option. */
  readonly highlighted: boolean;
  /** Number that the screen shows before the option; absent if the numbers are those of the list, from one. */
  readonly number?: number | undefined;
  /** A key gives it, and no highlight stands on it. */
  readonly dismisses?: boolean | undefined;
}

/** Trust that a dialog asks for, and the labels of the options that give and refuse it for good. */
export interface TrustAsked {
  readonly kind: TrustKind;
  readonly accept: string;
  /** Null: no option goes on without it. */
  readonly refuse: string | null;
}

/** A dialog is an object with words, never "press 1". */
export interface Dialog {
  readonly kind: 'trust' | 'bypass' | 'api-key' | 'resume' | 'limit' | 'permission' | 'question' | 'other';
  readonly title: string;
  readonly body: string;
  readonly options: readonly DialogOption[];
  /** Absent: it asks for no trust that the profile knows. */
  readonly trust?: TrustAsked | undefined;
}

/** Form in which an agent asks for words or for a choice. */
export type QuestionForm = 'multiple-choice' | 'yes-no' | 'free-text';

/** Kind of error that an agent shows while its program still runs. */
export type AgentErrorKind =
  | 'rate-limit'
  | 'usage-limit'
  | 'network'
  | 'overloaded'
  | 'tool'
  | 'api'
  | 'auth'
  | 'context-exhausted'
  /** The service refuses what the conversation holds, so each later request of it fails in the same way. */
  | 'history-refused';

/** Cause of the end of a pane's program. */
export type ExitCause = 'user' | 'crash' | 'timeout' | 'unknown';

/** The text that stands in the composer (the input box). */
export type Composer =
  | { readonly kind: 'empty' }
  /** Text as far as it is visible. `whole` is false when the box has scrolled, or shows a placeholder of a paste or a picture. */
  | { readonly kind: 'text'; readonly text: string; readonly whole: boolean; readonly pasted: boolean }
  /** No composer on the screen, or the program hides it. */
  | { readonly kind: 'none' };

/**
 * The state of one coding agent. `unknown` is an honest answer: never an error, never a reason to act.
 * Times inside are epoch milliseconds.
 */
export type AgentState =
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'ready';
      readonly after: 'fresh' | 'completed' | 'asked' | 'interrupted';
      readonly composer: Composer;
      /** Work that the turn left running, such as `background shell`: its end may wake the agent. Absent: nothing runs on. */
      readonly background?: string | undefined;
    }
  | { readonly kind: 'processing'; readonly queued: boolean; readonly composer: Composer }
  | { readonly kind: 'question'; readonly form: QuestionForm; readonly dialog: Dialog }
  | { readonly kind: 'permission'; readonly tool: string; readonly command: string; readonly dialog: Dialog }
  | { readonly kind: 'dialog'; readonly dialog: Dialog }
  | {
      readonly kind: 'error';
      readonly error: AgentErrorKind;
      /** True if the program retries by itself. False: the program has given up; `error` and `resets` tell whether time helps. */
      readonly recoverable: boolean;
      readonly text: string;
      /** Time of the program's retry or of the limit's reset, in the screen's own words; null if the screen names none. */
      readonly resets: string | null;
      readonly composer: Composer;
    }
  /** End of the program: a shell, or nothing, stands in its pane. */
  | {
      readonly kind: 'exited';
      readonly cause: ExitCause;
      readonly status: number | null;
      readonly signal: number | null;
    }
  | { readonly kind: 'unknown'; readonly why: 'empty' | 'nothing-matched' | 'contradiction' };

/** The one-word name of an agent's state: what lists show and what evidence is counted by. */
export type AgentStateKind = AgentState['kind'];
