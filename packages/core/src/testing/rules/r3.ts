/** R3: do two signals agree, or did a person say so, before a living program is ended? */
import type { Worker } from '../../worker/worker.ts';
import type { Moment, Watch } from '../history.ts';
import { isPersons, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R3, for the program in the pane. */
export const R3: Rule = {
  letter: 'R3',
  holds: 'a living agent is ended only when two signals agree, or a person ordered it',
  watch: twoSignals,
};

/** Orders of a person that end the present program. */
const ENDING: ReadonlySet<string> = new Set([
  'start-ordered',
  'accept-ordered',
  'down-ordered',
  'nuke-ordered',
  'restore-ordered',
  'escalation-answered',
  'message-ordered',
]);

function twoSignals(): Watch {
  /** The life in which the first signal came, and whether a look has agreed since. */
  let suspected: string | null = null;
  let looksAgreed = 0;
  let isOrdered = false;
  return (moment) => {
    const { before, event, decision } = moment;
    const life = livingIn(before);
    if (resultOf(moment)?.kind === 'opened' && before.restoreFrom === null) isOrdered = false;
    // A merge, a restore and a closing that a person ordered may take more than one life.
    const isStillOrdered = before.wanted !== 'up' || before.accept !== null;
    if ((isPersons(moment) && ENDING.has(event.kind)) || isStillOrdered) isOrdered = true;
    if (life === null || life !== suspected) [suspected, looksAgreed] = [null, 0];
    const seen = lookOf(moment);
    // Nobody can work in a worktree that git does not find.
    if (seen === 'no-worktree' || isWorktreeMissing(moment)) isOrdered = true;
    if (seen === 'not-at-work') looksAgreed += suspected === null ? 0 : 3;
    if (seen === 'at-work') [suspected, looksAgreed] = [null, 0];
    if (seen === 'unreadable') looksAgreed += suspected === null ? 0 : 1;
    for (const { op } of decision.commands) {
      const ends = (op.kind === 'respawn' && op.force) || op.kind === 'close';
      const agreed = suspected !== null && looksAgreed >= moment.ctx.policy.incident.blindLooksMax;
      if (ends && livingIn(decision.worker) !== null && !isOrdered && !agreed)
        return `"${op.kind}" ends a living program for one signal (${decision.rules.join(', ')})`;
    }
    // An attempt was begun: that is the first signal.
    if (decision.records.some(({ kind }) => kind === 'recovery')) suspected = livingIn(decision.worker);
    return null;
  };
}

function isWorktreeMissing(moment: Moment): boolean {
  const result = resultOf(moment);
  return result?.kind === 'failed' && result.code === 'worktree-missing';
}

function livingIn({ pane }: Worker): string | null {
  return pane.kind === 'up' || pane.kind === 'starting' ? pane.incarnation : null;
}

function lookOf(moment: Moment): 'at-work' | 'not-at-work' | 'unreadable' | 'no-worktree' | null {
  const result = resultOf(moment);
  const { before } = moment;
  if (result?.kind !== 'looked') return null;
  if (result.git === null) return 'no-worktree';
  if (result.screen === null || result.incarnation !== livingIn(before)) return 'unreadable';
  const isBusy = result.screen.state.kind === 'processing' && result.screen.progress !== before.progress.mark;
  return isBusy ? 'at-work' : 'not-at-work';
}
