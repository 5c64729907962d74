/** Faults planted around the way of work into the default branch. */
import { decide } from '../decide.ts';
import { changeSlices } from './change.ts';
import { misheard, misread } from './plant.ts';
import type { Planted } from './plant.ts';
import { changeAccept } from '../merge/state.ts';
import { acceptOf, isAccepting } from '../merge/step.ts';

/** Faults, at least two for each rule of merges. */
export const PLANTED_IN_MERGES: readonly Planted[] = [
  {
    rule: 'G2',
    fault: 'publishes what was made of any commit that is there now',
    decide: misread((result, { merge: { step } }) =>
      result.kind === 'candidate' && isAccepting(step) ? { ...result, head: step.accept.pin.head } : result,
    ),
  },
  {
    rule: 'G2',
    fault: 'does not compare the files that a person has seen',
    decide: misread((result, { merge: { step } }) => {
      const tree = acceptOf(step)?.pin.tree ?? null;
      return result.kind === 'candidate' && tree !== null ? { ...result, headTree: tree } : result;
    }),
  },
  {
    rule: 'G3',
    fault: 'publishes what failed the checks',
    decide: misread((result, { merge: { step } }) =>
      result.kind === 'invalid' && step.kind === 'checking'
        ? { kind: 'valid', head: step.own.commit, tree: step.own.tree, checks: 'make' }
        : result,
    ),
  },
  {
    rule: 'G3',
    fault: 'counts checks that the project has changed since',
    decide: misread((result, { merge: { checks } }) =>
      result.kind === 'candidate' && checks !== null ? { ...result, checks: checks.checks } : result,
    ),
  },
  {
    rule: 'G5',
    fault: 'believes that what a machine published is merged',
    decide: misread((result, { merge: { step } }) =>
      result.kind === 'unproven' && step.kind === 'proving' ? { kind: 'proven', commit: step.commit } : result,
    ),
  },
  {
    rule: 'G5',
    fault: 'takes a look at the default branch that failed for a proof',
    decide: misread((result, { merge: { step } }) =>
      step.kind === 'proving' && result.kind === 'failed' ? { kind: 'proven', commit: step.commit } : result,
    ),
  },
  {
    rule: 'G7',
    fault: 'takes a merge for done of which the machine says that there is nothing to merge',
    decide: (worker, event, ctx) => {
      const isContained = event.kind === 'command-finished' && event.result.kind === 'contained';
      const merge = isContained ? changeAccept(worker.merge, () => ({ nothing: true })) : worker.merge;
      return decide(changeSlices(worker, { merge }), event, ctx);
    },
  },
  {
    rule: 'G7',
    fault: 'ends a task by itself where there is nothing to merge',
    decide: misheard((event) => (event.kind === 'accept-requested' ? { ...event, nothing: true } : event)),
  },
];
