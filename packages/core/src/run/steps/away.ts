/**
 * Handles work on a machine that is away: its agent may be at it, and so it is given to another worker only after a long time. On one that a
 * person revoked, nobody waits for it.
 */
import type { RunEvent } from '../event.ts';
import { allItems } from '../find.ts';
import type { Item, Left } from '../run.ts';
import { change, record, rule, setItem, settleItem } from '../step.ts';
import type { RunStep } from '../step.ts';
import { notKept } from './ended.ts';
import { askAboutLoss, failAttempt, freeWorker } from './failing.ts';

type MachineChanged = Extract<RunEvent, { kind: 'machine-changed' }>;

/** Hears that the machine with the commits is away, or back: what waits for it costs no time. */
export function homeChanged(step: RunStep, { isAway }: Extract<RunEvent, { kind: 'home-changed' }>): RunStep {
  return change(rule(step, isAway ? 'home:away' : 'home:back'), { isHomeAway: isAway });
}

const GONE = { code: 'MACHINE_LOST', problem: 'Its machine was revoked.', isFree: true, words: null } as const;

/** Takes an item from a worker whose machine was revoked: what is under way there is lost, and its next turn goes to another one. */
export function leaveGone(step: RunStep, item: Item): RunStep {
  const { name, worker, progress } = item;
  // The outcome of a turn that is on its way to the worker tells of its machine once more.
  if (worker === null || progress.kind === 'placing') return step;
  const left = rule(step, 'machine:gone');
  if (progress.kind === 'running') return failAttempt(left, name, GONE);
  if (progress.kind === 'pinning') return notKept(left, name, { ...GONE, next: progress.next });
  return freeWorker(left, item);
}

/**
 * Leaves work on the machine where it is. A run that ends goes on without it, and says where it is; another one waits for a person, who alone
 * can let the machine of the run in again. Null: it is no such work.
 */
export function leaveWork(
  step: RunStep,
  { name, progress, worker }: Item,
  { left, text }: { readonly left: Left; readonly text: string },
): RunStep | null {
  // A person has that worker, and what it does there.
  if (progress.kind !== 'pinning' || worker === null || progress.next.kind === 'taken-away') return null;
  const { on, commit } = left;
  const problem =
    commit === null ? `Its work stays on "${on}": ${text}.` : `Its commit ${commit} is kept on "${on}": ${text}.`;
  const told = record(rule(step, 'left'), { kind: 'error', code: 'MACHINE_LOST', item: name, problem });
  if (step.run.ending !== null)
    return settleItem(told, name, { as: 'failed', why: problem, left: { ...left, worker: worker.name } });
  if (commit === null) return null;
  return askAboutLoss(setItem(told, name, { unkept: { ...left, next: progress.next } }), name, problem);
}

/** Hears that the machine of a worker is away, or back. Nothing is given up yet, and no time is counted. */
export function machineChanged(
  step: RunStep,
  { workerId, isAway, isWithCommits = false, isGone = false }: MachineChanged,
): RunStep {
  if (isGone)
    return allItems(step.run).reduce(
      (so, item) => (item.worker?.workerId === workerId ? leaveGone(so, item) : so),
      step,
    );
  return allItems(step.run).reduce((so, { name, worker, progress }) => {
    if (worker?.workerId === workerId && progress.kind === 'pinning')
      return setItem(so, name, { progress: { ...progress, isAway } });
    if (worker?.workerId !== workerId || progress.kind !== 'running' || progress.isAway === isAway) return so;
    const { givenUpAt: _over, ...running } = progress;
    return setItem(rule(so, isAway ? 'machine:away' : 'machine:back'), name, {
      progress: { ...running, isAway, ...givenUp(so, { isAway, isWithCommits }) },
    });
  }, step);
}

/** Says when another worker gets work on a machine; nothing: never, for only that machine has the commits that the work needs. */
export function givenUp(
  { ctx }: RunStep,
  { isAway, isWithCommits }: Required<Pick<MachineChanged, 'isAway' | 'isWithCommits'>>,
): { readonly givenUpAt?: number } {
  return isAway && !isWithCommits ? { givenUpAt: ctx.now + ctx.policy.run.awayMs } : {};
}

/** Milliseconds by which a deadline is late only if no coordinator ran. */
const LATE_MS = 60_000;
/** Milliseconds that machines have then to be heard again, before their work is given away: some leases of time. */
const HEARD_MS = 5 * 60_000;

/** Gives work to another worker whose machine has been away for too long. It spends no try. */
export function giveUp(step: RunStep, { name, progress }: Item): RunStep {
  if (progress.kind !== 'running' || progress.givenUpAt === undefined || progress.givenUpAt > step.ctx.now) return step;
  if (step.ctx.now - progress.givenUpAt > LATE_MS)
    return setItem(rule(step, 'machine:late'), name, {
      progress: { ...progress, givenUpAt: step.ctx.now + HEARD_MS },
    });
  const minutes = Math.round(step.ctx.policy.run.awayMs / 60_000);
  const problem = `Its machine has been away for ${minutes} minutes.`;
  return failAttempt(step, name, { code: 'MACHINE_LOST', problem, isFree: true, words: null });
}
