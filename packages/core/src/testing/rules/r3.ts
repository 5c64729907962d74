/** R3: a living program is ended only if two signals agree, or if a person said so. */
import type { Command } from '../../machine/commands.ts';
import type { Worker } from '../../worker/worker.ts';
import type { Moment, Watch } from '../history.ts';
import { isPersons, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';
import { isAccepting } from '../../merge/step.ts';

/** R3, for the program in the pane. */
export const R3: Rule = {
  letter: 'R3',
  holds: 'a living agent is ended only when two signals agree, or a person asked for it',
  watch: twoSignals,
};

/** Requests of a person that end the present program. */
const ENDING: ReadonlySet<string> = new Set([
  'start-requested',
  'cancel-requested',
  'accept-requested',
  'down-requested',
  'nuke-requested',
  'restore-requested',
  'escalation-answered',
  'message-requested',
  'move-requested',
  'run-turn-requested',
  'run-released',
]);

function twoSignals(): Watch {
  /** Incarnation in which the first signal came, and the number of checks that have agreed since. */
  let suspected: string | null = null;
  let checksAgreed = 0;
  let isRequested = false;
  return (moment) => {
    const { before, event, decision } = moment;
    const incarnation = livingIn(before);
    if (resultOf(moment)?.kind === 'opened' && before.checkpoint.restore === null) isRequested = false;
    // A merge, a restore and a closing that a person asked for may take more than one incarnation.
    const isStillRequested =
      before.lifecycle.wanted !== 'up' || isAccepting(before.merge.step) || before.move.kind !== 'none';
    if ((isPersons(moment) && ENDING.has(event.kind)) || isStillRequested) isRequested = true;
    if (incarnation === null || incarnation !== suspected) [suspected, checksAgreed] = [null, 0];
    const seen = checkOf(moment);
    // No agent can work in a worktree that git does not find.
    if (seen === 'no-worktree' || isWorktreeMissing(moment)) isRequested = true;
    if (seen === 'not-at-work') checksAgreed += suspected === null ? 0 : 3;
    if (seen === 'at-work') [suspected, checksAgreed] = [null, 0];
    if (seen === 'unreadable') checksAgreed += suspected === null ? 0 : 1;
    for (const { command } of decision.commands) {
      const ends = (command.kind === 'respawn' && command.force) || command.kind === 'close';
      const agreed = suspected !== null && checksAgreed >= moment.ctx.policy.incident.blindChecksMax;
      if (ends && livingIn(decision.worker) !== null && !isRequested && !agreed && !isForFreshContext(moment, command))
        return `"${command.kind}" ends a living program for one signal (${decision.rules.join(', ')})`;
    }
    // The start of an attempt is the first signal.
    if (decision.records.some(({ kind }) => kind === 'recovery')) suspected = livingIn(decision.worker);
    return null;
  };
}

/** Tells whether an agent at rest has a finished conversation: its next text begins in a fresh one. */
function isForFreshContext({ decision: { worker } }: Moment, command: Command): boolean {
  const { turn, session, mailbox } = worker;
  const isAtRest =
    session.pane.kind === 'up' && session.pane.seen?.state.kind === 'ready' && turn.phase.kind === 'none';
  const isFresh = command.kind === 'respawn' && command.launch.kind === 'fresh';
  return isAtRest && isFresh && mailbox.current?.purpose === 'conflict';
}

function isWorktreeMissing(moment: Moment): boolean {
  const result = resultOf(moment);
  return result?.kind === 'failed' && result.code === 'worktree-missing';
}

function livingIn({ session: { pane } }: Worker): string | null {
  return pane.kind === 'up' || pane.kind === 'starting' ? pane.incarnation : null;
}

function checkOf(moment: Moment): 'at-work' | 'not-at-work' | 'unreadable' | 'no-worktree' | null {
  const result = resultOf(moment);
  const { before } = moment;
  if (result?.kind !== 'observed') return null;
  if (result.git === null) return 'no-worktree';
  if (result.screen === null || result.incarnation !== livingIn(before)) return 'unreadable';
  const isBusy = result.screen.state.kind === 'processing' && result.screen.progress !== before.turn.progress.mark;
  return isBusy ? 'at-work' : 'not-at-work';
}
