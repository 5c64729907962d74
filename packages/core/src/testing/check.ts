/** Checks one rule as a property over histories. The policy is an argument. */
import fc from 'fast-check';
import { play, someHistory } from './history.ts';
import type { Decide, History, Watch } from './history.ts';
import type { Rule } from './rules/rule.ts';

/** Number of runs and the seed; without a seed fast-check draws one. */
export interface ProofOptions {
  readonly runs: number;
  readonly seed?: number;
  /**
   * Draws each history as likely as any other. Otherwise fast-check prefers numbers near 0, and of 100,000 histories one in six
   * is drawn again; a seed near 0 is no simpler history.
   */
  readonly evenly?: boolean;
}

/** The outcome; `report` says how to play a failure again. */
export interface Proof {
  readonly failed: boolean;
  /** Histories that were played, up to the first that breaks the rule. */
  readonly runs: number;
  readonly seed: number;
  readonly report: string | null;
}

/** Plays histories until one breaks the rule, then looks for the shortest one that does. */
export function prove(rule: Rule, decide: Decide, { runs, evenly = false, ...from }: ProofOptions): Proof {
  const property = fc.property(someHistory, (history: History) => {
    playOnce(rule, decide, history);
  });
  const details = fc.check(property, { numRuns: runs, unbiased: evenly, ...from });
  const { failed, numRuns, seed, counterexample, errorInstance } = details;
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const [history] = counterexample ?? [];
  const again = `--only ${rule.letter} --history=${history?.seed}/${history?.length}`;
  const report = failed
    ? `${rule.letter} is broken: ${what}\nIt is played again by: npm run properties -- ${again}`
    : null;
  return { failed, runs: numRuns, seed, report };
}

/** Plays each history once for all the rules, up to the first that breaks one or in which the policy throws. @returns the broken rule, or null. */
export function firstBreak(
  rules: readonly Rule[],
  decide: Decide,
  { runs, seed }: Required<Pick<ProofOptions, 'runs' | 'seed'>>,
): string | null {
  const property = fc.property(someHistory, (history: History) => {
    play(decide, watchAll(rules), history);
  });
  // No shorter history is looked for.
  const { failed, errorInstance } = fc.check(property, { numRuns: runs, seed, endOnFailure: true });
  return failed ? String(errorInstance) : null;
}

function watchAll(rules: readonly Rule[]): Watch {
  const watches = rules.map(({ letter, watch }) => [letter, watch()] as const);
  return (moment) => {
    for (const [letter, watch] of watches) {
      const said = watch(moment);
      if (said !== null) return `${letter} is broken: ${said}`;
    }
    return null;
  };
}

/** Plays one history and checks a rule in it. @throws {Error} with the break of the rule, and the events that led to it. */
export function playOnce(rule: Rule, decide: Decide, history: History): void {
  play(decide, rule.watch(), history);
}
