/**
 * Level 2: what else can be tried, and how? The gentlest first, each at most once in an incident, only what applies
 * (docs/recovery.md, the four levels).
 */
import { helpsAgainst, nextAlternative } from '../retry/alternatives.ts';
import type { Alternative } from '../retry/alternatives.ts';
import type { Strategy } from '../retry/strategies.ts';
import { wantCheckpoint } from './checkpoints.ts';
import { record, rule, set } from './decision.ts';
import type { DecideContext, Step } from './decision.ts';
import { renew, SAME_AGENT } from './doubt.ts';
import type { Renewal } from './doubt.ts';
import { queueLost } from './delivery.ts';
import { askAPerson } from './escalation.ts';
import { attempted, notBefore } from './incident.ts';
import type { Failure } from './incident.ts';
import { unreadTexts, wordsDropped } from './words.ts';

/** The next alternative that applies to this worker; null when none is left. */
export function nextWayOut(step: Step, failure: Failure): Alternative | null {
  const { incident } = step.worker;
  return incident === null ? null : nextAlternative(incident.tried, available(step, failure));
}

/** Takes an alternative. */
export function takeAlternative(step: Step, next: Alternative, strategy: Strategy): Step {
  const at = notBefore(step, step.ctx.now);
  const begun = attempted(step, { action: describe(next), strategy, alternative: next, at });
  const held = at > step.ctx.now ? set(begun, { holdUntil: at }) : begun;
  return take(rule(held, `alternative:${next.kind}`), next);
}

/** What applies to this worker now. */
function available({ worker, ctx }: Step, { code }: Failure): readonly Alternative[] {
  const { conversation, checkpoint, task, incident } = worker;
  const isTalking = conversation?.used === true;
  const wasFresh = incident?.tried.some(({ kind }) => kind === 'fresh-context') === true;
  const found: Alternative[] = [];
  if (isTalking && task !== null) found.push({ kind: 'fresh-context' });
  if (isTalking) found.push({ kind: 'respawn-resumed', conversation: conversation.id });
  if (isTalking && !wasFresh) found.push({ kind: 'respawn-clean' });
  if (checkpoint !== null && task !== null) found.push({ kind: 'rollback', checkpoint: checkpoint.id });
  for (const profile of substitutesOf(ctx)) {
    if (profile !== ctx.profile) found.push({ kind: 'other-profile', profile });
  }
  if (task !== null && ctx.othersIdle > 0) found.push({ kind: 'other-worker' });
  return found.filter(({ kind }) => helpsAgainst(code, kind));
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
      return `bring the work back to checkpoint ${alternative.checkpoint.slice(0, 8)} and give the task again`;
    case 'other-profile':
      return `go on with "${alternative.profile}" in the same worktree`;
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
      return anew(saved, SAME_AGENT);
    case 'fresh-context':
    case 'respawn-clean':
      return anew(saved, { ...SAME_AGENT, fresh: true });
    case 'rollback':
      return rollback(saved);
    case 'other-profile':
      return anew(saved, { ...SAME_AGENT, fresh: true, profile: alternative.profile });
    case 'other-worker':
      return handOver(saved);
    default:
      return alternative satisfies never;
  }
}

/** Another process; the task is given again in it. R3: a fresh look must agree before the present one is ended. */
function anew(step: Step, renewal: Renewal): Step {
  const restore = step.worker.task?.taken === true;
  return renew(set(queueLost(step), { trouble: null }), { ...renewal, restore });
}

function rollback(step: Step): Step {
  const { checkpoint, task, pane, progress } = step.worker;
  if (checkpoint === null) return step;
  const isAlive = pane.kind === 'up' || pane.kind === 'starting';
  return set(queueLost(step), {
    trouble: null,
    // R3: its session is closed for it, so a fresh look must agree.
    doubt: isAlive ? { looks: 0, mark: progress.mark, ...SAME_AGENT } : null,
    restoreFrom: { id: checkpoint.id, commit: checkpoint.commit, conversation: null, prompt: task?.text ?? null },
    turnSince: null,
  });
}

/** The task goes back to the queue; what is wrong with this worker is a person's matter. */
function handOver(step: Step): Step {
  const { task } = step.worker;
  if (task === null) return step;
  const [title = ''] = task.prompt.trim().split('\n', 1);
  const queued = record(step, {
    kind: 'queued',
    priority: 'S1',
    title: title.slice(0, 120),
    body: task.prompt,
    class: 'handed-over',
    dedupe: `task:${task.id}`,
  });
  const told = wordsDropped(
    queued,
    unreadTexts(step.worker),
    'its task was given back to the queue, without what it had not read',
  );
  const ended = record(told, { kind: 'task', id: task.id, status: 'failed' });
  const free = set(ended, { task: null, outgoing: null, backlog: [], queued: [], restoreDue: false, turnSince: null });
  return askAPerson(free, `${step.worker.incident?.why ?? 'it cannot go on'}; its task was given back to the queue`);
}
