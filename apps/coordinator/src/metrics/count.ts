/** Adds a committed decision to the metrics. */
import { ERRORS, wayOfToolFailure } from '@drover/core';
import type { DecisionRecord, ErrorCode, Worker } from '@drover/core';
import type { Committed, Counters } from '../context/counters.ts';
import type { Metrics } from './metrics.ts';

/** Creates counters that add to these metrics. */
export function createCounters(metrics: Metrics): Counters {
  return {
    decided: (committed) => countDecision(metrics, committed),
    observed: (kind, tookMs) => metrics.observation.observe({ kind }, seconds(tookMs)),
    unread: () => metrics.unread.inc(),
    refused: (reason) => metrics.refused.inc({ reason }),
    done: (kind, lateMs) => metrics.lateness.observe({ kind }, seconds(lateMs)),
  };
}

function countDecision(metrics: Metrics, { before, event, decision, now, seenAt }: Committed): void {
  const { rules, records, worker } = decision;
  metrics.decisions.inc({ event: event.kind, rule: kindOf(rules[0] ?? 'none') });
  for (const entry of records) countRecord(metrics, entry, worker);
  const firstError = records.find((entry) => entry.kind === 'error');
  if (seenAt !== null && firstError?.kind === 'error')
    metrics.detect.observe({ category: ERRORS[firstError.code].category }, seconds(now - seenAt));
  const { inFlight } = before.command;
  if (event.kind === 'command-finished' && inFlight?.seq === event.seq && inFlight.command.kind === 'deliver')
    metrics.delivery.observe({ outcome: event.result.kind }, seconds(now - inFlight.since));
}

/** Shortens a rule: `answer:Yes, delete it` counts as `answer`, because the text behind the colon may come from a screen. */
function kindOf(rule: string): string {
  return rule.split(':', 1)[0] ?? rule;
}

function countRecord(metrics: Metrics, entry: DecisionRecord, after: Worker): void {
  switch (entry.kind) {
    case 'error':
      if (entry.context.toolClass !== undefined)
        metrics.toolFailures.inc({ class: entry.context.toolClass, way: wayOfToolFailure(entry) });
      return metrics.errors.inc({ category: ERRORS[entry.code].category, code: entry.code });
    case 'recovery':
      return metrics.attempts.inc({ code: entry.code, level: entry.level });
    case 'recovered':
      metrics.retries.observe({ code: entry.code }, entry.attempts);
      metrics.recover.observe({ code: entry.code }, seconds(entry.sinceMs));
      return ended(metrics, { code: entry.code, level: entry.level, outcome: 'recovered' });
    case 'escalated':
      metrics.escalations.inc({ code: entry.code });
      return ended(metrics, { code: entry.code, level: after.incident.open?.level ?? 4, outcome: 'escalated' });
    case 'receipt':
      return metrics.deliveries.inc({ purpose: entry.purpose, outcome: entry.outcome });
    default:
      return undefined;
  }
}

function ended(metrics: Metrics, labels: { code: ErrorCode; level: number; outcome: 'recovered' | 'escalated' }): void {
  metrics.recoveries.inc(labels);
}

/** Converts to seconds, at least zero: a machine's clock may be ahead of this one. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1_000;
}
