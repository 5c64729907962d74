/** Decides how long a request of a run waits for a machine that is away. A wait spends no try. */
import type { Machine, RunRow, StoreTransaction } from '@drover/store';
import { DEFAULT_LEASES, machineState } from '../../../context/leases.ts';
import { judged } from '../../../context/context.ts';
import type { Context } from '../../../context/context.ts';
import { policyInForce } from '../../../facts/policies/in-force.ts';
import { RECHECK_MS } from './bring.ts';
import type { Carried } from './carried.ts';

/** `there`: it can be asked. `waits`: it is looked at again after `ms`. `too-long`: nobody waits for it any more. */
export type Absence =
  | { readonly kind: 'there' }
  | { readonly kind: 'waits'; readonly ms: number }
  | { readonly kind: 'too-long' };

const THERE: Absence = { kind: 'there' };

/**
 * Judges the absence of a machine that the request needs. The run's own machine is waited for without a limit, another one for `run.awayMs`; when
 * the run ends, its own one no longer than others. After a person's stop a machine has its lease to be heard: one that is lost then is not waited for.
 */
export async function absenceOf(
  ctx: Context,
  tx: StoreTransaction,
  { carried: { work, run }, machine }: { readonly carried: Pick<Carried, 'work' | 'run'>; readonly machine: Machine },
): Promise<Absence> {
  const at = judged(ctx);
  if (machine.lastSeenAt === null || machineState(machine, at) !== 'disconnected') return THERE;
  const endsAt = await endOfWait(ctx, tx, { run, machine });
  // A late row means that no coordinator ran, so that the machine could not be heard.
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
