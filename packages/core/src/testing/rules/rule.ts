/** A rule of recovery, as a property sees it. */
import type { DecisionRecord } from '../../decision/records.ts';
import { belongsTo } from '../../machine/commands.ts';
import type { CommandResult } from '../../machine/commands.ts';
import type { InFlight } from '../../worker/command.ts';
import type { Moment, Watch } from '../history.ts';

/** A promise of docs/recovery.md, and its watcher. */
export interface Rule {
  readonly letter: string;
  /** The promise, as the end of "given any history, when it is played, then …". */
  readonly holds: string;
  /** Fresh watch for each history, because it may remember. */
  readonly watch: () => Watch;
}

/** Tells whether a person said this, or the run that a person started, and was not refused. */
export function isPersons({ event, decision }: Moment): boolean {
  const said =
    event.kind.endsWith('-requested') || event.kind === 'escalation-answered' || event.kind === 'run-released';
  return said && decision.reply.kind === 'accepted';
}

/** Returns the command that this event ends, if it ends one: by its result, or by being given up as unknown. */
export function ended({ before, event, decision }: Moment): InFlight | null {
  const { inFlight } = before.command;
  if (inFlight === null || decision.worker.command.inFlight?.seq === inFlight.seq) return null;
  const isHeard = event.kind === 'command-finished' && event.seq === inFlight.seq;
  return isHeard || event.kind === 'deadline-expired' ? inFlight : null;
}

/** Returns the result by which a command ended; null when it is unknown, as when the result belongs to another command. */
export function resultOf(moment: Moment): CommandResult | null {
  const inFlight = ended(moment);
  const { event } = moment;
  if (inFlight === null || event.kind !== 'command-finished' || event.result.kind === 'unknown') return null;
  return belongsTo(inFlight.command, event.result) ? event.result : null;
}

/** Returns the records of one kind. */
export function recordsOf<K extends DecisionRecord['kind']>(
  { decision }: Moment,
  kind: K,
): readonly Extract<DecisionRecord, { kind: K }>[] {
  return decision.records.filter((entry): entry is Extract<DecisionRecord, { kind: K }> => entry.kind === kind);
}
