/** What is provoked, and how must it end? One failure of docs/recovery-reference.md on real parts, as data. */
import type { OwnWorker } from './own-worker.ts';
import type { Scene } from './scene.ts';

/** A row of the policy with the test that shows it. docs/proof/recovery.md is written from all of them. */
export interface Scenario extends OwnWorker {
  /** Heading of docs/recovery-reference.md. */
  readonly section: string;
  /** What is seen, as that page says it. */
  readonly seen: string;
  /** What is done, as that page says it. */
  readonly done: string;
  /** The test's title. */
  readonly title: string;
  /** The task; keywords are in apps/sim-agent/README.md. Null: `act` adds the worker and gives it one. */
  readonly prompt: string | null;
  /** Played by `npm test`, one for each mechanism; the others only by `npm run test:extended`. */
  readonly isSample?: true;
  /** Played when the others of its file are over: what it ends in holds until one of them moves the default branch. */
  readonly isLast?: true;
  /** What else happens, in order. */
  readonly act?: (scene: Scene) => Promise<void>;
  readonly end: End;
}

/** Those that only `npm run test:extended` plays. */
export function beyondSamples<S extends Scenario>(scenarios: readonly S[]): readonly S[] {
  return scenarios.filter(({ isSample }) => isSample !== true);
}

/** All that must hold at last, at the same time. */
export interface End {
  readonly status: string;
  readonly note?: RegExp;
  /** Codes in the error log, each with what has become of it by then; no others. */
  readonly errors: Readonly<Record<string, 'recovered' | 'called off' | 'open'>>;
  /** Codes that a slow machine adds, and that are recovered then. */
  readonly mayAlso?: readonly string[];
  /** Rules that fired, in this order; others may lie between. */
  readonly rules: readonly string[];
  /** The question that waits for a person; none if it is not said. */
  /** `pane`: what the last lines of the pane say, as the question shows them. */
  readonly asks?: { readonly title: RegExp; readonly options: readonly string[]; readonly pane?: RegExp };
  /** Words that `drover why` says. */
  readonly why: RegExp;
  /** How often the agent took a text with these words. */
  readonly taken?: Readonly<Record<string, number>>;
  /** Subjects of the commits that the worker has. */
  readonly commits?: readonly string[];
}

/** Options of a person when the budget is spent. */
export const LEVEL_4: readonly string[] = ['retry', 'retry-with-changes', 'skip', 'take-over'];

/** Options of a person when the agent stopped or asked in its own words. */
export const WORDS: readonly string[] = ['retry-with-changes', 'skip', 'take-over'];

/** The task of a scenario where only the way there is of interest: it ends in a commit. */
export function committing(subject: string, ...before: readonly string[]): string {
  return [...before, `WRITE ${subject.replaceAll(' ', '-')}.txt done`, `COMMIT ${subject}`].join('\n');
}
