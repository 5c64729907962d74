/** Starts the agent with its conversation of a checkpoint, once the worktree is restored to it, and notifies the agent. */
import { rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { endRestore } from '../worker/checkpoint.ts';
import { isAtTask } from '../worker/lifecycle.ts';
import { setRestoreDue } from '../worker/mailbox.ts';
import { isAlive, setConversation, setReplacement } from '../worker/session.ts';
import { markTaken, setTaskText } from '../worker/task.ts';
import { setGit } from '../worker/worktree.ts';

/** Goes on from the checkpoint that the worker was brought back to. */
export function finishRestore(step: Step): Step {
  const { session, checkpoint, lifecycle, mailbox, task, worktree } = step.worker;
  const { restore } = checkpoint;
  if (restore === null) return step;
  const { conversation, prompt } = restore;
  const told = prompt === null ? task : setTaskText(task, prompt);
  return set(rule(step, 'restored-checkpoint'), {
    checkpoint: endRestore(checkpoint),
    worktree: setGit(worktree, null),
    session: setReplacement(
      setConversation(session, conversation === null ? null : { id: conversation, used: true }),
      isAlive(session.pane),
    ),
    mailbox: setRestoreDue(mailbox, isAtTask(lifecycle)),
    task: markTaken(told),
  });
}
