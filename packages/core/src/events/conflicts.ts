/**
 * Conflicts and checks that fail again and again: when is the agent asked once more, and when a person?
 * (docs/recovery.md, merge)
 */
import { becomeOrReturnTo, note, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { conflictText, validationText } from '../policy/texts.ts';
import { openIncident } from '../recovery/incident.ts';
import { giveUp, recover } from '../recovery/ladder.ts';
import { sendText } from '../recovery/mail.ts';
import { mayRetry } from '../recovery/plans.ts';
import { duration } from '../taxonomy/wording.ts';
import { stateOf } from '../worker/lifecycle.ts';
import { newText, setRestoreDue } from '../worker/mailbox.ts';
import { countConflicts, timesOfConflict } from '../worker/merge.ts';
import { wantFreshContext } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { inHand, setHeadBefore } from '../worker/task.ts';

/** The rebase left conflicts: the agent resolves them, git judges. The same ones over and over are a person's matter. */
export function conflicted(
  step: Step,
  { files, prompt, orig, onto, beyond }: Extract<Success<'rebase'>, { kind: 'conflict' }>,
): Step {
  const { worker, ctx } = step;
  const why = `conflicts with the default branch in ${files.length} file(s)`;
  const key = files.join('\n');
  const times = timesOfConflict(worker.merge, key);
  const found = { key, orig, onto, ...(beyond !== undefined && { beyond }) };
  const known = note(set(rule(step, 'conflict'), { merge: countConflicts(worker.merge, found) }), why);
  const state = stateOf(worker.lifecycle);
  // A person ended the task, was asked, or took over while the rebase was under way: they see the conflicts there.
  if (state === 'error' || state === 'idle' || worker.lifecycle.takenOver) return known;
  const rebasing = becomeOrReturnTo(known, 'rebasing', why);
  if (!mayRetry('REBASE_CONFLICT', { spent: times - 1, policy: ctx.policy }))
    return giveUp(rebasing, {
      code: 'REBASE_CONFLICT_LOOP',
      why: `the same conflicts came ${times} times: ${files.join(', ')}`,
    });
  return recover(
    rebasing,
    { code: 'REBASE_CONFLICT', why, details: files.join('\n') },
    {
      counts: 'caller',
      attempt: { action: 'give the conflicts to its agent' },
      act: (counted) => {
        const { session, task } = counted.worker;
        const text = conflictText(prompt, inHand(task)?.text ?? null);
        return sendText(set(counted, { session: wantFreshContext(session) }), newText(ctx.fresh, 'conflict', text));
      },
    },
  );
}

/** Helped, and still without progress for `rework.stuckMs`: a person. The agent is left as it is. */
export function rebaseStuck(step: Step): Step {
  const since = duration(step.ctx.now - step.worker.turn.progress.at);
  return giveUp(rule(step, 'rebase-stuck'), {
    code: 'REBASE_STUCK',
    why: `no progress with its conflicts for ${since} after it was helped`,
  });
}

/** The project's checks failed: the agent repairs it, within the budget of an incident. */
export function checksFailed(
  before: Step,
  { command, output }: { readonly command: string; readonly output: string },
): Step {
  const { lifecycle, incident, mailbox } = before.worker;
  const state = stateOf(lifecycle);
  if (!isBusy(state) && state !== 'needs_review') return before;
  // Its output is the agent's to repair, so the same again comes before anything else.
  const spent = incident.open?.code === 'VALIDATION_FAILED' ? incident.open.attempts : 0;
  const why = `the check "${command}" failed`;
  const failure = { code: 'VALIDATION_FAILED', why, details: output } as const;
  // It is at work again, whichever way is taken: no person can accept it meanwhile, and only a new commit is done.
  const working = note(becomeOrReturnTo(openIncident(before, failure), 'working', why), why);
  const { task, worktree } = working.worker;
  const headBefore = worktree.git?.head ?? (task.kind === 'none' ? null : task.headBefore);
  const step = set(working, { task: setHeadBefore(task, headBefore), mailbox: setRestoreDue(mailbox, false) });
  if (!mayRetry('VALIDATION_FAILED', { spent, policy: step.ctx.policy })) return recover(step, failure, null);
  return recover(step, failure, {
    counts: 'caller',
    attempt: { action: 'give the output to its agent' },
    act: (counted) => sendText(counted, newText(before.ctx.fresh, 'validation', validationText(command, output))),
  });
}
