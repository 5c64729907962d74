/** Tells runs of machines: the one with their commits is away, or back; one with their workers was revoked. */
import { allItems, runOf } from '@drover/core';
import type { DueWork, Machine, RunRow, StoreTransaction, WorkerRow } from '@drover/store';
import { judged } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { machineState } from '../../context/leases.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { requestRow, runEventDue } from './due.ts';

/** Tells a run that its machine is away or back, if it does not know. Every look at a request that needs the machine comes here. */
export async function tellHome(
  ctx: Context,
  tx: StoreTransaction,
  { run, home }: { readonly run: RunRow; readonly home: Machine },
): Promise<void> {
  const isAway = machineState(home, judged(ctx)) === 'disconnected';
  if (isAway === (run.state.isHomeAway === true)) return;
  const event = { kind: 'home-changed', isAway } as const;
  await tx.schedule([runEventDue({ runId: run.id, id: `home ${run.seq}`, event, by: POLICY }, ctx.clock.now())]);
}

/** Lists what runs hear of workers on a machine that was revoked. A run that has heard it has freed its worker. */
export function goneDue(workers: readonly WorkerRow[], now: number): readonly DueWork[] {
  return workers.flatMap(({ id: workerId, version, state }) => {
    const run = runOf(state.task);
    const event = { kind: 'machine-changed', workerId, isAway: true, isGone: true } as const;
    return run === null
      ? []
      : [runEventDue({ runId: run.runId, id: `gone ${workerId} ${version}`, event, by: POLICY }, now)];
  });
}

/** Open runs that are looked at when a machine is revoked. */
const RUNS_MAX = 1_000;

/** Tells the runs of a revoked machine at once: its workers are left, and requests to it are looked at, which end then. */
export async function tellRevoked(ctx: Context, tx: StoreTransaction, machineId: string): Promise<void> {
  const now = ctx.clock.now();
  await tx.schedule(goneDue(await tx.listWorkers({ machineId }), now));
  for (const run of await tx.listRuns({ open: true, limit: RUNS_MAX })) {
    if (run.machineId !== machineId) continue;
    for (const { progress } of allItems(run.state))
      if ('request' in progress) await tx.hastenDueWork(requestRow(run.id, progress.request), now);
  }
}
