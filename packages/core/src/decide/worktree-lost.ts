/**
 * What if a worktree is gone that nobody ordered away? It is made anew and the work comes back from the last checkpoint;
 * commits are on the branch anyway. (docs/recovery.md, checkpoints)
 */
import { stopped } from './accept.ts';
import { isAtWork } from './checkpoints.ts';
import { rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { onlyLogged } from './incident.ts';
import { recover } from './recover.ts';

/** A look found no worktree. The agent in it works into the void: it is started anew with its conversation. */
export function worktreeLost(step: Step): Step {
  const { accept } = step.worker;
  // A merge that waits for its lease needs none yet, and one that has begun cannot go on.
  if (accept !== null && accept.step !== 'waiting')
    return madeAnew(stopped(rule(step, 'worktree-lost'), 'its worktree is gone'));
  const { worktree, restoreFrom, checkpoint, task, wanted, incident } = step.worker;
  if (wanted !== 'up' || worktree.kind === 'none' || restoreFrom !== null) return step;
  const from = task === null ? null : checkpoint;
  const action =
    from === null
      ? 'make the worktree anew'
      : `make the worktree anew, with the work of checkpoint ${from.id.slice(-8)}`;
  const failure = { code: 'GIT_WORKTREE_FAILED', why: 'its worktree is gone' } as const;
  const lost = rule(step, 'worktree-lost');
  const act = (known: Step): Step => (from === null ? madeAnew(known) : broughtBack(known, from));
  // A person is asked already, and has the worktree to look at.
  if (incident?.escalated === true) return act(onlyLogged(lost, failure));
  return recover(lost, failure, { plan: 'own', attempt: { action, strategy: 'rollback' }, act });
}

function broughtBack(step: Step, { id, commit }: { readonly id: string; readonly commit: string }): Step {
  const { conversation } = step.worker;
  return set(step, {
    restoreFrom: { id, commit, conversation: conversation?.used === true ? conversation.id : null, prompt: null },
    turnSince: null,
    judgeDue: false,
  });
}

function madeAnew(step: Step): Step {
  const { pane, task } = step.worker;
  return set(step, {
    worktree: { kind: 'none' },
    respawnDue: pane.kind === 'up' || pane.kind === 'starting',
    restoreDue: task?.taken === true && isAtWork(step.worker),
    turnSince: null,
    judgeDue: false,
  });
}
