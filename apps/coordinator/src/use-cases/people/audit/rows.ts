/** The rows of the audit: who asked for what, about whom. They never hold the text of a prompt, and never a secret. */
import { createHash } from 'node:crypto';
import { canonical } from '@drover/core';
import type { Decision, WorkerEvent } from '@drover/core';
import type { Cause, NewAudit, WorkerRow } from '@drover/store';
import { tellCause } from '../causes.ts';

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
    orderId,
    now,
  }: { row: WorkerRow; event: WorkerEvent; by: Cause; orderId: string | null; now: number },
  { commands, reply, worker }: Decision,
): NewAudit | null {
  const isOrdered = by.kind === 'person' || by.kind === 'worker';
  const isRoutine = event.kind === 'deadline-expired' && ROUTINE.has(event.name);
  if (!isOrdered && (commands.length === 0 || isRoutine)) return null;
  return audited({
    at: now,
    by: isOrdered ? by : { kind: 'policy' },
    action: isOrdered ? event.kind : 'commands',
    about: `worker ${row.name}`,
    chain: `worker:${row.id}`,
    details: {
      ...(isOrdered ? { sum: sumOf(event), orderId } : { after: event.kind }),
      ...(event.kind === 'nuke-ordered' && event.task !== undefined && { task: event.task }),
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
