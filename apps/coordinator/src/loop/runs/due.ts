/** Builds due work of runs: events that a run hears, requests that it has made, and its next deadline. */
import type { RunEvent, RunRequest } from '@drover/core';
import type { Cause, DueWork } from '@drover/store';
import { z } from 'zod';

const object = <T>(): z.ZodType<T> => z.custom<T>((value) => typeof value === 'object' && value !== null);

/** Payload of an event, which a coordinator wrote. */
export const runEventPayload = z.object({
  runId: z.string(),
  id: z.string(),
  event: object<RunEvent>(),
  by: object<Cause>(),
});

/** Payload of a request, which a coordinator wrote. */
export const runRequestPayload = z.object({
  runId: z.string(),
  request: object<RunRequest>(),
  /** Number of earlier tries. */
  tries: z.number().default(0),
  /** Query to a machine whose answer is awaited; absent: nobody was asked yet. */
  command: z.string().optional(),
  /** Machine that was asked; absent: the run's own. */
  at: z.string().optional(),
  /** Worker for which commits are on their way; absent: none. */
  reserved: z.string().optional(),
});

export const runDeadlinePayload = z.object({ runId: z.string() });

type HeardEvent = z.infer<typeof runEventPayload>;

interface MadeRequest {
  readonly runId: string;
  readonly request: RunRequest;
  readonly tries?: number;
  readonly command?: string;
  readonly at?: string;
  readonly reserved?: string;
}

/** The run hears the event once, however often it is scheduled: `id` names it. */
export function runEventDue({ runId, id, event, by }: HeardEvent, dueAt: number): DueWork {
  return { kind: 'run-event', key: `${runId} ${id}`, dueAt, payload: { runId, id, event, by } };
}

export function runRequestDue(made: MadeRequest, dueAt: number): DueWork {
  return { ...requestRow(made.runId, made.request.id), dueAt, payload: made };
}

/** Names the row of a request. */
export function requestRow(runId: string, request: string): Pick<DueWork, 'kind' | 'key'> {
  return { kind: 'run-request', key: `${runId} ${request}` };
}

/** Makes one row for the earliest deadline of a run: all that are due are heard then. */
export function runDeadlineDue(runId: string, dueAt: number): DueWork {
  return { kind: 'run-deadline', key: runId, dueAt, payload: { runId } };
}

/** Names the run of a row of due work: its rows are done one after the other. Null: of none, or a worker is released, for which no work waits. */
export function runOf({ kind, key, payload }: DueWork): string | null {
  if (kind === 'run-request' && runRequestPayload.safeParse(payload).data?.request.kind === 'release') return null;
  return kind === 'run-event' || kind === 'run-request' || kind === 'run-deadline' ? (key.split(' ')[0] ?? key) : null;
}
