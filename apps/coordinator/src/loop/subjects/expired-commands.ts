/** Expires commands that a machine was given while it was silent: after their time it no longer begins them. */
import { EXPIRED, InvariantError } from '@drover/core';
import type { Failed } from '@drover/core';
import type { Machine, PendingCommand } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { handleEvent } from '../handle-events.ts';
import { POLICY } from '../../facts/people/causes.ts';

/** Multiple of its time limit within which a command begins, or not at all. */
const LIMITS = 2;

/** Result of a command that did not begin. */
const RESULT: Failed = {
  kind: 'failed',
  code: EXPIRED,
  message: 'its machine was silent for too long, so Drover did not start it',
  retry: true,
};

/**
 * Tells whether a command has waited too long. The caller of such a query has given up. An operation that the machine may have begun
 * stays: its journal knows.
 */
export function hasExpired({ body, madeAt, timeoutMs, wasSent }: PendingCommand, now: number): boolean {
  return (body.kind === 'query' || !wasSent) && madeAt + LIMITS * timeoutMs < now;
}

/** Ends a command that has expired; the policy decides the worker's next step. */
export async function expireCommand(
  ctx: Context,
  machine: Machine,
  { id, workerId, body }: PendingCommand,
): Promise<void> {
  const { store, clock, log } = ctx;
  const seq = body.kind === 'command' ? body.seq : null;
  const finished = { id, machineId: machine.id, command: seq === null ? null : { workerId, seq }, result: RESULT };
  try {
    const handled = await store.transaction(async (tx) => {
      const [outcome] = await tx.finishCommands([finished], clock.now());
      if (seq === null || outcome !== 'finished') return null;
      return handleEvent(ctx, tx, { workerId, event: { kind: 'command-finished', seq, result: RESULT }, by: POLICY });
    });
    handled?.hint();
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    log('error', `The policy failed on a command that has expired: ${error.message}`, { id, workerId });
    await store.transaction((tx) => tx.finishCommands([finished], clock.now()));
  }
}

/** Ends the queries that machines did not fetch. */
export async function expireQueries({ store, clock }: Context): Promise<void> {
  await store.expireQueries({ limits: LIMITS, result: RESULT }, clock.now());
}
