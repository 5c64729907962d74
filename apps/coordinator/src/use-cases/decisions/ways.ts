/** What recovery may choose from beyond the worker itself: others that could take its task, and machines on which it could go on. */
import { ANYWHERE, decide, inHand, ranked } from '@drover/core';
import type { Decision, DecisionFacts, Policy, WorkerEvent } from '@drover/core';
import type { Machine, Project, RosterRow, StoreTransaction, WorkerRow } from '@drover/store';
import { judged } from '../context.ts';
import type { Context } from '../context.ts';
import { whyNotThere } from '../placement/choose.ts';
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
 * Decides. What recovery may choose from is the whole fleet, and nearly no decision asks for it: only if one does it is read, and the
 * decision, which is a pure function, is made again (docs/adr/0004).
 *
 * @param known All facts but these.
 */
export async function decideWithWays(
  ctx: Context,
  tx: StoreTransaction,
  { asked, known, policy }: { readonly asked: Asked; readonly known: Known; readonly policy: Policy },
): Promise<{ readonly facts: DecisionFacts; readonly decision: Decision }> {
  const { row, event } = asked;
  let isAskedFor = false;
  const decision = decide(row.state, event, {
    ...known,
    policy,
    get othersIdle() {
      isAskedFor = true;
      return 0;
    },
    get elsewhere() {
      isAskedFor = true;
      return undefined;
    },
  });
  if (!isAskedFor) return { facts: { ...known, othersIdle: 0 }, decision };
  return decideWith(tx, asked, { facts: { ...known, ...(await ways(ctx, tx, asked)) }, policy });
}

/** A machine that can take the worker no more when its move would begin is none of the ways. */
async function decideWith(
  tx: StoreTransaction,
  { row, event }: Asked,
  { facts, policy }: { readonly facts: DecisionFacts; readonly policy: Policy },
): Promise<{ readonly facts: DecisionFacts; readonly decision: Decision }> {
  let known = facts;
  for (;;) {
    const decision = decide(row.state, event, { ...known, policy });
    const { elsewhere } = known;
    const { move } = decision.worker;
    const to = row.state.move.kind === 'none' && move.kind !== 'none' ? move.route.to.id : null;
    const isChosen = elsewhere?.others.some(({ id }) => id === to) === true;
    if (elsewhere === undefined || to === null || !isChosen || (await whyNotThere(tx, row, to)) === null)
      return { facts: known, decision };
    known = { ...known, elsewhere: { ...elsewhere, others: elsewhere.others.filter(({ id }) => id !== to) } };
  }
}

type Known = Omit<DecisionFacts, keyof Ways>;

/** Nothing goes elsewhere without a task. */
async function ways(ctx: Context, tx: StoreTransaction, { row, project, machine, event }: Asked): Promise<Ways> {
  if (inHand(row.state.task) === null) return { othersIdle: 0 };
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
