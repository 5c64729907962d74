/** Decides how long a request of a run waits for a machine that is away. A wait spends no try. */
import type { Machine, RunRow, StoreTransaction } from '@drover/store';
import { DEFAULT_LEASES, machineState } from '../../../context/leases.ts';
import { judged } from '../../../context/context.ts';
import type { Context } from '../../../context/context.ts';
import { policyInForce } from '../../../facts/policies/in-force.ts';
import { RECHECK_MS } from './bring.ts';
import type { Carried } from './carried.ts';

/** `there`: the machine can be asked. `waits`: check again after `ms` milliseconds. `too-long`: go on without it. */
export type Absence =
  | { readonly kind: 'there' }
  | { readonly kind: 'waits'; readonly ms: number }
  | { readonly kind: 'too-long' };

const THERE: Absence = { kind: 'there' };

/**
 * Decides whether to wait for a machine that the request needs. Waits for the run's own machine without a limit, and for any other for `run.awayMs`.
 * Once the run is ending, its own machine gets no longer than the others. After a person's stop, a machine has the time of its lease to report.
 */
export async function absenceOf(
  ctx: Context,
  tx: StoreTransaction,
  { carried: { work, run }, machine }: { readonly carried: Pick<Carried, 'work' | 'run'>; readonly machine: Machine },
): Promise<Absence> {
  const at = judged(ctx);
  if (machine.lastSeenAt === null || machineState(machine, at) !== 'disconnected') return THERE;
  const endsAt = await endOfWait(ctx, tx, { run, machine });
  // A late row means that no coordinator was running, so the machine could not report.
  const isLate = at.now - work.dueAt > RECHECK_MS;
  if (!isLate && endsAt <= at.now) return { kind: 'too-long' };
  return { kind: 'waits', ms: isLate ? RECHECK_MS : Math.min(RECHECK_MS, endsAt - at.now) };
}

async function endOfWait(
  ctx: Context,
  tx: StoreTransaction,
  { run, machine }: { readonly run: RunRow; readonly machine: Machine },
): Promise<number> {
  const { ending } = run.state;
  if (ending?.stoppedAt !== undefined) return ending.stoppedAt + (ctx.leases ?? DEFAULT_LEASES).disconnectedAfterMs;
  if (ending === null && machine.id === run.machineId) return Infinity;
  const project = await tx.readProject(run.projectId);
  const { awayMs } = project === null ? ctx.policy.run : policyInForce(ctx, project, '').policy.run;
  return (machine.lastSeenAt ?? 0) + awayMs;
}
