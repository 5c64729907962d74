/** How is one rule put to the proof? As a property over histories, with whoever decides as an argument. */
import fc from 'fast-check';
import { play, someHistory } from './history.ts';
import type { Decide, History } from './history.ts';
import type { Rule } from './rules/rule.ts';

/** How often, and from which seed; without one fast-check draws it. */
export interface ProofOptions {
  readonly runs: number;
  readonly seed?: number;
  /** The path of a failure within its seed, as fast-check tells it. */
  readonly path?: string;
}

/** What came of it; `report` says which seed and path play a failure again. */
export interface Proof {
  readonly failed: boolean;
  /** Histories that were played, up to the first that breaks the rule. */
  readonly runs: number;
  readonly seed: number;
  readonly report: string | null;
}

/** Plays histories until one breaks the rule; the shortest such history is looked for and told. */
export function prove(rule: Rule, decide: Decide, { runs, ...from }: ProofOptions): Proof {
  const property = fc.property(someHistory, (history: History) => {
    play(decide, rule.watch(), history, { misplaced: rule.misplaced === true });
  });
  const details = fc.check(property, { numRuns: runs, ...from });
  const { failed, numRuns, seed, counterexamplePath, errorInstance } = details;
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const again = `--only ${rule.letter} --seed=${seed} --path ${counterexamplePath ?? ''}`;
  const report = failed
    ? `${rule.letter} is broken: ${what}\nIt is played again by: npm run properties -- ${again}`
    : null;
  return { failed, runs: numRuns, seed, report };
}
