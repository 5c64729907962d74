/** Says which decisions are lines of the history that people read. */
import type { Decision, Worker, WorkerEvent } from '@drover/core';

/** Tells whether the command in flight has taken too long: its deadline passes. */
export function isOverdue(before: Worker, event: WorkerEvent): boolean {
  return before.command.inFlight !== null && event.kind === 'deadline-expired' && event.name === 'command';
}

interface Heard {
  readonly before: Worker;
  readonly event: WorkerEvent;
  readonly decision: Decision;
  readonly requestId: string | null;
}

/** Events that are history although nothing follows at once, as how a program ended: a later decision needs them. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(['adopt', 'account:paused', 'answered', 'turn-unseen']);

/** Screens that change nothing but the last screen are not history, nor is what is done each minute. */
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

/** Each minute the worker is checked, its work is saved, and the patrol asks what work that waits is by now; mostly nothing follows. */
function isRoutine(event: WorkerEvent): boolean {
  if (event.kind === 'deadline-expired') return event.name === 'check' || event.name === 'checkpoint';
  return event.kind === 'default-branch-moved';
}
