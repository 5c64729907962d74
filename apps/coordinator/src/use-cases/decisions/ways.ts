/** What recovery may choose from beyond the worker itself: others that could take its task, and machines on which it could go on. */
import { ANYWHERE, inHand, ranked } from '@drover/core';
import type { DeadlineName, DecisionFacts, WorkerEvent } from '@drover/core';
import type { Machine, Project, RosterRow, StoreTransaction, WorkerRow } from '@drover/store';
import { judged } from '../context.ts';
import type { Context } from '../context.ts';
import { fleetOf, handsIn } from '../placement/spots.ts';
import { DEFAULT_ROLE } from '../workers/role.ts';
import { machinesFor } from '../moves/targets.ts';

type Ways = Pick<DecisionFacts, 'othersIdle' | 'elsewhere'>;

interface Asked {
  readonly row: WorkerRow;
  readonly project: Project;
  readonly machine: Machine | null;
  readonly event: WorkerEvent;
}

/**
 * Read only while the worker has a task, without which nothing goes elsewhere, and not for news without trouble: most events are those,
 * and the whole fleet would be read for each.
 */
export async function ways(ctx: Context, tx: StoreTransaction, { row, project, machine, event }: Asked): Promise<Ways> {
  if (inHand(row.state.task) === null || isUntroubled(row, event)) return { othersIdle: 0 };
  const workers = await tx.listRoster({});
  const idle = await othersIdle(ctx, tx, { row, workers });
  if (machine === null || !mayFail(row, event)) return { othersIdle: idle };
  // What its account waits for, it would wait for anywhere.
  const fleet = {
    machines: await tx.listMachines(),
    workers,
    projects: [project],
    accounts: new Map(),
    ...judged(ctx),
  };
  const { targets: others } = machinesFor(ctx, fleet, { row, but: row.machineId });
  if (others.length === 0) return { othersIdle: idle };
  const named = others.map(({ id, name }) => ({ id, name }));
  return { othersIdle: idle, elsewhere: { here: { id: machine.id, name: machine.name }, others: named } };
}

/** What such news begin, if anything, is tried on the worker itself first. */
function isUntroubled({ state }: WorkerRow, event: WorkerEvent): boolean {
  if (state.incident.open !== null) return false;
  if (event.kind === 'screen-seen') return WELL.has(event.look.state.kind);
  if (event.kind === 'deadline-expired') return ROUTINE.has(event.name);
  if (event.kind !== 'command-finished') return false;
  const { result } = event;
  if (result.kind === 'looked') return result.screen !== null && WELL.has(result.screen.state.kind);
  return result.kind === 'checkpointed' || result.kind === 'delivered';
}

const WELL: ReadonlySet<string> = new Set(['starting', 'processing', 'ready']);
/** Each minute, of every worker at work. */
const ROUTINE: ReadonlySet<DeadlineName> = new Set(['check', 'checkpoint', 'settle']);

/** A move is chosen in a decision on a failure: one that is handled already, or that this event tells of. */
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
