/** Tells runs what their attempts use, as the machine of the worker reports it. */
import { runOf } from '@drover/core';
import type { Observation } from '@drover/protocol';
import type { Machine, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { runEventDue } from './due.ts';

interface Reporting {
  readonly ctx: Context;
  readonly tx: StoreTransaction;
  readonly machine: Machine;
  readonly agentEpoch: string;
}

/** `missing`: workers of which the machine has spoken, and that are not on it. Call the hints after the commit. */
interface UsageTold {
  readonly missing: readonly string[];
  readonly hints: readonly (() => void)[];
}

/** A report counts for the item that its worker has in hand: a late one, or one of another item, changes nothing. */
export async function tellUsage(
  { ctx, tx, machine, agentEpoch }: Reporting,
  news: readonly Observation[],
): Promise<UsageTold> {
  const told = news.flatMap(({ seq, body }) => (body.kind === 'usage' ? [{ ...body, seq }] : []));
  if (told.length === 0) return { missing: [], hints: [] };
  const workers = new Map((await tx.listWorkers({ machineId: machine.id })).map((worker) => [worker.id, worker]));
  const by = { kind: 'machine', id: machine.id, name: machine.name } as const;
  const now = ctx.clock.now();
  const due = told.flatMap(({ workerId, of: { runId, item, attempt }, usage, seq }) => {
    const worker = workers.get(workerId);
    const hand = worker === undefined ? null : runOf(worker.state.task);
    if (hand === null || hand.runId !== runId || hand.item !== item || hand.attempt !== attempt) return [];
    const event = { kind: 'usage', item, attempt, usage } as const;
    return [runEventDue({ runId, id: `usage ${agentEpoch} ${seq}`, event, by }, now)];
  });
  await tx.schedule(due);
  const missing = told.map(({ workerId }) => workerId).filter((id) => !workers.has(id));
  return { missing, hints: due.length === 0 ? [] : [() => ctx.hints.due(now)] };
}
