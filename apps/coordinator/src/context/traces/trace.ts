/**
 * Traces the cause and the result of a command: the machine's observation, the decision, the command until its result. The ids of a trace
 * derive from the worker and the number of the command, so that the replica that receives the result extends the trace of the replica
 * that decided.
 */
import { createHash } from 'node:crypto';
import type { Decision, Worker, WorkerEvent } from '@drover/core';

/** A committed decision. Times are epoch milliseconds; `seenAt` is the machine's, null where no machine saw the event. */
export interface Traced {
  readonly worker: { readonly id: string; readonly name: string };
  readonly before: Worker;
  readonly event: WorkerEvent;
  readonly decision: Decision;
  readonly seenAt: number | null;
  readonly begunAt: number;
  readonly committedAt: number;
}

/** A span, as it is exported. */
export interface TracedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Id of the parent span; null for the first span of a trace. */
  readonly parentId: string | null;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The command whose result led to this span. */
  readonly link: { readonly traceId: string; readonly spanId: string } | null;
}

/** @returns an empty list for most decisions: they end no command and give none. */
export function spansOf(traced: Traced): readonly TracedSpan[] {
  const ended = endedCommand(traced);
  return [...(ended === null ? [] : [ended]), ...begunBy(traced, ended)];
}

function endedCommand({ worker, before, event, committedAt }: Traced): TracedSpan | null {
  const { inFlight } = before.command;
  if (event.kind !== 'command-finished' || inFlight?.seq !== event.seq) return null;
  const ids = idsOf(worker.id, event.seq);
  return {
    traceId: ids.trace,
    spanId: ids.command,
    parentId: ids.decision,
    name: `command ${inFlight.command.kind}`,
    start: inFlight.since,
    end: Math.max(inFlight.since, committedAt),
    attributes: { ...about(worker), 'drover.command.seq': event.seq, 'drover.command.result': event.result.kind },
    link: null,
  };
}

function begunBy(traced: Traced, ended: TracedSpan | null): readonly TracedSpan[] {
  const { worker, event, decision, seenAt, begunAt, committedAt } = traced;
  return decision.commands.flatMap(({ seq, command }) => {
    const ids = idsOf(worker.id, seq);
    const common = { traceId: ids.trace, attributes: { ...about(worker), 'drover.event': event.kind } };
    const link = ended === null ? null : { traceId: ended.traceId, spanId: ended.spanId };
    // Clocks of machines may be off: an event is never seen later than its report arrives.
    const seen = Math.min(seenAt ?? begunAt, begunAt);
    return [
      {
        ...common,
        spanId: ids.event,
        parentId: null,
        name: seenAt === null ? `event ${event.kind}` : `machine saw ${event.kind}`,
        start: seen,
        end: begunAt,
        link,
      },
      {
        ...common,
        attributes: { ...common.attributes, 'drover.rules': decision.rules.join(' '), 'drover.command': command.kind },
        spanId: ids.decision,
        parentId: ids.event,
        name: `decision ${decision.rules[0] ?? 'none'}`,
        start: begunAt,
        end: committedAt,
        link: null,
      },
    ];
  });
}

function about({ id, name }: Traced['worker']): Readonly<Record<string, string>> {
  return { 'drover.worker': name, 'drover.worker.id': id };
}

interface Ids {
  readonly trace: string;
  readonly event: string;
  readonly decision: string;
  readonly command: string;
}

/** Derives ids, hexadecimal, of the lengths that OpenTelemetry wants. */
function idsOf(workerId: string, seq: number): Ids {
  const digest = createHash('sha512').update(`${workerId} ${seq}`).digest('hex');
  return {
    trace: digest.slice(0, 32),
    event: digest.slice(32, 48),
    decision: digest.slice(48, 64),
    command: digest.slice(64, 80),
  };
}
