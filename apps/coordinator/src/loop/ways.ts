/** Finds ways of recovery beyond the worker itself: others that could take its task, and machines on which it could continue. */
import { ANYWHERE, inHand, ranked } from '@drover/core';
import type { Decision, WorkerEvent, Ways } from '@drover/core';
import type { Machine, Project, RosterRow, StoreTransaction, WorkerRow } from '@drover/store';
import { judged } from '../context/context.ts';
import type { Context } from '../context/context.ts';
import { whyNotThere } from '../facts/placement/choose.ts';
import { fleetOf, handsIn } from '../facts/placement/spots.ts';
import { DEFAULT_ROLE } from '../facts/workers/role.ts';
import { machinesFor } from '../facts/placement/targets.ts';

interface Asked {
  readonly row: WorkerRow;
  readonly project: Project;
  readonly machine: Machine | null;
  readonly event: WorkerEvent;
}

/** Reads the whole fleet for the ways: nearly no decision asks (docs/adr/0004). Nothing goes elsewhere without a task. */
export async function waysFor(ctx: Context, tx: StoreTransaction, asked: Asked): Promise<Ways> {
  const { row, project, machine, event } = asked;
  if (inHand(row.state.task) === null) return { othersIdle: 0 };
  const workers = await tx.listRoster({});
  const idle = await othersIdle(ctx, tx, { row, workers });
  if (machine === null || !mayFail(row, event)) return { othersIdle: idle };
  // A worker waits for its account's limit on any machine.
  const fleet = {
    machines: await tx.listMachines(),
    workers,
    projects: [project],
    accounts: new Map(),
    reserved: [],
    ...judged(ctx),
  };
  const { targets: others } = machinesFor(ctx, fleet, { row, but: row.machineId });
  if (others.length === 0) return { othersIdle: idle };
  const named = others.map(({ id, name }) => ({ id, name }));
  return { othersIdle: idle, elsewhere: { here: { id: machine.id, name: machine.name }, others: named } };
}

/** Drops a machine that can no longer take the worker when its move would begin. @returns the same ways if the machine can. */
export async function withoutClosed(
  tx: StoreTransaction,
  { row, ways, decision }: { readonly row: WorkerRow; readonly ways: Ways | undefined; readonly decision: Decision },
): Promise<Ways | undefined> {
  const { move } = decision.worker;
  const to = row.state.move.kind === 'none' && move.kind !== 'none' ? move.route.to.id : null;
  const others = ways?.elsewhere?.others ?? [];
  if (ways?.elsewhere === undefined || to === null || !others.some(({ id }) => id === to)) return ways;
  if ((await whyNotThere(tx, row, to)) === null) return ways;
  return { ...ways, elsewhere: { ...ways.elsewhere, others: others.filter(({ id }) => id !== to) } };
}

/** Tells whether the event may lead to a move, which is chosen in a decision on a failure: an open one, or the event's own. */
function mayFail({ state }: WorkerRow, event: WorkerEvent): boolean {
  if (state.incident.open !== null) return true;
  return event.kind === 'command-finished' && (event.result.kind === 'failed' || event.result.kind === 'unknown');
}

async function othersIdle(
  ctx: Context,
  tx: StoreTransaction,
  { row, workers }: { readonly row: WorkerRow; readonly workers: readonly RosterRow[] },
): Promise<number> {
  const able = workers.filter(({ id, projectId }) => projectId === row.projectId && id !== row.id);
  const fleet = await fleetOf(ctx, tx, { workers, able });
  return ranked({ ...ANYWHERE, role: row.options.role ?? DEFAULT_ROLE }, handsIn(ctx, fleet, able)).length;
}
