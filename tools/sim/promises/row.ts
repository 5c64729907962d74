// Checks what must hold of each worker's row, and prints the row in few words.
import { inHand, isAccepting, isMerging } from '@drover/core';
import type { Policy } from '@drover/core';
import type { WorkerRow } from '@drover/store';

/** Checks of each worker's row at each commit; each says what is wrong, or nothing. */
export const ROW_CHECKS: readonly ((row: WorkerRow, policy: Policy) => string | null)[] = [
  function isHeardOfAgain({ state: { lifecycle, incident, deadlines } }) {
    const { status, wanted, takenOver } = lifecycle;
    const isAsked = incident.open?.escalated === true || takenOver;
    const isCalm = isAsked || ['idle', 'needs_review', 'error'].includes(status) || wanted === 'down';
    const isArmed = Object.keys(deadlines).length > 0;
    return isCalm || isArmed ? null : `R1: ${status} without a deadline`;
  },
  function isWithinBudget({ state }, { incident, crash, startUp, lostInput, refused, command, limit }) {
    const { attempts } = inHand(state.task) ?? { attempts: 0 };
    const { crashes, startFailures } = state.session;
    const text = state.mailbox.current ?? { lost: 0, refused: 0 };
    const waits = state.incident.trouble?.attempts ?? 0;
    if (attempts > incident.maxTotalAttempts) return `R2: ${attempts} attempts in one task`;
    if (crashes.count > crash.countMax) return `R2: ${crashes.count} crashes`;
    if (startFailures > startUp.attemptsMax) return `R2: ${startFailures} failed starts`;
    if (text.lost > lostInput.length) return `R2: a text lost ${text.lost} times`;
    if (text.refused > refused.attemptsMax) return `R2: refused ${text.refused} times`;
    if (state.command.failures >= command.retry.attemptsMax)
      return `R2: ${state.command.failures} failed commands in a row`;
    return waits > limit.attemptsMax ? `R2: ${waits} waits` : null;
  },
  function hasOnePlan({ state: { merge, mailbox, lifecycle, command } }) {
    if (!isMerging(merge) || mailbox.current === null || lifecycle.status === 'rebasing') return null;
    return command.inFlight?.command.kind === 'deliver' ? 'a text is typed while the work is merged' : null;
  },
];

/** A row in few words. */
export function brief({ state }: WorkerRow): string {
  const { command, session, mailbox, merge, deadlines, lifecycle, turn } = state;
  const { inFlight } = command;
  const { current } = mailbox;
  const parts = [
    `${lifecycle.status}/${lifecycle.wanted}`,
    `pane=${session.pane.kind}`,
    inFlight === null ? '' : `command=${inFlight.seq}:${inFlight.command.kind}`,
    current === null ? '' : `text=${current.purpose}${current.verify === null ? '' : '?'}`,
    isAccepting(merge.step) ? `accept=${merge.step.kind}` : '',
    turn.phase.kind === 'none' ? '' : 'turn',
    `due=${Object.keys(deadlines).join(',')}`,
    lifecycle.note === '' ? '' : `"${lifecycle.note}"`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
