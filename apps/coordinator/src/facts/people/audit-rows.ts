/** The rows of the audit: who asked for what, about whom. They never hold the text of a prompt, and never a secret. */
import { createHash } from 'node:crypto';
import { canonical } from '@drover/core';
import type { Decision, WorkerEvent } from '@drover/core';
import type { Cause, NewAudit, WorkerRow } from '@drover/store';
import { tellCause } from './causes.ts';

/** The chain of everything that is no worker's. */
export const FLEET_CHAIN = 'fleet';

/** One change. `about` names what was changed; `details` hold names, kinds and sums. */
export interface Audited {
  readonly at: number;
  readonly by: Cause;
  readonly action: string;
  readonly about: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly chain?: string;
}

/** The row of a change, for the transaction in which it is made. */
export function audited({ at, by, action, about, details = {}, chain = FLEET_CHAIN }: Audited): NewAudit {
  const actor = tellCause(by) ?? '';
  const id = by.kind === 'policy' ? null : by.id;
  return { chain, at, actor, body: canonical({ at, actor, actorId: id, action, about, details }) };
}

/** The check and the checkpoint of each minute: no person asks for them. */
const ROUTINE: ReadonlySet<string> = new Set(['check', 'checkpoint']);

/**
 * The row of a decision: one that a person or worker asked for, or from which commands follow, which are the policy's. Null for
 * the others. An event is named by its kind and its sum, with which it is found in the history.
 */
export function auditedDecision(
  {
    row,
    event,
    by,
    requestId,
    now,
  }: { row: WorkerRow; event: WorkerEvent; by: Cause; requestId: string | null; now: number },
  { commands, reply, worker }: Decision,
): NewAudit | null {
  const isRequested = by.kind === 'person' || by.kind === 'worker';
  const isRoutine = event.kind === 'deadline-expired' && ROUTINE.has(event.name);
  if (!isRequested && (commands.length === 0 || isRoutine)) return null;
  return audited({
    at: now,
    by: isRequested ? by : { kind: 'policy' },
    action: isRequested ? event.kind : 'commands',
    about: `worker ${row.name}`,
    chain: `worker:${row.id}`,
    details: {
      ...(isRequested ? { sum: sumOf(event), requestId } : { after: event.kind }),
      ...(event.kind === 'nuke-requested' && event.task !== undefined && { task: event.task }),
      ...(commands.length > 0 && { commands: commands.map(({ command }) => command.kind) }),
      ...(reply.kind === 'refused' && { refused: reply.code }),
      ...(row.state.lifecycle.status !== worker.lifecycle.status && {
        from: row.state.lifecycle.status,
        to: worker.lifecycle.status,
      }),
    },
  });
}

/** A sum that identifies a text without showing it. */
export function sumOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}
