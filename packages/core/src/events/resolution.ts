/**
 * The agent stopped over its conflicts. Git judges how they were ended, all of it, and never the agent's words
 * (docs/adr/0087-conflicts-judged-by-git.md): what is wrong comes back to the agent once, and then to a person.
 */
import { become, note, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Success } from '../machine/commands.ts';
import { onlyLog, showSign } from '../recovery/incident.ts';
import type { Failure } from '../recovery/incident.ts';
import { giveUp, recover } from '../recovery/ladder.ts';
import { sendText } from '../recovery/mail.ts';
import { mayRetry } from '../recovery/plans.ts';
import { newText } from '../worker/mailbox.ts';
import { closeConflicts, giveUpRebase, markTold, setResolutionDue, timesTold } from '../worker/merge.ts';
import { isBusy } from '../worker/status.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { endTurn } from '../worker/turn.ts';
import { checkWork } from './review.ts';

type Judged = Success<'resolution'>;

/** The turn over the conflicts has ended: git is asked. */
export function askHowResolved(step: Step): Step {
  const { merge, turn } = step.worker;
  return set(rule(step, 'rebase-stopped'), { turn: endTurn(turn), merge: setResolutionDue(merge, true) });
}

/** What git says of the conflicts. */
export function resolutionJudged(before: Step, result: Judged): Step {
  const { lifecycle, merge, turn } = before.worker;
  const step = set(before, { merge: setResolutionDue(merge, false) });
  // A person ended the task or was asked, or its agent is at it again: the end of that is judged then.
  const isAwaited = merge.resolutionDue && isAtWork(lifecycle.status) && turn.phase.kind === 'none';
  if (!isAwaited) return rule(step, 'not-merging:judged');
  const { verdict } = result;
  switch (verdict) {
    case 'in-progress':
      return sendBack(rule(step, 'rebase-stuck'), result, 'REBASE_STUCK');
    case 'elsewhere':
    case 'emptied':
    case 'markers':
      return sendBack(rule(step, `resolution:${verdict}`), result, 'REBASE_UNRESOLVED');
    case 'lost-own':
    case 'undone-others':
      return lostWork(rule(step, `resolution:${verdict}`), result);
    case 'aborted':
      return aborted(rule(step, 'rebase-aborted'), result);
    case 'contained':
      return checkResolved(rule(step, 'resolution:contained'), result);
    case 'resolved':
      return checkResolved(rule(step, 'rebase-over'), result);
    default:
      return verdict satisfies never;
  }
}

/** Also one whose agent asked something meanwhile. */
function isAtWork(status: WorkerStatus): boolean {
  return isBusy(status) || status === 'needs_input';
}

/** The agent is told what is wrong while its budget for this lasts; then a person is asked. */
function sendBack(before: Step, { verdict, why, prompt }: Judged, code: Failure['code']): Step {
  // A person who took over sees it.
  if (before.worker.lifecycle.takenOver) return note(before, why);
  const step = become(before, 'rebasing', why);
  const failure = { code, why } as const;
  const spent = timesTold(step.worker.merge, verdict);
  if (!mayRetry(code, { spent, policy: step.ctx.policy })) return giveUp(step, failure);
  return recover(step, failure, {
    counts: 'caller',
    attempt: { action: 'tell its agent what is wrong' },
    act: (counted) =>
      sendText(
        note(set(counted, { merge: markTold(counted.worker.merge, verdict) }), why),
        newText(step.ctx.fresh, 'conflict', prompt),
      ),
  });
}

/** The agent may have been right: told once, it keeps to it, and the reviewer is told. */
function lostWork(step: Step, result: Judged): Step {
  const { why, verdict } = result;
  const code = 'REBASE_LOST_WORK';
  const spent = timesTold(step.worker.merge, verdict);
  if (mayRetry(code, { spent, policy: step.ctx.policy })) return sendBack(step, result, code);
  return onlyLog(checkResolved(step, result), { code, why: `its agent ${why}` });
}

/** It is not asked for this again until the work or the default branch moves, or a person asks. */
function aborted(step: Step, result: Judged): Step {
  const given = set(step, { merge: giveUpRebase(step.worker.merge) });
  return onlyLog(checkResolved(given, result), { code: 'REBASE_ABORTED', why: `its agent ${result.why}` });
}

function checkResolved(step: Step, { head, why, notes }: Judged): Step {
  const over = set(showSign(step, 'turn-over'), { merge: closeConflicts(step.worker.merge) });
  return checkWork(over, { head, why: `its agent ${why}`, notes });
}
