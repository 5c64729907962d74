/**
 * Issues the command of the present step: for work that is checked for its review, or for accepted work that is merged. Only the worker that
 * holds the project's merge lease is between `waiting` and `proving`.
 */
import { issue, note, record, rule, set } from '../decision/step.ts';
import type { MergeFacts } from '../decision/facts.ts';
import type { Step } from '../decision/step.ts';
import type { Command, Pin } from '../machine/commands.ts';
import { inHand } from '../worker/task.ts';
import { isAway } from '../placement/check-place.ts';
import type { CheckPlace } from '../placement/check-place.ts';
import { dismissMembers, waitAgain } from './lease.ts';
import { goTo, judgedConflicts } from './state.ts';
import type { Aboard, Accept, Checking, Closing, Doing, Extending, Publishing, Waiting } from './step.ts';

/** Issues the command of the present step of a merge. */
export function issueMergeStep(step: Step): Step {
  const at = step.worker.merge.step;
  switch (at.kind) {
    case 'none':
    case 'reviewing':
      return step;
    case 'waiting':
      return takeTurn(step, at);
    case 'aboard':
      return stayAboard(step, at);
    case 'building':
      return withLease(step, (mine) => issueCandidate(mine, at.accept.pin));
    case 'extending':
      return withLease(step, (mine) => issueExtension(mine, at));
    case 'checking':
      return withLease(step, (mine) => issueChecks(mine, at));
    case 'publishing':
      return withLease(step, (mine) => issuePublication(mine, at));
    case 'proving':
      return issue(step, { kind: 'prove', commit: at.commit });
    case 'closing':
      return issueClosing(step, at);
    case 'recycling':
      return issue(step, { kind: 'recycle', commit: at.done.commit, head: at.accept.pin.head });
    default:
      return at satisfies never;
  }
}

function issueExtension(step: Step, { own, train }: Extending): Step {
  const items = train.members.map(({ name, pin, elsewhere = false }) =>
    elsewhere ? { worker: name, at: pin, elsewhere } : { worker: name, at: pin },
  );
  return issue(step, { kind: 'extend', onto: own.commit, items });
}

/** Chooses the place of the checks with the first candidate, and again when that machine is disconnected. */
function issueChecks(step: Step, at: Checking): Step {
  const on = at.on ?? checkPlaceNow(step);
  const placed = at.on === on ? step : set(step, { merge: goTo(step.worker.merge, { ...at, on }) });
  if (!isAway(on)) return issue(placed, { kind: 'validate', at: at.tip });
  const noted = note(placed, `its checks run on "${on.machine}": ${on.why}`);
  return issue(rule(noted, 'accept:checked-elsewhere'), { kind: 'validate', at: at.tip, on: on.machine });
}

/** Returns the place where the project has its merges checked now; null: not known. */
export function checkPlaceNow({ ctx: { merge } }: Step): CheckPlace | null {
  return merge?.checkPlace ?? null;
}

function issuePublication(step: Step, { own, tip, accept }: Publishing): Step {
  return issue(step, { kind: 'publish', base: own.base, commit: tip.head, work: workOf(step, accept) });
}

/** Names a branch, where accepted work is handed over as one. */
function workOf({ worker }: Step, { pin }: Accept): Command<'publish'>['work'] {
  const task = inHand(worker.task);
  return { head: pin.head, task: task === null ? null : task.id };
}

/** Closes the session, unless that is gone already. */
function issueClosing(step: Step, { accept, done }: Closing): Step {
  if (step.worker.session.pane.kind !== 'absent') return issue(step, { kind: 'close' });
  return issueMergeStep(set(step, { merge: goTo(step.worker.merge, { kind: 'recycling', accept, done }) }));
}

/** Returns the lease. A worker that has not looked takes nothing from another. */
function leaseOf({ ctx: { merge } }: Step): MergeFacts['lease'] {
  return merge?.lease ?? 'other';
}

/**
 * Acts only with the lease. A machine that was silent for too long has lost its worker the lease: if another worker merges by now, this one
 * waits for its turn again.
 */
function withLease(step: Step, act: (mine: Step) => Step): Step {
  const lease = leaseOf(step);
  switch (lease) {
    case 'mine':
      return act(step);
    case 'free':
      return act(record(step, { kind: 'lease', action: 'acquire' }));
    case 'other':
      return waitAgain(dismissMembers(rule(step, 'accept:waits-for-its-turn'), 'another worker merges first'));
    default:
      return lease satisfies never;
  }
}

/** Lets the work that was accepted first go first, and takes along the work that waits behind it. */
function takeTurn(step: Step, { accept, notBefore }: Waiting): Step {
  const { merge, now, policy } = step.ctx;
  const lease = leaseOf(step);
  const queue = merge?.queue;
  const isLater = notBefore !== null && now < notBefore;
  if (isLater || lease === 'other') return rule(step, 'accept:waits-for-its-turn');
  if (queue !== undefined && queue.first !== null) return rule(step, 'train:yields');
  const mine = lease === 'mine' ? step : record(step, { kind: 'lease', action: 'acquire' });
  const begun = { kind: 'building', accept, moved: 0, on: null } as const;
  const members = queue === undefined ? [] : queue.members.slice(0, Math.max(0, policy.trainMax - 1));
  if (queue === undefined || members.length === 0)
    return issueMergeStep(set(mine, { merge: goTo(mine.worker.merge, { ...begun, train: null }) }));
  const told = members.map(({ id }, index) => {
    const conductor = { ...queue.me, place: index + 2, of: members.length + 1 };
    return { worker: id, event: { kind: 'train-boarded', conductor } as const };
  });
  const departed = record(rule(mine, 'train:departs'), { kind: 'train', told });
  const noted = note(departed, `conducts a train: ${[queue.me, ...members].map(({ name }) => name).join(', ')}`);
  const train = { conductor: queue.me, members };
  return issueMergeStep(set(noted, { merge: goTo(noted.worker.merge, { ...begun, train }) }));
}

/** Waits for its turn again if its conductor was taken out of the fleet. */
function stayAboard(step: Step, { accept }: Aboard): Step {
  if (step.ctx.merge?.isAboard !== false) return rule(step, 'train:aboard');
  // A later look finds the turn, so that hearing of this twice is hearing of it once.
  const notBefore = step.ctx.now + step.ctx.policy.trainGatherMs;
  return set(rule(step, 'train:lost'), {
    merge: goTo(step.worker.merge, { kind: 'waiting', accept, notBefore }),
  });
}

/** Issues the command of the present part of a review. */
export function issueReviewStep(step: Step): Step {
  const at = step.worker.merge.step;
  return at.kind === 'reviewing' ? issuePart(step, at.doing, at.head) : step;
}

function issuePart(step: Step, doing: Doing, head: string): Step {
  const at = { head, tree: null };
  switch (doing.kind) {
    case 'candidate':
      return issueCandidate(step, at);
    case 'checks':
      return issue(step, { kind: 'validate', at: doing.at });
    case 'base':
      return issue(step, { kind: 'validate', at: { head: doing.base, tree: null } });
    case 'rebase':
      return issue(step, { kind: 'rebase', at, began: beganOf(step) });
    default:
      return doing satisfies never;
  }
}

/** Issues the rebase that a person asked for, or that comes before a text; only for the known HEAD. */
export function issueRebase(step: Step): Step {
  const { git } = step.worker.worktree;
  const at = git === null ? null : { head: git.head, tree: null };
  return issue(step, { kind: 'rebase', at, began: beganOf(step) });
}

/** Asks git how the conflicts were ended. */
export function issueResolution(step: Step): Step {
  const { onto, orig, beyond } = judgedConflicts(step.worker.merge);
  return issue(step, { kind: 'resolution', onto, orig, ...(beyond !== undefined && { beyond }) });
}

/** Issues the candidate of a commit, which the branch must be at. */
function issueCandidate(step: Step, at: Pin): Step {
  return issue(step, { kind: 'candidate', at, began: beganOf(step) });
}

/** Returns the commit on which the work began; null: not known. */
function beganOf({ worker }: Step): string | null {
  const { place } = worker.worktree;
  return place.kind === 'none' ? null : place.base;
}
