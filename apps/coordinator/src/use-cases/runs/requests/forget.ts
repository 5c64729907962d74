/**
 * Asks the machine of a run that is over to let go of its commits, and each other machine that was given some: once a day, until it says that
 * it has.
 */
import type { DueWork, Machine, NewCommand, Project, RunRow } from '@drover/store';
import type { Context } from '../../../context/context.ts';
import { policyInForce } from '../../../facts/policies/in-force.ts';
import { placed } from '../../../facts/projects/place.ts';
import { machineSettings } from '../../../facts/workers/settings.ts';
import { requestRow, runRequestDue } from '../../../loop/runs/due.ts';
import { settle, stepOf } from '../../../loop/runs/settle.ts';
import type { Carried } from './carried.ts';

/** Milliseconds that the machine may take. */
const FORGET_MS = 60_000;
/** Milliseconds until it is asked again, and until another machine is looked at again. */
const AGAIN_MS = 24 * 3_600_000;

/** Schedules a look at a machine that is given commits of a run: a day later, or when the run's own machine is asked to let go. */
export function letGoElsewhere({ id }: Pick<RunRow, 'id'>, at: string, now: number): DueWork {
  return runRequestDue({ runId: id, request: { kind: 'forget', id: idOf(id, at), at: 0 }, at }, now + AGAIN_MS);
}

/** Names the request that has another machine let go. */
function idOf(run: string, machine: string): string {
  return `${run}:forget:${machine}`;
}

export async function forget(
  ctx: Context,
  { work, run, request, at }: Carried<'forget'>,
): Promise<{ readonly hint: () => void } | null> {
  const others = at === undefined ? await ctx.store.listMachines() : [];
  return stepOf(ctx, work, async (tx) => {
    const now = ctx.clock.now();
    // Machines that were given no commits have no row.
    for (const { id } of others) await tx.hastenDueWork(requestRow(run.id, idOf(run.id, id)), now);
    const machine = await tx.readMachine(at ?? run.machineId);
    const project = await tx.readProject(run.projectId);
    const isOver = machine === null || machine.revokedAt !== null || (await tx.hasRunEvent(run.id, request.id));
    if (isOver || project === null) return settle(ctx, tx, { work, runId: run.id, outcome: null });
    const again = runRequestDue({ runId: run.id, request, ...(at !== undefined && { at }) }, now + AGAIN_MS);
    await tx.schedule([again]);
    if (at !== undefined && !isLetGo(run, policyInForce(ctx, project, '').policy.run, now)) return () => {};
    await tx.insertCommands([forgetting(ctx, { machine, project, run: run.id, request: request.id })], now);
    return () => ctx.hints.commands(machine.id);
  });
}

/** Tells whether the run needs its commits no more, as the run itself says of those on its own machine. */
function isLetGo({ endedAt, state }: RunRow, { keepMs }: { readonly keepMs: number }, now: number): boolean {
  return endedAt !== null && (state.merged !== null || endedAt + keepMs <= now);
}

interface Forgetting {
  readonly machine: Machine;
  readonly project: Project;
  readonly run: string;
  readonly request: string;
}

/** Builds the command that lets go of the commits of a run. */
export function forgetting(ctx: Context, { machine, project, run, request }: Forgetting): NewCommand {
  const settings = { ...machineSettings(machine, placed(project, machine)), name: 'main' };
  const { workerId } = settings;
  const body = { kind: 'query', query: { kind: 'run-forget', run, request } } as const;
  return { id: ctx.ids.uuid(), machineId: machine.id, workerId, body, settings, timeoutMs: FORGET_MS };
}
