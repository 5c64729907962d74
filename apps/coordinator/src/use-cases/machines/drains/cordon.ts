/** Closes a machine to new work, and drains its workers; ends both on request. */
import type { Actor, DrainView, MachineFleet, MachineRequestView, Outcome } from '@drover/api';
import type { Cordon } from '@drover/store';
import type { Context } from '../../../context/context.ts';
import { changeMachine } from '../change.ts';
import { causeOf } from '../../../facts/people/causes.ts';
import { heldMachine } from '../../../facts/machines/closed.ts';
import { drainDue } from './work.ts';

/** Closes the machine to new work; its workers continue. */
export function cordon(ctx: Context, name: string, by: Actor): Promise<Outcome<MachineRequestView>> {
  return changeMachine(ctx, by, {
    name,
    action: 'machine-cordoned',
    change: async (tx, { id }) => {
      const now = await heldMachine(tx, id);
      return now?.cordon == null ? tx.saveCordon(id, { since: ctx.clock.now(), by: by.name, drain: null }) : true;
    },
  });
}

/** Opens the machine to new work. Workers that have begun to move continue to move. */
export function uncordon(ctx: Context, name: string, by: Actor): Promise<Outcome<MachineRequestView>> {
  return changeMachine(ctx, by, {
    name,
    action: 'machine-uncordoned',
    change: async (tx, { id }) => {
      await heldMachine(tx, id);
      return tx.saveCordon(id, null);
    },
  });
}

/**
 * Drains the machine: workers at a task leave after it, or at the deadline. Asked again, the newest deadline counts, and the answer names
 * the replaced drain.
 */
export async function drain(
  ctx: Context,
  { requestId, name, deadlineMs }: Parameters<MachineFleet['drainMachine']>[0],
  by: Actor,
): Promise<Outcome<DrainView>> {
  const now = ctx.clock.now();
  const deadline = deadlineMs === null ? null : now + deadlineMs;
  let replaced: DrainView['replaced'] = null;
  const outcome = await changeMachine(ctx, by, {
    name,
    action: 'machine-drain-begun',
    details: { deadline },
    change: async (tx, { id }) => {
      const before = (await heldMachine(tx, id))?.cordon ?? null;
      // A repeated request changes nothing.
      if (before?.drain?.id === requestId) return true;
      replaced = unfinished(before);
      const begun: Cordon = {
        since: before?.since ?? now,
        by: by.name,
        drain: { id: requestId, since: now, deadline, doneAt: null, waits: {} },
      };
      await tx.schedule([drainDue({ machineId: id, drain: requestId, by: causeOf(by) }, now)]);
      return tx.saveCordon(id, begun);
    },
  });
  ctx.hints.due(now);
  return outcome.kind === 'ok' ? { kind: 'ok', value: { ...outcome.value, replaced } } : outcome;
}

/** Returns the drain in progress. */
function unfinished(cordon: Cordon | null): DrainView['replaced'] {
  if (cordon?.drain == null || cordon.drain.doneAt !== null) return null;
  const { since, deadline } = cordon.drain;
  return { by: cordon.by, since, deadline };
}
