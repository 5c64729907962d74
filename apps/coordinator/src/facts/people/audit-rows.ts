/** Builds the rows of the audit: who asked for which action, on what. A row never holds the text of a prompt, and never a secret. */
import { createHash } from 'node:crypto';
import { canonical } from '@drover/core';
import type { Decision, WorkerEvent } from '@drover/core';
import type { Cause, NewAudit, WorkerRow } from '@drover/store';
import { tellCause } from './causes.ts';

/** Chain of everything that belongs to no worker. */
export const FLEET_CHAIN = 'fleet';

/** A change. `about` names the changed thing; `details` hold names, kinds and sums. */
export interface Audited {
  readonly at: number;
  readonly by: Cause;
  readonly action: string;
  readonly about: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly chain?: string;
}

/** Builds the row of a change, for the transaction that makes the change. */
export function audited({ at, by, action, about, details = {}, chain = FLEET_CHAIN }: Audited): NewAudit {
  const actor = tellCause(by) ?? '';
  const id = by.kind === 'policy' ? null : by.id;
  return { chain, at, actor, body: canonical({ at, actor, actorId: id, action, about, details }) };
}

/** Events of each minute, the check and the checkpoint: no person asks for them. */
const ROUTINE: ReadonlySet<string> = new Set(['check', 'checkpoint']);

/**
 * Builds the row of a decision that a person or worker asked for, or that leads to commands, which are the policy's. Null for other
 * decisions. The row names an event by its kind and its sum, which find the event in the history.
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

/** Computes a sum that identifies a text without showing the text. */
export function sumOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}
