/** Handles a session that is gone from its machine. */
import { become, happen, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import { holdUntil } from '../worker/command.ts';
import { comeBackTo } from '../worker/lifecycle.ts';
import { setRestoreDue } from '../worker/mailbox.ts';
import { closePane } from '../worker/session.ts';
import { isBusy } from '../worker/status.ts';
import { closeGoneDialog } from './dialogs.ts';
import { notBefore } from './incident.ts';
import { recover } from './ladder.ts';
import { requeueTexts } from './mail.ts';

/**
 * Takes the session from a row: the worker is offline, and returns to its state when the session is there again.
 *
 * @param why Words about the loss, after the worker's name.
 */
export function loseSession(before: Step, why = 'its session is gone'): Step {
  // A worker that was stopped by its dialog alone is in error no more.
  const step = closeGoneDialog(rule(requeueTexts(before), 'session-gone'));
  const { kind } = step.worker.merge.step;
  const lost = leaveSession(step);
  if (kind === 'closing' || kind === 'recycling') return lost;
  const { status, wanted } = step.worker.lifecycle;
  const down = status === 'offline' ? lost : goOffline(lost, why);
  if (wanted !== 'up' || status === 'error') return down;
  const at = notBefore(down, step.ctx.now);
  return recover(
    down,
    { code: 'SESSION_ORPHANED', why },
    {
      counts: 'incident',
      attempt: { action: 'open its session again', at },
      act: (known) => (at > step.ctx.now ? set(known, { command: holdUntil(known.worker.command, at) }) : known),
    },
  );
}

/** Closes the session. A worker that is wanted down is offline from now on. */
export function closeSession(before: Step): Step {
  const step = closeGoneDialog(before);
  const { status, wanted } = step.worker.lifecycle;
  const closed = leaveSession(rule(requeueTexts(step), 'closed'));
  return wanted !== 'down' || status === 'offline' ? closed : goOffline(closed, 'its session was closed by request');
}

/** Leaves the session: there is no pane any more. */
export function leaveSession(step: Step): Step {
  const lost = happen(step, 'session-lost');
  return set(lost, { session: closePane(lost.worker.session) });
}

function goOffline(step: Step, why: string): Step {
  const { lifecycle, mailbox } = step.worker;
  const { status } = lifecycle;
  const left = set(step, {
    lifecycle: comeBackTo(lifecycle, status),
    mailbox: setRestoreDue(mailbox, isBusy(status)),
  });
  return become(left, 'offline', why);
}
