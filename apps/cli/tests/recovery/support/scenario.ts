/** Scenarios as data: a failure of docs/recovery-reference.md on real parts, and the required end. */
import type { OwnWorker } from './own-worker.ts';
import type { Scene } from './scene.ts';

/** A row of the policy with its test. docs/proof/recovery.md is written from all of them. */
export interface Scenario extends OwnWorker {
  /** Heading of docs/recovery-reference.md. */
  readonly section: string;
  /** The symptom, in the words of that page. */
  readonly seen: string;
  /** The action, in the words of that page. */
  readonly done: string;
  /** The test's title. */
  readonly title: string;
  /** The task; keywords are in apps/sim-agent/README.md. Null: `act` adds the worker and gives it a task. */
  readonly prompt: string | null;
  /** True if `npm test` plays the scenario, one for each mechanism; only `npm run nightly` plays the others. */
  readonly isSample?: true;
  /** True if the scenario is played after the others of its file: its end holds until another one moves the default branch. */
  readonly isLast?: true;
  /** Further acts, in order. */
  readonly act?: (scene: Scene) => Promise<void>;
  readonly end: End;
}

/** Filters scenarios that only `npm run nightly` plays. */
export function beyondSamples<S extends Scenario>(scenarios: readonly S[]): readonly S[] {
  return scenarios.filter(({ isSample }) => isSample !== true);
}

/** Conditions that must all hold at last, at the same time. */
export interface End {
  readonly status: string;
  readonly note?: RegExp;
  /** Codes in the error log, each with its outcome by then; no others. */
  readonly errors: Readonly<Record<string, 'recovered' | 'called off' | 'open'>>;
  /** Codes that a slow machine adds, and that are recovered then. */
  readonly mayAlso?: readonly string[];
  /** Rules that fired, in this order; others may lie between. */
  readonly rules: readonly string[];
  /** The question that waits for a person; absent: none. `pane`: the last lines of the pane, as the question shows them. */
  readonly asks?: { readonly title: RegExp; readonly options: readonly string[]; readonly pane?: RegExp };
  /** Pattern of the output of `drover why`. */
  readonly why: RegExp;
  /** Number of times that the agent took a text with these words. */
  readonly taken?: Readonly<Record<string, number>>;
  /** Subjects of the commits that the worker has. */
  readonly commits?: readonly string[];
}

/** Options of a person when the budget is spent. */
export const LEVEL_4: readonly string[] = ['retry', 'retry-with-changes', 'skip', 'take-over'];

/** Options of a person when the agent stopped or asked in its own words. */
export const WORDS: readonly string[] = ['retry-with-changes', 'skip', 'take-over'];

/** Makes the task of a scenario that is about the way there: the task ends in a commit. */
export function committing(subject: string, ...before: readonly string[]): string {
  return [...before, `WRITE ${subject.replaceAll(' ', '-')}.txt done`, `COMMIT ${subject}`].join('\n');
}
