/**
 * Issues the command of the present step: for work that is checked for its review, or for accepted work that is merged. Only the worker that
 * holds the project's merge lease is between `waiting` and `proving`: takes the lease and gives it back, with word to those aboard.
 */
import { issue, note, record, rule, set } from '../decision/step.ts';
import type { MergeFacts } from '../decision/facts.ts';
import type { Step } from '../decision/step.ts';
import type { Command, Pin } from '../machine/commands.ts';
import { forgetFailures } from '../worker/command.ts';
import type { TrainEvent } from '../worker/event.ts';
import { restartIfLeft } from '../worker/session.ts';
import { inHand } from '../worker/task.ts';
import { isAway } from '../placement/check-place.ts';
import type { CheckPlace } from '../placement/check-place.ts';
import { changeAccept, endAccept, goTo, judgedConflicts } from './state.ts';
import { isAccepting, needsLease } from './step.ts';
import type {
  Aboard,
  Accept,
  Accepting,
  Checking,
  Closing,
  Extending,
  MergeStep,
  Publishing,
  Waiting,
} from './step.ts';

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
  const placed = at.on === on ? step : moveTo(step, { ...at, on });
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
  return issueMergeStep(moveTo(step, { kind: 'recycling', accept, done }));
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
  if (queue === undefined || members.length === 0) return issueMergeStep(moveTo(mine, { ...begun, train: null }));
  const told = members.map(({ id }, index) => {
    const conductor = { ...queue.me, place: index + 2, of: members.length + 1 };
    return { worker: id, event: { kind: 'train-boarded', conductor } as const };
  });
  const departed = record(rule(mine, 'train:departs'), { kind: 'train', told });
  const noted = note(departed, `leads a merge train: ${[queue.me, ...members].map(({ name }) => name).join(', ')}`);
  return issueMergeStep(moveTo(noted, { ...begun, train: { conductor: queue.me, members } }));
}

/** Waits for its turn again if its conductor was taken out of the fleet. */
function stayAboard(step: Step, { accept }: Aboard): Step {
  if (step.ctx.merge?.isAboard !== false) return rule(step, 'train:aboard');
  // A later look finds the turn, so that hearing of this twice is hearing of it once.
  const notBefore = step.ctx.now + step.ctx.policy.trainGatherMs;
  return moveTo(rule(step, 'train:lost'), { kind: 'waiting', accept, notBefore });
}

/** Gives the lease back once the accept is over, so that another worker may merge. */
export function releaseLease(
  step: Step,
  name: `accept:${'conflict' | 'rewritten' | 'invalid' | 'stopped' | 'offered' | 'done'}`,
): Step {
  const known = dismissMembers(step, 'the work before it is not merged: it keeps its place');
  const { merge, command, session } = known.worker;
  const released = set(rule(known, name), {
    merge: endAccept(merge),
    command: forgetFailures(command),
    session: restartIfLeft(session, step.ctx.now),
  });
  return record(released, { kind: 'lease', action: 'release' });
}

/** Gives the lease back, and lets the accept wait for its turn again; not before a time, in epoch milliseconds, if one is given. */
export function waitAgain(step: Step, notBefore: number | null = null): Step {
  const at = step.worker.merge.step;
  if (!isAccepting(at)) return step;
  const maybe = at.kind === 'publishing' ? at.own.commit : at.accept.maybe;
  const waiting = moveTo(step, { kind: 'waiting', accept: { ...at.accept, maybe }, notBefore });
  return record(waiting, { kind: 'lease', action: 'release' });
}

/** Dismisses the members aboard, which keep their places. */
export function dismissMembers(step: Step, why: string): Step {
  const at = step.worker.merge.step;
  if (!needsLease(at) || at.train === null) return step;
  const left = leftEvent(at.accept, why);
  const onTheirWay = at.kind === 'publishing' && at.train !== null ? at.train.members.slice(0, at.prefix - 1) : [];
  const told = at.train.members.map(({ id }, index) => {
    const maybe = onTheirWay[index]?.link.commit ?? null;
    return { worker: id, event: { ...left, maybe } };
  });
  return record(step, { kind: 'train', told });
}

/** Returns the event for a member that keeps its place. */
export function leftEvent(
  { runs, red }: Pick<Accept, 'runs' | 'red'>,
  why: string,
): Extract<TrainEvent, { kind: 'train-left' }> {
  return { kind: 'train-left', why, runs, red, maybe: null };
}

/** Ends the accept; the work still waits for review. Commits that reached the default branch by then stay there; only the worker is not free. */
export function stopMerge(step: Step, why: string): Step {
  const at = step.worker.merge.step;
  const done = at.kind === 'closing' || at.kind === 'recycling' ? at.done : null;
  if (done === null || done.how === 'nothing') return endMerge(step, `not merged: ${why}`);
  const then = 'correct that; "drover accept --nothing" then ends its task';
  return endMerge(step, `merged as ${short(done.commit)}, but ${why}: ${then}`);
}

/**
 * Ends a merge of which a step failed for good. Commits that were published, or on their way, may have arrived all the same: the next accept
 * finds out.
 */
export function mergeFailed(step: Step, why: string): Step {
  const { merge } = step.worker;
  const maybe = underWay(merge.step);
  if (maybe === null) return stopMerge(step, why);
  const known = set(step, { merge: changeAccept(merge, () => ({ maybe })) });
  return endMerge(known, `perhaps merged: ${why}; "drover accept" finds out, and merges it if it was not`);
}

/** Returns the commit that is published, or on its way there; null: none is. */
function underWay(at: MergeStep): string | null {
  if (at.kind === 'publishing') return at.own.commit;
  return at.kind === 'proving' ? at.commit : null;
}

export function endMerge(step: Step, text: string): Step {
  return record(note(releaseLease(step, 'accept:stopped'), text), { kind: 'notice', text });
}

/** Stops the merge at a machine that errs: nothing says that its commit is the reviewed one. */
export function stopUnnamed(step: Step, { accept, kind }: Accepting): Step {
  const named = `its machine did not confirm that "${kind}" used the commit ${short(accept.pin.head)}`;
  return stopMerge(
    rule(step, 'accept:unnamed'),
    `${named}: make sure that Drover there is not older than its coordinator`,
  );
}

/** Shortens a commit for people. */
export function short(commit: string): string {
  return commit.slice(0, 12);
}

/** Moves the work on to a step. */
export function moveTo(step: Step, at: MergeStep): Step {
  return set(step, { merge: goTo(step.worker.merge, at) });
}

/** Issues the command of the present part of a review. */
export function issueReviewStep(step: Step): Step {
  const review = step.worker.merge.step;
  if (review.kind !== 'reviewing') return step;
  const { doing, head } = review;
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
