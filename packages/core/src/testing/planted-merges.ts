/** Faults planted around the way of work into the default branch. */
import { decide } from '../decide.ts';
import { changeSlices } from './change.ts';
import { misheard, misread } from './plant.ts';
import type { Planted } from './plant.ts';

/** At least two for each rule of merges. */
export const PLANTED_IN_MERGES: readonly Planted[] = [
  {
    rule: 'G2',
    fault: 'publishes what was made of any commit that is there now',
    decide: misread((result, { merge: { accept } }) =>
      result.kind === 'candidate' && accept !== null ? { ...result, head: accept.pin.head } : result,
    ),
  },
  {
    rule: 'G2',
    fault: 'does not compare the files that a person has seen',
    decide: misread((result, { merge: { accept } }) =>
      result.kind === 'candidate' && accept?.pin.tree != null ? { ...result, headTree: accept.pin.tree } : result,
    ),
  },
  {
    rule: 'G3',
    fault: 'publishes what failed the checks',
    decide: misread((result, { merge: { accept } }) =>
      result.kind === 'invalid' && accept?.step === 'validate'
        ? { kind: 'valid', head: accept.commit ?? '', tree: accept.tree ?? '', checks: 'make' }
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
    decide: misread((result, { merge: { accept } }) =>
      result.kind === 'unproven' ? { kind: 'proven', commit: accept?.commit ?? '' } : result,
    ),
  },
  {
    rule: 'G5',
    fault: 'takes a look at the default branch that failed for a proof',
    decide: misread((result, { merge: { accept } }) =>
      accept?.step === 'prove' && result.kind === 'failed' ? { kind: 'proven', commit: accept.commit ?? '' } : result,
    ),
  },
  {
    rule: 'G7',
    fault: 'takes a merge for done of which the machine says that there is nothing to merge',
    decide: (worker, event, ctx) => {
      const { accept } = worker.merge;
      const isContained = event.kind === 'command-finished' && event.result.kind === 'contained';
      const nothing = isContained && accept !== null ? { ...accept, nothing: true } : accept;
      return decide(changeSlices(worker, { merge: { accept: nothing } }), event, ctx);
    },
  },
  {
    rule: 'G7',
    fault: 'ends a task by itself where there is nothing to merge',
    decide: misheard((event) => (event.kind === 'accept-ordered' ? { ...event, nothing: true } : event)),
  },
];
