/** Hears outcomes of requests. An outcome that nothing waits for changes nothing (W8). */
import { backoffDelay } from '../../policy/retry.ts';
import type { RunOutcome } from '../event.ts';
import { allItems, itemOf, planOf, stageName, stageOf } from '../find.ts';
import { isOver } from '../run.ts';
import type { Item } from '../run.ts';
import { change, ignore, record, rule, setItem, settleItem, wait } from '../step.ts';
import type { RunStep } from '../step.ts';
import { checkText, conflictText } from '../texts.ts';
import { awaitBudget, notBegun } from './above.ts';
import {
  askAccept,
  checksOf,
  commitsOf,
  requestAccept,
  requestCheck,
  reviewedAuthors,
  subjectCommit,
} from './drive.ts';
import { notKept, pin, pinned } from './ended.ts';
import { askAboutLoss, failAttempt, freeWorker, unroutable } from './failing.ts';
import { handBack, isSpent } from './budgets.ts';
import { givenUp, leaveGone, leaveWork } from './away.ts';
import { release } from './release.ts';
import { sendBack } from './review.ts';

type OutcomeOf<K extends RunOutcome['kind']> = Extract<RunOutcome, { kind: K }>;

/** Hears that a worker has the text. */
export function placed(step: RunStep, event: OutcomeOf<'placed'>): RunStep {
  const item = waitingFor(step, event.request, 'placing');
  const worker = { workerId: event.workerId, name: event.name, profile: event.profile, account: event.account };
  if (item === null) return placedLate(step, event, worker);
  const plan = planOf(step.run, stageName(item.name));
  if (
    plan.kind === 'review' &&
    reviewedAuthors(step.run, plan.of).some(({ workerId }) => workerId === event.workerId)
  ) {
    const freed = release(setItem(step, item.name, { worker: null }), item.name, event.workerId);
    return failAttempt(freed, item.name, {
      code: 'ROUTING_FAILED',
      problem: 'An author was to review own work.',
      isFree: true,
      words: null,
    });
  }
  const { isAway = false, isWithCommits = false, isGone = false, asks = null } = event;
  const running = setItem(recovered(rule(step, 'placed')), item.name, {
    worker,
    placeTries: 0,
    routingTries: 0,
    progress: {
      kind: 'running',
      since: step.ctx.now,
      handBackUntil: null,
      isAway,
      ...givenUp(step, { isAway, isWithCommits }),
      ...(asks !== null && { asks }),
    },
  });
  if (isGone) return leaveGone(running, itemOf(running.run, item.name));
  if (step.run.ending !== null || !isSpent(running.run, stageOf(running.run, plan.name))) return running;
  return handBack(running, itemOf(running.run, item.name));
}

/** Hears of a worker whose task has ended already, or which nobody waits for any more. */
function placedLate(step: RunStep, event: OutcomeOf<'placed'>, worker: NonNullable<Item['worker']>): RunStep {
  const item = allItems(step.run).find(({ name }) => name === event.item);
  const isKnown = item?.worker?.workerId === event.workerId && item.attempt === event.attempt;
  if (isKnown) {
    const authors = item.authors.map((one) =>
      one.workerId === worker.workerId ? { ...one, profile: worker.profile } : one,
    );
    return setItem(rule(step, 'placed:known'), item.name, { worker, authors });
  }
  const wasSeen = step.run.releasing.some(({ workerId }) => workerId === event.workerId);
  const late = ignore(step, 'placed', `Nothing waits for worker ${event.name}.`);
  const holds = allItems(step.run).some(({ worker }) => worker?.workerId === event.workerId);
  return wasSeen || holds ? late : release(late, event.item, event.workerId);
}

function recovered(step: RunStep): RunStep {
  if (!step.run.isRecovering) return step;
  return record(change(step, { isRecovering: false }), { kind: 'recovered', of: step.run.terms.retryOf ?? '' });
}

export function released(step: RunStep, event: OutcomeOf<'released'>): RunStep {
  const releasing = step.run.releasing.filter(({ request }) => request !== event.request);
  return change(rule(step, 'released'), { releasing });
}

/** Hears that no worker has the text. */
export function notPlaced(step: RunStep, event: OutcomeOf<'not-placed'>): RunStep {
  const item = waitingFor(step, event.request, 'placing');
  if (item === null) return ignore(step, 'not-placed', 'Nothing waits for it.');
  const { now, random, policy } = step.ctx;
  const { name } = item;
  const placeTries = item.placeTries + 1;
  const text = `No worker has it: ${event.text}.`;
  // The attempt was not begun: it is no start of the ramp.
  const { ramp } = step.run;
  const given = ramp === null ? step : change(step, { ramp: { ...ramp, left: Math.min(ramp.left + 1, ramp.size) } });
  const unreached = event.why === 'budget' ? [] : (event.unreached ?? []);
  const failedOn = [...new Set([...item.failedOn, ...unreached])];
  const counted = setItem(rule(given, `not-placed:${event.why}`), name, { placeTries, failedOn });
  switch (event.why) {
    case 'gone':
      return wait(freeWorker(counted, item), name, { on: 'turn', why: text });
    case 'account':
      return wait(setItem(counted, name, { placeTries: 0 }), name, {
        on: 'account',
        why: text,
        account: event.account,
        retryAt: Math.max(event.until ?? 0, now + policy.run.limitWaitMs),
      });
    case 'budget':
      return notBegun(setItem(counted, name, { placeTries: 0 }), item, event.spent);
    case 'busy':
    case 'machine': {
      const on = event.why === 'busy' ? 'worker' : 'machine';
      return wait(counted, name, { on, why: text, retryAt: now + backoffDelay(policy.run.busy, placeTries, random) });
    }
    case 'no-commits':
      return askAboutLoss(setItem(counted, name, { placeTries: 0 }), name, text);
    case 'never':
      return unroutable(counted, itemOf(counted.run, name), text);
  }
}

export function pinDone(step: RunStep, event: OutcomeOf<'pinned'>): RunStep {
  const item = waitingFor(step, event.request, 'pinning');
  return item === null ? ignore(step, 'pinned', 'Nothing waits for it.') : pinned(rule(step, 'pinned'), item, event);
}

export function pinFailed(step: RunStep, event: OutcomeOf<'not-pinned'>): RunStep {
  const item = waitingFor(step, event.request, 'pinning');
  // A failure that is told twice is one: the next attempt has a request of its own.
  if (item?.progress.kind !== 'pinning' || item.progress.retryAt !== null)
    return ignore(step, 'not-pinned', 'Nothing waits for it.');
  const { policy, now, random } = step.ctx;
  const { triesMax, ...pauses } = policy.run.routing;
  const tries = item.progress.tries + 1;
  const told = rule(step, 'not-pinned');
  const left = event.left === undefined ? null : leaveWork(told, item, { ...event, left: event.left });
  if (left !== null) return left;
  if (tries < triesMax) {
    const retryAt = now + backoffDelay(pauses, tries, random);
    return setItem(told, item.name, { progress: { ...item.progress, retryAt, tries } });
  }
  const { next } = item.progress;
  const problem = `Its commit cannot be kept: ${event.text}`;
  // Its worker holds what could not be kept, and goes on from there.
  if (next.kind === 'await-budget') return awaitBudget(told, item.name, false);
  const isAgain = item.failures.some(({ code }) => code === 'ROUTING_FAILED');
  const failure = { code: 'ROUTING_FAILED', problem, isFree: true, words: null } as const;
  return notKept(told, item.name, { ...failure, next, isAgain, notThere: event.unreached ?? [] });
}

/** Orders once more what could not be pinned. */
export function pinAgain(step: RunStep, { name, progress }: Item): RunStep {
  if (progress.kind !== 'pinning' || progress.retryAt === null || progress.retryAt > step.ctx.now) return step;
  return pin(step, name, progress);
}

export function checked(step: RunStep, event: OutcomeOf<'checked'>): RunStep {
  const item = waitingFor(step, event.request, 'checking') ?? waitingFor(step, event.request, 'joining');
  if (item === null) return ignore(step, 'checked', 'Nothing waits for it.');
  const told = rule(step, `checked:${event.how}`);
  if (event.how === 'cannot-run') return checkLater(told, item, event.output);
  const noted = setItem(told, item.name, { output: { ...item.output, checkOutput: event.output } });
  if (event.how === 'passed') return checkPassed(noted, item);
  const plan = planOf(step.run, stageName(item.name));
  const problem = `The checks failed${event.culprit === null ? '' : `, by the work of ${event.culprit}`}.`;
  const words = checkText(event.output);
  if (plan.kind !== 'check')
    return failAttempt(noted, item.name, { code: 'VALIDATION_FAILED', problem, isFree: false, words });
  return failSubject(noted, item, { of: plan.of, problem, words });
}

function checkPassed(step: RunStep, item: Item): RunStep {
  const plan = planOf(step.run, stageName(item.name));
  const subject = plan.kind === 'check' ? subjectCommit(step.run, plan.of) : null;
  const { output } = itemOf(step.run, item.name);
  const passed = subject === null ? step : setItem(step, item.name, { output: { ...output, commit: subject.commit } });
  return settleItem(passed, item.name, { as: 'passed', why: 'The checks passed.' });
}

/** Waits for a place where checks or a join can run. */
function checkLater(step: RunStep, item: Item, output: string): RunStep {
  const { policy, now, random } = step.ctx;
  const { triesMax, ...pauses } = policy.run.routing;
  const { name } = item;
  const placeTries = item.placeTries + 1;
  const why = `The checks cannot run: ${output}`;
  const counted = setItem(step, name, { placeTries });
  if (placeTries >= triesMax) return askAboutLoss(setItem(counted, name, { placeTries: 0 }), name, why);
  const on = item.progress.kind === 'joining' ? 'worker' : 'check';
  return wait(counted, name, { on, why, retryAt: now + backoffDelay(pauses, placeTries, random) });
}

/** Sends work back that failed a check of its own stage, as a try of its author. */
function failSubject(
  step: RunStep,
  item: Item,
  { of, problem, words }: { readonly of: string; readonly problem: string; readonly words: string },
): RunStep {
  const plan = planOf(step.run, of);
  const author = itemOf(step.run, of);
  const spent = author.triesSpent + 1;
  const failures = [...author.failures, { code: 'VALIDATION_FAILED' as const, problem }];
  if (step.run.ending !== null || !('tries' in plan) || spent >= plan.tries) {
    const told = record(step, { kind: 'error', code: 'STAGE_FAILED', item: item.name, problem });
    return settleItem(told, item.name, { as: 'failed', why: problem });
  }
  return setItem(sendBack(step, of, words), of, { triesSpent: spent, failures });
}

export function joined(step: RunStep, event: OutcomeOf<'joined'>): RunStep {
  const item = waitingFor(step, event.request, 'joining');
  if (item === null) return ignore(step, 'joined', 'Nothing waits for it.');
  const { commit, tree } = event;
  const done = setItem(rule(step, 'joined'), item.name, { output: { ...item.output, commit, tree } });
  const after = itemOf(done.run, item.name);
  return checksOf(planOf(step.run, item.name), item) === null
    ? settleItem(done, item.name, { as: 'passed', why: 'The commits are one candidate.' })
    : requestCheck(done, after);
}

/** Gives a conflict to an agent, on the candidate without the commits that conflict. */
export function conflicted(step: RunStep, event: OutcomeOf<'conflict'>): RunStep {
  const item = waitingFor(step, event.request, 'joining');
  const plan = item === null ? null : planOf(step.run, item.name);
  if (item === null || plan?.kind !== 'join') return ignore(step, 'conflict', 'Nothing waits for it.');
  const commits = commitsOf(step.run, plan.of).filter((one) => event.items.includes(one.item));
  const words = conflictText(
    event.files,
    commits.map(({ commit }) => commit),
  );
  const given = setItem(rule(step, 'conflict'), item.name, { words, from: event.commit });
  return wait(given, item.name, { on: 'turn', why: `The commits conflict in ${event.files.join(', ')}.` });
}

export function accepted(step: RunStep, event: OutcomeOf<'accepted'>): RunStep {
  const item = waitingFor(step, event.request, 'accepting');
  // A run that was stopped without its machine hears what that machine did with a person's yes.
  const isLate = item === null && isOver(step.run) && step.run.merged === null;
  if (item === null && !isLate) return ignore(step, 'accepted', 'Nothing waits for it.');
  const offered = event.offered === null ? null : offeredText(event.commit, event.offered);
  const why = offered ?? `Merged as ${event.commit}.`;
  const named = rule(step, offered === null ? 'accepted' : 'accepted:offered');
  const told = offered === null ? change(named, { merged: event.commit }) : named;
  return item === null
    ? record(told, { kind: 'notice', text: why })
    : settleItem(told, item.name, { as: 'passed', why });
}

function offeredText(commit: string, { branch, why }: NonNullable<OutcomeOf<'accepted'>['offered']>): string {
  return `Handed over as the branch "${branch}" at ${commit}: merge it there.${why === '' ? '' : ` ${why}`}`;
}

export function notAccepted(step: RunStep, event: OutcomeOf<'not-accepted'>): RunStep {
  const item = waitingFor(step, event.request, 'accepting');
  if (item === null) return ignore(step, 'not-accepted', 'Nothing waits for it.');
  const told = record(rule(step, 'not-accepted'), { kind: 'notice', text: `${item.name}: not merged: ${event.text}` });
  if (step.run.ending !== null) return settleItem(told, item.name, { as: 'failed', why: event.text });
  const { progress } = item;
  if (event.isLost === true && progress.kind === 'accepting' && progress.lost < LOST_MAX)
    return acceptAgain(told, item, { by: progress.by, lost: progress.lost + 1 });
  return askAccept(told, item, event.text);
}

/** Times that a merge is requested again by itself when its answer is lost. */
const LOST_MAX = 5;

/** Requests the merge again of the commit to which a person said yes. A machine that did merge it finds it on the default branch. */
function acceptAgain(step: RunStep, { name }: Item, how: { readonly by: string; readonly lost: number }): RunStep {
  const plan = planOf(step.run, stageName(name));
  const own = plan.kind === 'accept' ? subjectCommit(step.run, plan.of) : null;
  return own === null
    ? wait(step, name, { on: 'turn', why: 'The commit has changed.' })
    : requestAccept(step, { item: name, commit: own.commit }, how);
}

/** Returns the item that waits for the outcome of a request. */
function waitingFor({ run }: RunStep, request: string, kind: Item['progress']['kind']): Item | null {
  const found = allItems(run).find(
    ({ progress }) => progress.kind === kind && 'request' in progress && progress.request === request,
  );
  return found ?? null;
}
