/** Keeps with the worker, and reports to people, the supplies of a worktree beside its commits, its lacks, and its set-up. */
import { tellCopied, tellLacks } from '../machine/supplies.ts';
import type { SetUpWanted } from '../machine/set-up.ts';
import type { Supplies } from '../machine/supplies.ts';
import { setSupplies, wantSetUp } from '../worker/worktree.ts';
import { record, rule, set } from './step.ts';
import type { Step } from './step.ts';

/** Takes what a machine says of it; undefined: it brought nothing. */
export function takeSupplies(step: Step, supplies: Supplies | undefined): Step {
  if (supplies === undefined) return step;
  const known = set(step, { worktree: setSupplies(step.worker.worktree, supplies) });
  const copied = tellCopied(supplies);
  const told = copied === null ? known : record(known, { kind: 'notice', text: copied });
  const lacks = tellLacks(supplies);
  if (lacks.length === 0) return told;
  return lacks.reduce((so, text) => record(so, { kind: 'notice', text }), rule(told, 'lacks-supplies'));
}

/** Takes what a machine says of the set-up that its place needs; undefined: none. */
export function takeSetUp(step: Step, wanted: SetUpWanted | undefined): Step {
  return set(step, { worktree: wantSetUp(step.worker.worktree, wanted) });
}
