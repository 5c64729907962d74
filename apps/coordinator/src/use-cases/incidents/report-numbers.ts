/** Computes counts, shares and spans of many incidents, from rows alone. */
import type { ReportView, Spans } from '@drover/api';
import { wayOfToolFailure } from '@drover/core';
import type { EpisodeRow, EscalationRow, IncidentRow, ListedError } from '@drover/store';

/** Rows that a report sums up, each newest first. */
export interface ReportRows {
  readonly errors: readonly ListedError[];
  readonly incidents: readonly IncidentRow[];
  readonly episodes: readonly EpisodeRow[];
  readonly escalations: readonly EscalationRow[];
}

/** Fields of a report that are counted. */
export type ReportNumbers = Pick<
  ReportView,
  | 'errors'
  | 'inAll'
  | 'tools'
  | 'incidents'
  | 'recoveries'
  | 'timeToDetectMs'
  | 'timeToRecoverMs'
  | 'retriesBeforeSuccess'
  | 'escalations'
>;

/** Computes the numbers; an empty report has zeros and no spans. */
export function reportNumbers({ errors, incidents, episodes, escalations }: ReportRows): ReportNumbers {
  const recovered = incidents.filter(({ outcome }) => outcome === 'recovered');
  return {
    errors: errorsByCode(errors),
    inAll: { errors: errors.length, over: errors.filter(isOver).length },
    tools: toolFailures(errors),
    incidents: outcomes(incidents),
    recoveries: recoveries(episodes, new Set(recovered.map(({ id }) => id))),
    timeToDetectMs: spansOf(errors.flatMap(({ detectMs }) => (detectMs === null ? [] : [detectMs]))),
    timeToRecoverMs: spansOf(
      recovered.flatMap(({ openedAt, closedAt }) => (closedAt === null ? [] : [closedAt - openedAt])),
    ),
    retriesBeforeSuccess: [...counted(recovered.map(({ attempts }) => attempts))]
      .map(([attempts, count]) => ({ attempts, incidents: count }))
      .toSorted((one, other) => one.attempts - other.attempts),
    escalations: {
      total: escalations.length,
      open: escalations.filter(({ status }) => status === 'open' || status === 'acked').length,
      resolved: escalations.filter(({ status }) => status === 'resolved').length,
      expired: escalations.filter(({ status }) => status === 'expired').length,
      cancelled: escalations.filter(({ status }) => status === 'cancelled').length,
    },
  };
}

/** Tells whether an error recovered or was answered by a person; one that was called off is neither. */
function isOver({ recovered, outcome }: ListedError): boolean {
  return recovered || outcome === 'resolved' || outcome === 'escalated';
}

function toolFailures(errors: readonly ListedError[]): ReportNumbers['tools'] {
  const groups = Map.groupBy(errors, ({ context }) => context.toolClass);
  return [...groups]
    .flatMap(([name, rows]) => (name === undefined ? [] : [toolClass(name, rows)]))
    .toSorted((one, other) => other.count - one.count || (one.class < other.class ? -1 : 1));
}

function toolClass(name: string, rows: readonly ListedError[]): ReportNumbers['tools'][number] {
  const ways = counted(rows.map(({ incidentId, strategy }) => wayOfToolFailure({ incident: incidentId, strategy })));
  const ends = counted(rows.map(toolEnd));
  return {
    class: name,
    count: rows.length,
    retried: ways.get('retried') ?? 0,
    filed: ways.get('filed') ?? 0,
    asked: ways.get('asked') ?? 0,
    logged: ways.get('logged') ?? 0,
    recovered: ends.get('recovered') ?? 0,
    answered: ends.get('answered') ?? 0,
    calledOff: ends.get('called off') ?? 0,
  };
}

function toolEnd(error: ListedError): 'recovered' | 'answered' | 'called off' | 'open' {
  if (error.outcome === 'resolved' || error.outcome === 'escalated') return 'answered';
  if (error.outcome === 'cancelled') return 'called off';
  return error.recovered ? 'recovered' : 'open';
}

function errorsByCode(errors: readonly ListedError[]): ReportNumbers['errors'] {
  const groups = Map.groupBy(errors, ({ code }) => code);
  return [...groups.values()]
    .flatMap((rows) => {
      const [last] = rows;
      if (last === undefined) return [];
      const recovered = rows.filter((row) => row.recovered).length;
      const { code, category, timestamp, worker, message } = last;
      return [
        { code, category, count: rows.length, recovered, lastAt: timestamp, lastWorker: worker, lastMessage: message },
      ];
    })
    .toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
}

function outcomes(incidents: readonly IncidentRow[]): ReportNumbers['incidents'] {
  const of = (outcome: IncidentRow['outcome']): number => incidents.filter((row) => row.outcome === outcome).length;
  const [open, recovered, escalated, resolved, cancelled] = [
    of(null),
    of('recovered'),
    of('escalated'),
    of('resolved'),
    of('cancelled'),
  ];
  // A cancelled incident ended for another reason, and says nothing of recovery.
  const ended = recovered + escalated + resolved;
  const recoveryRate = ended === 0 ? null : recovered / ended;
  return { total: incidents.length, open, recovered, escalated, resolved, cancelled, recoveryRate };
}

/** Finds the attempts that helped: the last one before an incident recovered. */
function recoveries(episodes: readonly EpisodeRow[], recovered: ReadonlySet<string>): ReportNumbers['recoveries'] {
  const attempts = episodes.filter(({ kind }) => kind === 'attempt');
  const helped = new Map<string, string>();
  for (const row of attempts) {
    if (row.incidentId !== null && recovered.has(row.incidentId) && !helped.has(row.incidentId))
      helped.set(row.incidentId, howOf(row));
  }
  const successes = counted([...helped.values()]);
  return [...counted(attempts.map(howOf))]
    .map(([how, count]) => ({ how, attempts: count, helped: successes.get(how) ?? 0 }))
    .toSorted((one, other) => other.attempts - one.attempts || (one.how < other.how ? -1 : 1));
}

function howOf({ strategy, level, detail }: EpisodeRow): string {
  const alternative = detail['alternative'];
  const kind =
    typeof alternative === 'object' && alternative !== null && 'kind' in alternative ? alternative.kind : null;
  return `${typeof kind === 'string' ? kind : (strategy ?? 'retry')} (level ${level ?? 1})`;
}

function counted<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Computes nearest-rank percentiles; null for no values. */
export function spansOf(values: readonly number[]): Spans | null {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return sorted.length === 0 ? null : { count: sorted.length, p50: at(0.5), p90: at(0.9), max: at(1) };
}
