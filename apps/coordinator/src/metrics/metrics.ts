/**
 * Defines the metrics of a fleet. docs/metrics.md explains each, and a test compares it with this file.
 *
 * Each replica counts only its own commits, so that sums over replicas are right. No label holds a name, an id or words: label values
 * come from the code alone.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds, from a delay that people do not notice to one that they noticed long ago. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** Metrics that `/metrics` shows, by name. Each replica has one set. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Makes the metrics of one replica, all at zero. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> =>
    new Counter({ name: `drover_${name}`, help, labelNames: [...labelNames], registers });
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[]): Gauge<T> =>
    new Gauge({ name: `drover_${name}`, help, labelNames: [...labelNames], registers });
  const histogram = <T extends string>(
    name: string,
    help: string,
    { labelNames, buckets = SECONDS }: { labelNames: readonly T[]; buckets?: readonly number[] },
  ): Histogram<T> =>
    new Histogram({ name: `drover_${name}`, help, labelNames: [...labelNames], buckets: [...buckets], registers });
  return {
    registry,
    decisions: counter('decisions_total', 'Decisions that were committed, by the first word of their first rule.', [
      'event',
      'rule',
    ]),
    errors: counter('error_total', 'Errors that were logged.', ['category', 'code']),
    toolFailures: counter('tool_failures_total', 'Failed tools of agents, by their class and by what Drover did.', [
      'class',
      'way',
    ]),
    attempts: counter('recovery_attempts_total', 'Attempts to recover that were begun.', ['code', 'level']),
    recoveries: counter('recoveries_total', 'Incidents that ended or went to a person.', ['code', 'level', 'outcome']),
    escalations: counter('escalations_total', 'Questions that were put to people.', ['code']),
    retries: histogram('retries_before_success', 'Attempts that an incident took until it was recovered.', {
      labelNames: ['code'],
      buckets: [0, 1, 2, 3, 5, 10],
    }),
    detect: histogram('detect_seconds', 'From when the machine saw an error to the decision on it.', {
      labelNames: ['category'],
    }),
    recover: histogram('recover_seconds', 'From the first error of an incident to its recovery.', {
      labelNames: ['code'],
    }),
    deliveries: counter('delivery_attempts_total', 'Attempts to deliver a text.', ['purpose', 'outcome']),
    delivery: histogram('delivery_seconds', 'From the command to deliver a text to its result.', {
      labelNames: ['outcome'],
    }),
    observation: histogram('observation_saved_seconds', 'From when an observation was taken up here to its commit.', {
      labelNames: ['kind'],
    }),
    unread: counter('observations_unread_total', 'Observations of newer agents that this build cannot read.', []),
    refused: counter(
      'reports_refused_total',
      'Reports of machines that were not theirs to make, or of a former session.',
      ['reason'],
    ),
    lateness: histogram('due_work_lateness_seconds', 'From when work was due to its commit.', { labelNames: ['kind'] }),
    overdue: gauge('due_work_overdue_seconds', 'How long the oldest work that is due has waited.', []),
    workers: gauge('workers', 'Workers by status, of the whole fleet.', ['status']),
    machines: gauge('machines', 'Machines by how sure it is that they are there, of the whole fleet.', ['state']),
    pool: gauge('database_connections', 'Connections of this replica to its database.', ['state']),
    poolWaiting: gauge('database_waiting', 'Requests of this replica that wait for a connection.', []),
  };
}
