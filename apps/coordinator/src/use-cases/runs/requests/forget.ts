/**
 * Asks the machine of a run that is over to let go of its commits, until it says that it has, and so each other machine with workers of the project.
 * A machine that is away hears it another day.
 */
import type { Machine, NewCommand, Project, RunRow } from '@drover/store';
import type { Context } from '../../../context/context.ts';
import { placed } from '../../../facts/projects/place.ts';
import { machineSettings } from '../../../facts/workers/settings.ts';
import { runRequestDue } from '../../../loop/runs/due.ts';
import type { Carried } from './carried.ts';

/** Milliseconds that the machine may take. */
const FORGET_MS = 60_000;
/** Milliseconds until it is asked again. */
const AGAIN_MS = 24 * 3_600_000;

export async function forget(
  ctx: Context,
  { work, run, request, at }: Carried<'forget'>,
): Promise<{ readonly hint: () => void } | null> {
  return ctx.store.transaction(async (tx) => {
    await tx.finishDueWork(work);
    if (await tx.hasRunEvent(run.id, request.id)) return null;
    const machine = await tx.readMachine(at ?? run.machineId);
    const project = await tx.readProject(run.projectId);
    if (machine === null || project === null) return null;
    const now = ctx.clock.now();
    await tx.insertCommands([forgetting(ctx, { machine, project, run: run.id, request: request.id })], now);
    const others = at === undefined ? await othersOf(ctx, run) : [];
    await tx.schedule([
      runRequestDue({ runId: run.id, request, at: machine.id }, now + AGAIN_MS),
      ...others.map((other) => {
        const own = { ...request, id: `${request.id}:${other}` };
        return runRequestDue({ runId: run.id, request: own, at: other }, now);
      }),
    ]);
    return { hint: () => ctx.hints.commands(machine.id) };
  });
}

async function othersOf(ctx: Context, { projectId, machineId }: RunRow): Promise<readonly string[]> {
  const workers = await ctx.store.listWorkers({ projectId });
  return [...new Set(workers.map((row) => row.machineId))].filter((id) => id !== machineId);
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
