/** Selects the decisions that are lines of the history that people read. */
import type { Decision, Worker, WorkerEvent } from '@drover/core';

/** Tells whether the command in flight has exceeded its deadline. */
export function isOverdue(before: Worker, event: WorkerEvent): boolean {
  return before.command.inFlight !== null && event.kind === 'deadline-expired' && event.name === 'command';
}

interface Heard {
  readonly before: Worker;
  readonly event: WorkerEvent;
  readonly decision: Decision;
  readonly requestId: string | null;
}

/** Events that are history although they have no immediate consequence, such as the end of a program: a later decision needs them. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(['adopt', 'account:paused', 'answered', 'turn-unseen']);

/** Tells whether a decision is a line of history. Screens that change nothing but the last screen are not, nor is the routine of each minute. */
export function isWorthALine({ before, event, decision, requestId }: Heard): boolean {
  const { worker, commands, records, reply, rules } = decision;
  return (
    requestId !== null ||
    rules.some((rule) => rule.startsWith('exit:') || ALWAYS_TOLD.has(rule)) ||
    (commands.length > 0 && !isRoutine(event)) ||
    records.length > 0 ||
    reply.kind === 'refused' ||
    before.lifecycle.status !== worker.lifecycle.status
  );
}

/** Tells routine apart: each minute the worker is checked, its work is saved, and the patrol checks waiting work; mostly nothing follows. */
function isRoutine(event: WorkerEvent): boolean {
  if (event.kind === 'deadline-expired') return event.name === 'check' || event.name === 'checkpoint';
  return event.kind === 'default-branch-moved';
}
