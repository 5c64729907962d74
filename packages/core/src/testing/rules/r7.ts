/** R7: a late, repeated or reordered observation changes nothing. */
import type { WorkerEvent } from '../../worker/event.ts';
import { isEscalated } from '../../worker/incident.ts';
import type { Worker } from '../../worker/worker.ts';
import type { Moment, Watch } from '../history.ts';
import { resultOf } from './rule.ts';
import type { Rule } from './rule.ts';
import { differences, isSame } from './same.ts';

/** R7: a late event counts as not heard. */
export const R7: Rule = {
  letter: 'R7',
  holds: 'an observation that is late, of another incarnation or of a former command changes nothing',
  watch: lateChangesNothing,
};

function lateChangesNothing(): Watch {
  /** Time of the newest screen of each incarnation, by the machine's clock. */
  const newest = new Map<string, number>();
  return (moment) => {
    const { before, event, ctx, decision, decide } = moment;
    const isLateNow = isLate(event, before, { newest, now: ctx.now });
    remember(newest, moment);
    // Any message of the machine ends its silence.
    if (!isLateNow || before.incident.open?.code === 'MACHINE_LOST') return null;
    if (decision.reply.kind === 'refused') {
      const isAsBefore = isSame({ ...decision.worker, deadlines: null }, { ...before, deadlines: null });
      return isAsBefore && decision.commands.length + decision.records.length === 0
        ? null
        : 'a refusal changed something';
    }
    const nothing = decide(before, NOTHING, ctx);
    if (!isSame(decision.worker, nothing.worker))
      return `a late "${event.kind}" changed ${differences(nothing.worker, decision.worker)}`;
    if (decision.commands.length !== nothing.commands.length) return `a late "${event.kind}" gave a command`;
    return countWritten(decision) === countWritten(nothing) ? null : `a late "${event.kind}" was written down`;
  };
}

/** An event that concerns no worker: the end of a command that was not given. */
const NOTHING: WorkerEvent = { kind: 'command-finished', seq: -1, result: { kind: 'closed' } };

interface Known {
  readonly newest: ReadonlyMap<string, number>;
  readonly now: number;
}

function isLate(event: WorkerEvent, worker: Worker, { newest, now }: Known): boolean {
  const { session, command, deadlines, incident } = worker;
  const { pane } = session;
  const incarnation = pane.kind === 'up' || pane.kind === 'starting' ? pane.incarnation : null;
  switch (event.kind) {
    case 'screen-seen':
      return event.incarnation !== incarnation || event.reading.at < (newest.get(event.incarnation) ?? 0);
    case 'pane-exited':
      return event.exit.incarnation !== incarnation;
    case 'command-finished':
      return command.inFlight?.seq !== event.seq;
    case 'deadline-expired':
      return now < (deadlines[event.name] ?? Infinity);
    case 'tool-failed':
      return pane.kind === 'absent' || pane.incarnation !== event.incarnation;
    case 'escalation-answered':
      return !event.option.startsWith('tool-') && (incident.open?.id !== event.incident || !isEscalated(incident));
    default:
      return false;
  }
}

function remember(newest: Map<string, number>, moment: Moment): void {
  const { event } = moment;
  const result = resultOf(moment);
  const [incarnation, reading] =
    event.kind === 'screen-seen'
      ? [event.incarnation, event.reading]
      : result?.kind === 'observed'
        ? [result.incarnation, result.screen]
        : [null, null];
  if (incarnation !== null && reading !== null)
    newest.set(incarnation, Math.max(newest.get(incarnation) ?? 0, reading.at));
}

/** Counts records other than errors. */
function countWritten({ records }: Pick<Moment['decision'], 'records'>): number {
  return records.filter(({ kind }) => kind !== 'error').length;
}
