/** Level 2: tries alternatives, the gentlest first, each at most once in an incident, only those that apply (docs/recovery.md, the four levels). */
import { happen, record, rule, set } from '../decision/step.ts';
import type { DecideContext, Step } from '../decision/step.ts';
import type { Strategy } from '../taxonomy/strategy.ts';
import { beginRestore } from '../worker/checkpoint.ts';
import { holdUntil } from '../worker/command.ts';
import { setTrouble } from '../worker/incident.ts';
import type { Alternative } from '../worker/incident.ts';
import { agreeToEnd, doubtProgram, isAlive } from '../worker/session.ts';
import { inHand, runOf } from '../worker/task.ts';
import { helpsAgainst, nextAlternative } from './ways/alternatives.ts';
import { beginAttempt, notBefore } from './incident.ts';
import type { Failure } from './incident.ts';
import { requeueTexts } from './mail.ts';
import { goElsewhere, mayGoElsewhere } from './ways/other-machine.ts';
import { RECOVERY_PLANS } from './plans.ts';
import { askAPerson } from './questions.ts';
import { wantCheckpoint } from './save.ts';
import { renewAgent, SAME_AGENT } from './second-signal.ts';
import type { Renewal } from './second-signal.ts';
import { tellUnread, unreadTexts } from './told.ts';

/** Asks for the ways beyond the worker itself, if they are not known: without a task none of them applies. */
export function askForWays(step: Step): Step {
  const { worker, ctx, lacks } = step;
  if (ctx.ways !== undefined || worker.task.kind !== 'in-hand' || worker.incident.open === null) return step;
  return { ...step, lacks: [...lacks, 'ways'] };
}

/** Returns the next alternative that applies to this worker; null when none is left. */
export function nextWayOut(step: Step, failure: Failure): Alternative | null {
  const { open } = step.worker.incident;
  return open === null ? null : nextAlternative(open.tried, available(step, failure));
}

/** Takes an alternative. */
export function takeAlternative(step: Step, next: Alternative, strategy: Strategy): Step {
  const { now } = step.ctx;
  const at = notBefore(step, now);
  const begun = beginAttempt(step, { action: describe(next), strategy, alternative: next, at });
  const held = at > now ? set(begun, { command: holdUntil(begun.worker.command, at) }) : begun;
  return take(rule(held, `alternative:${next.kind}`), next);
}

/** Returns the alternatives that apply to this worker now. */
function available({ worker, ctx }: Step, { code }: Failure): readonly Alternative[] {
  const { conversation } = worker.session;
  const { last } = worker.checkpoint;
  const { ways } = ctx;
  const hasTask = worker.task.kind === 'in-hand';
  const isTalking = conversation?.used === true;
  const wasFresh = worker.incident.open?.tried.some(({ kind }) => kind === 'fresh-context') === true;
  const found: Alternative[] = [];
  if (isTalking && hasTask) found.push({ kind: 'fresh-context' });
  if (isTalking) found.push({ kind: 'respawn-resumed', conversation: conversation.id });
  if (isTalking && !wasFresh) found.push({ kind: 'respawn-clean' });
  if (last !== null && hasTask) found.push({ kind: 'rollback', checkpoint: last.id });
  for (const profile of substitutesOf(ctx)) {
    if (profile !== ctx.profile) found.push({ kind: 'other-profile', profile });
  }
  if (hasTask && mayGoElsewhere(worker))
    for (const to of ways?.elsewhere?.others ?? []) found.push({ kind: 'other-machine', to });
  // A run gives its item to another worker by itself.
  const isOwn = hasTask && runOf(worker.task) === null;
  if (isOwn && (ways?.othersIdle ?? 0) > 0 && ctx.policy.incident.workersPerTaskMax > 1)
    found.push({ kind: 'other-worker' });
  return found.filter(({ kind }) => helpsAgainst(RECOVERY_PLANS[code], kind));
}

function substitutesOf({ policy, profile }: DecideContext): readonly string[] {
  return policy.substitutes.find((entry) => entry.profile === profile)?.by ?? [];
}

function describe(alternative: Alternative): string {
  switch (alternative.kind) {
    case 'fresh-context':
      return 'give the task again in a fresh context';
    case 'respawn-resumed':
      return 'start it again with its conversation';
    case 'respawn-clean':
      return 'start it again without its conversation';
    case 'rollback':
      return `restore checkpoint ${alternative.checkpoint.slice(0, 8)} and give the task again`;
    case 'other-profile':
      return `continue with "${alternative.profile}" in the same worktree`;
    case 'other-machine':
      return `continue its work on "${alternative.to.name}"`;
    case 'other-worker':
      return 'give the task to another worker';
    default:
      return alternative satisfies never;
  }
}

function take(step: Step, alternative: Alternative): Step {
  const saved = wantCheckpoint(step, 'before_retry', describe(alternative));
  switch (alternative.kind) {
    case 'respawn-resumed':
      return giveTaskAgain(saved, SAME_AGENT);
    case 'fresh-context':
    case 'respawn-clean':
      return giveTaskAgain(saved, { ...SAME_AGENT, fresh: true });
    case 'rollback':
      return rollBack(saved);
    case 'other-profile':
      return giveTaskAgain(saved, { ...SAME_AGENT, fresh: true, profile: alternative.profile });
    case 'other-machine':
      // The place is saved before the worker leaves it.
      return goElsewhere(step, alternative.to);
    case 'other-worker':
      return reassign(saved);
    default:
      return alternative satisfies never;
  }
}

/** Gives the task again in another process. R3: a fresh check must agree before the present one is ended. */
function giveTaskAgain(step: Step, renewal: Renewal): Step {
  const restore = inHand(step.worker.task)?.taken === true;
  const requeued = requeueTexts(step);
  const calm = set(requeued, { incident: setTrouble(requeued.worker.incident, null) });
  return renewAgent(calm, { ...renewal, restore });
}

function rollBack(step: Step): Step {
  const { checkpoint, task, turn } = step.worker;
  const { last } = checkpoint;
  if (last === null) return step;
  const begun = happen(requeueTexts(step), 'restore-begun');
  const { session } = begun.worker;
  const doubt = { checks: 0, mark: turn.progress.mark, ...SAME_AGENT };
  return set(begun, {
    // R3: the alternative closes the worker's session, so a fresh check must agree.
    session: isAlive(session.pane) ? doubtProgram(session, doubt, false) : agreeToEnd(session),
    checkpoint: beginRestore(begun.worker.checkpoint, {
      id: last.id,
      commit: last.commit,
      conversation: null,
      prompt: inHand(task)?.text ?? null,
    }),
  });
}

/** Returns the task to the queue; the fault of this worker is a person's matter. */
function reassign(step: Step): Step {
  const task = inHand(step.worker.task);
  if (task === null) return step;
  const [title = ''] = task.prompt.trim().split('\n', 1);
  const queued = record(step, {
    kind: 'queued',
    priority: 'S1',
    title: title.slice(0, 120),
    body: task.prompt,
    class: 'reassigned',
    dedupe: `task:${task.id}`,
  });
  const told = tellUnread(
    queued,
    unreadTexts(step.worker),
    'its task went back to the queue, without the texts that it had not read',
  );
  const ended = record(told, { kind: 'task', id: task.id, status: 'failed' });
  const why = step.worker.incident.open?.why ?? 'it cannot continue';
  return askAPerson(happen(ended, 'task-ended'), `${why}; its task went back to the queue`);
}
