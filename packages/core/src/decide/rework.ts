/**
 * Conflicts and checks that fail again and again: when is the agent asked once more, and when a person?
 * (docs/recovery.md, merge)
 */
import { duration } from '../taxonomy/wording.ts';
import { mayRetry } from '../retry/budgets.ts';
import type { OpResult } from '../worker/op.ts';
import type { Worker } from '../worker/worker.ts';
import { become, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { opened } from './incident.ts';
import { enqueue, outgoing } from './orders.ts';
import { givenUp, recover } from './recover.ts';
import { rebaseHelpText, validationText } from './texts.ts';

/** The rebase left conflicts: the agent resolves them, git judges. The same ones over and over are a person's matter. */
export function conflicted(step: Step, { files, prompt }: Extract<OpResult, { kind: 'conflict' }>): Step {
  const { worker, ctx } = step;
  const why = `conflicts with the default branch in ${files.length} file(s)`;
  const key = files.join('\n');
  const times = worker.conflicts?.key === key ? worker.conflicts.times + 1 : 1;
  const known = set(rule(step, 'conflict'), {
    rebaseDue: false,
    accept: null,
    note: why,
    conflicts: { key, times, headBefore: worker.git?.head ?? null, helped: false },
  });
  const at = worker.status === 'offline' ? worker.before : worker.status;
  // A person ended the task, was asked, or took over while the rebase was under way: they see the conflicts there.
  if (at === 'error' || at === 'idle' || worker.takenOver) return known;
  const rebasing = worker.status === 'offline' ? set(known, { before: 'rebasing' }) : become(known, 'rebasing', why);
  if (!mayRetry('REBASE_CONFLICT', { spent: times - 1, policy: ctx.policy }))
    return givenUp(rebasing, {
      code: 'REBASE_CONFLICT_LOOP',
      why: `the same conflicts came ${times} times: ${files.join(', ')}`,
    });
  return recover(
    rebasing,
    { code: 'REBASE_CONFLICT', why, details: files.join('\n') },
    {
      plan: 'own',
      attempt: { action: 'give the conflicts to its agent' },
      act: (counted) => enqueue(counted, outgoing(ctx.fresh, 'conflict', prompt)),
    },
  );
}

/** The agent stopped with conflicts left: it is helped once, then a person is asked. */
export function rebaseLeft(step: Step, unmerged: number): Step {
  const { conflicts, status } = step.worker;
  const why = `stopped with ${unmerged} conflict(s) left`;
  const over = set(rule(step, 'rebase-stuck'), { turnSince: null });
  if (status !== 'rebasing') return over;
  const failure = { code: 'REBASE_STUCK', why } as const;
  const spent = conflicts?.helped === true ? 1 : 0;
  if (!mayRetry('REBASE_STUCK', { spent, policy: step.ctx.policy })) return givenUp(over, failure);
  return recover(over, failure, {
    plan: 'own',
    attempt: { action: 'tell its agent what usually is left to do' },
    act: (counted) =>
      enqueue(
        set(counted, {
          conflicts: { ...(conflicts ?? { key: '', times: 1, headBefore: null }), helped: true },
          note: why,
        }),
        outgoing(step.ctx.fresh, 'conflict', rebaseHelpText(unmerged)),
      ),
  });
}

/** Whether its agent was helped with the conflicts already. */
export function isHelped({ status, conflicts }: Worker): boolean {
  return status === 'rebasing' && conflicts?.helped === true;
}

/** Helped, and still without progress for `rework.stuckMs`: a person. The agent is left as it is. */
export function rebaseStuck(step: Step): Step {
  const since = duration(step.ctx.now - step.worker.progress.at);
  return givenUp(rule(step, 'rebase-stuck'), {
    code: 'REBASE_STUCK',
    why: `no progress with its conflicts for ${since} after it was helped`,
  });
}

/** The project's checks failed before the merge: the agent repairs it, within the budget of an incident. */
export function invalid(before: Step, { command, output }: Extract<OpResult, { kind: 'invalid' }>): Step {
  const { task, git, status, incident } = before.worker;
  if (status !== 'needs_review') return before;
  // Its output is the agent's to repair, so the same again comes before anything else.
  const times = incident?.code === 'VALIDATION_FAILED' ? incident.attempts : 0;
  const why = `the check "${command}" failed before the merge`;
  const failure = { code: 'VALIDATION_FAILED', why, details: output } as const;
  // It is at work again, whichever way is taken: nobody can accept it meanwhile, and only a new commit is done.
  const step = set(become(opened(before, failure), 'working', why), {
    task: task === null ? null : { ...task, headBefore: git?.head ?? task.headBefore },
  });
  if (!mayRetry('VALIDATION_FAILED', { spent: times, policy: step.ctx.policy })) return recover(step, failure, null);
  return recover(step, failure, {
    plan: 'own',
    attempt: { action: 'give the output to its agent' },
    act: (counted) => enqueue(counted, outgoing(before.ctx.fresh, 'validation', validationText(command, output))),
  });
}
