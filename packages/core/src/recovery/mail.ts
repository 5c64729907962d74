/** Puts a text on its way to the agent, and starts an agent again that its user had ended, because a text needs a reader. */
import { rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { putLast, requeue } from '../worker/mailbox.ts';
import type { Text } from '../worker/mailbox.ts';
import { dropReview } from '../merge/state.ts';
import { restartIfLeft } from '../worker/session.ts';

/**
 * Sends a text. Texts go out one after the other, in the order in which they were given. A text lets its agent go on: the work is not checked
 * before.
 */
export function sendText(step: Step, text: Text): Step {
  const { mailbox, session, merge } = step.worker;
  return set(step, {
    mailbox: putLast(mailbox, text),
    session: restartIfLeft(session, step.ctx.now),
    merge: dropReview(merge),
  });
}

/** Puts the texts in an ended program's own queue back: Drover looks for each, and types it again if it was not taken (R5). */
export function requeueTexts(step: Step): Step {
  const { mailbox } = step.worker;
  if (mailbox.queued.length === 0) return step;
  return set(rule(step, 'queue-lost'), { mailbox: requeue(mailbox) });
}
