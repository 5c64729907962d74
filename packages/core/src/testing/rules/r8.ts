/** R8: the same event twice gives the world of once. */
import type { DecisionRecord } from '../../decision/records.ts';
import type { WorkerEvent } from '../../worker/event.ts';
import type { Moment, Watch } from '../history.ts';
import type { Rule } from './rule.ts';
import { differences, isSame } from './same.ts';

/** R8: the second time nothing is commanded, written down or changed. */
export const R8: Rule = {
  letter: 'R8',
  holds: 'the same event twice gives the world of once',
  watch: () => twiceIsOnce,
};

/** Records that the caller keeps once by their name, or that are only reported. */
const NAMED: ReadonlySet<DecisionRecord['kind']> = new Set(['account', 'notice']);

const twiceIsOnce: Watch = (moment: Moment) => {
  const { event, ctx, decision, decide } = moment;
  if (isNamed(event) || isBoardedTooLate(moment)) return null;
  const once = decision.worker;
  const twice = decide(once, event, ctx);
  if (!isSame(once, twice.worker)) return `a second "${event.kind}" changed ${differences(once, twice.worker)}`;
  if (twice.commands.length > 0)
    return `a second "${event.kind}" gave the command "${twice.commands[0]?.command.kind}"`;
  const [written] = twice.records.filter(({ kind }) => !NAMED.has(kind));
  return written === undefined ? null : `a second "${event.kind}" wrote down "${written.kind}"`;
};

/** Tells whether the event has an id, by which the caller knows a second one. */
function isNamed(event: WorkerEvent): boolean {
  const isToolAnswer = event.kind === 'escalation-answered' && event.option.startsWith('tool-');
  return event.kind === 'message-requested' || event.kind === 'tool-failed' || isToolAnswer;
}

/**
 * Tells whether a boarding comes too late. A conductor takes along only waiting workers, and says so in the transaction that found them: no
 * real worker hears this.
 */
function isBoardedTooLate({ before, event }: Moment): boolean {
  return event.kind === 'train-boarded' && before.merge.step.kind !== 'waiting';
}
