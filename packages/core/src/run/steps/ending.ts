/** Ends a run: what was made is pinned, workers are freed, and only then it has ended. */
import { allItems, isUsable } from '../find.ts';
import type { Item, Run } from '../run.ts';
import { change, rule, settleItem } from '../step.ts';
import type { RunStep } from '../step.ts';
import { pin } from './ended.ts';

/** Begins the end of a run. */
export function end(step: RunStep, ending: NonNullable<Run['ending']>): RunStep {
  return step.run.ending === null ? change(rule(step, `end:${ending.as}`), { ending, paused: null }) : step;
}

/** Interrupts and pins what is still under way. */
export function drain(step: RunStep): RunStep {
  const { ending } = step.run;
  if (ending === null) return step;
  return allItems(step.run).reduce((so, item) => drainItem(so, item, ending.why), step);
}

function drainItem(step: RunStep, item: Item, why: string): RunStep {
  const { name, progress, output } = item;
  switch (progress.kind) {
    case 'waiting':
      return settleItem(step, name, { as: output.commit === null ? 'skipped' : 'partial', why });
    case 'running':
      return progress.handBackUntil === null ? pin(step, name, { commit: null, next: { kind: 'stop' } }) : step;
    default:
      return step;
  }
}

/** Tells whether everything of the run is at rest. */
export function isAtRest(run: Run): boolean {
  const isIdle = allItems(run).every(({ progress, worker }) => progress.kind === 'settled' && worker === null);
  return isIdle && run.releasing.length === 0;
}

/** Returns the status with which a run ends: partial only if it has made something. */
export function finalStatus(run: Run): 'finished' | 'partial' | 'failed' | 'stopped' {
  if (run.ending === null || run.ending.as === 'stopped' || run.ending.as === 'finished')
    return run.ending?.as ?? 'failed';
  const hasWork = allItems(run).some(
    (item) =>
      item.output.report !== '' ||
      (item.output.commit !== null && (isUsable(item) || item.progress.kind === 'settled')),
  );
  return hasWork && run.ending.as === 'partial' ? 'partial' : 'failed';
}
