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
  const { name, progress, output, worker, unkept } = item;
  switch (progress.kind) {
    case 'waiting': {
      const as = output.commit === null ? 'skipped' : 'partial';
      if (worker === null || unkept == null) return settleItem(step, name, { as, why });
      return settleItem(step, name, { as, why, left: { on: unkept.on, commit: unkept.commit, worker: worker.name } });
    }
    case 'running':
      return progress.handBackUntil === null ? pin(step, name, { commit: null, next: { kind: 'stop' } }) : step;
    default:
      return step;
  }
}

/** Says where the end of the run leaves work, in a sentence for each machine that is away, and for each commit elsewhere. */
export function tellLeft(run: Run): readonly string[] {
  const left = allItems(run).flatMap(({ name, progress }) =>
    progress.kind === 'settled' && progress.left !== undefined ? [{ name, ...progress.left }] : [],
  );
  const away = left.filter(({ commit }) => commit === null);
  return [
    ...[...new Set(away.map(({ on }) => on))].map((machine) => {
      const workers = away.filter(({ on }) => on === machine).map(({ worker }) => worker);
      const what = workers.length === 1 ? '1 task is' : `${workers.length} tasks are`;
      return `On "${machine}", which is away, ${what} ended when it is back, and the work stays there: drover worker checkpoint ${workers.join(' or ')}.`;
    }),
    ...left.flatMap(({ name, on, commit }) =>
      commit === null ? [] : [`The work of ${name} is kept on "${on}" as commit ${commit}.`],
    ),
  ];
}

/** Says what the end of the run still waits for, in a sentence; nothing once all of it is at rest. */
export function tellAwaited(run: Run): readonly string[] {
  const { length } = run.releasing;
  const awaited = [
    ...allItems(run).flatMap(awaitedOf),
    ...(length === 0 ? [] : [length === 1 ? '1 worker to be free' : `${length} workers to be free`]),
  ];
  return awaited.length === 0 ? [] : [`It waits for ${awaited.join(', and for ')}.`];
}

function awaitedOf({ name, progress, worker }: Item): readonly string[] {
  const agent = worker?.name ?? 'its agent';
  switch (progress.kind) {
    case 'waiting':
    case 'settled':
      return [];
    case 'placing':
      return [`the answer to whether ${name} has begun`];
    case 'running':
      return [`${agent} to hand back ${name}`];
    case 'pinning':
      if (progress.isAway === true) return [`the machine of ${agent}, to keep its work on ${name}`];
      return [
        progress.next.kind === 'stop'
          ? `${agent} to stop and its work on ${name} to be kept`
          : `the work on ${name} to be kept`,
      ];
    case 'checking':
      return [`the check of ${name}`];
    case 'joining':
      return [`the commits of ${name} to be joined`];
    case 'accepting':
      return ['the merge'];
    default:
      return progress satisfies never;
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
