/**
 * Asks the machine of a run that is over to let go of its commits, until it says that it has, and so each other machine that was there
 * meanwhile. One that is away hears it another day.
 */
import type { Machine, NewCommand, Project, RunRow } from '@drover/store';
import type { Context } from '../../../context/context.ts';
import { placed } from '../../../facts/projects/place.ts';
import { machineSettings } from '../../../facts/workers/settings.ts';
import { runRequestDue } from '../../../loop/runs/due.ts';
import { settle, stepOf } from '../../../loop/runs/settle.ts';
import type { Carried } from './carried.ts';

/** Milliseconds that the machine may take. */
const FORGET_MS = 60_000;
/** Milliseconds until it is asked again. */
const AGAIN_MS = 24 * 3_600_000;

export async function forget(
  ctx: Context,
  { work, run, request, at }: Carried<'forget'>,
): Promise<{ readonly hint: () => void } | null> {
  const others = at === undefined ? await othersOf(ctx, run) : [];
  return stepOf(ctx, work, async (tx) => {
    const now = ctx.clock.now();
    const machine = await tx.readMachine(at ?? run.machineId);
    const project = await tx.readProject(run.projectId);
    const isOver = machine === null || machine.revokedAt !== null || (await tx.hasRunEvent(run.id, request.id));
    // Commits lie on other machines also if the one of the run is gone.
    const more = others.map((other) => {
      const own = { ...request, id: `${request.id}:${other}` };
      return runRequestDue({ runId: run.id, request: own, at: other }, now);
    });
    await tx.schedule(more);
    if (isOver || project === null) return settle(ctx, tx, { work, runId: run.id, outcome: null });
    await tx.insertCommands([forgetting(ctx, { machine, project, run: run.id, request: request.id })], now);
    await tx.schedule([runRequestDue({ runId: run.id, request, at: machine.id }, now + AGAIN_MS)]);
    return () => ctx.hints.commands(machine.id);
  });
}

/** Lists the other machines that were heard since the run began: each may have brought commits, whatever workers it has now. */
async function othersOf(ctx: Context, { machineId, createdAt }: RunRow): Promise<readonly string[]> {
  const heard = (await ctx.store.listMachines()).filter(
    ({ lastSeenAt }) => lastSeenAt !== null && lastSeenAt >= createdAt,
  );
  return heard.flatMap(({ id, revokedAt, isGateway }) =>
    id === machineId || revokedAt !== null || isGateway ? [] : [id],
  );
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
