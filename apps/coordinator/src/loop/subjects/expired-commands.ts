/** Commands that a machine was given while it was silent: after their time it does not begin them any more. */
import { EXPIRED, InvariantError } from '@drover/core';
import type { Failed } from '@drover/core';
import type { Machine, PendingCommand } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { handleEvent } from '../handle-events.ts';
import { POLICY } from '../../facts/people/causes.ts';

/** A command is begun within so many of its time limits, or not at all. */
const LIMITS = 2;

/** The end of a command that was not begun. */
const RESULT: Failed = {
  kind: 'failed',
  code: EXPIRED,
  message: 'its machine was silent for too long, so it was not begun',
  retry: true,
};

/**
 * Tells whether a command has waited for too long. The caller of such a query has given up. An operation that the machine may have begun stays:
 * its journal knows.
 */
export function hasExpired({ body, madeAt, timeoutMs, wasSent }: PendingCommand, now: number): boolean {
  return (body.kind === 'query' || !wasSent) && madeAt + LIMITS * timeoutMs < now;
}

/** Ends a command that has expired; the policy decides what the worker needs now. */
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
      const outcome = await tx.finishCommand(finished, clock.now());
      if (seq === null || outcome !== 'finished') return null;
      return handleEvent(ctx, tx, { workerId, event: { kind: 'command-finished', seq, result: RESULT }, by: POLICY });
    });
    handled?.hint();
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    log('error', `The policy failed on a command that has expired: ${error.message}`, { id, workerId });
    await store.transaction((tx) => tx.finishCommand(finished, clock.now()));
  }
}

/** Ends the queries that machines did not come for. */
export async function expireQueries({ store, clock }: Context): Promise<void> {
  await store.expireQueries({ limits: LIMITS, result: RESULT }, clock.now());
}
