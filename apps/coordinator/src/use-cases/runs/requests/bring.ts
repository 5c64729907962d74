/** Orders a machine to bring commits of a run from another one. The request stays as due work, and goes on with the answer. */
import type { StoreTransaction } from '@drover/store';
import type { Context } from '../../../context/context.ts';
import { placed } from '../../../facts/projects/place.ts';
import { machineSettings } from '../../../facts/workers/settings.ts';
import { runRequestDue } from '../../../loop/runs/due.ts';
import type { Carried } from './carried.ts';
import { letGoElsewhere } from './forget.ts';

/** Milliseconds that a machine may take to get and check the commits. */
const BRING_MS = 20 * 60_000;
/** Milliseconds after which a command without an answer is read again: one that nobody carries out ends without any. */
export const RECHECK_MS = 60_000;

type Awaited = Pick<Carried, 'run' | 'request' | 'tries' | 'reserved'>;

interface Bringing extends Awaited {
  readonly from: string;
  readonly to: string;
  readonly commits: readonly string[];
  /** Profile of the worker whose commit is to come back: a machine that isolates it refuses. */
  readonly author?: string;
}

/** Lets the request wait for the answer to a command. */
export async function awaitAnswer(
  ctx: Context,
  tx: StoreTransaction,
  { run, request, tries, reserved, command, at }: Awaited & { readonly command: string; readonly at: string },
): Promise<void> {
  const made = { runId: run.id, request, tries, command, at, ...(reserved !== undefined && { reserved }) };
  await tx.schedule([runRequestDue(made, ctx.clock.now() + RECHECK_MS)]);
}

/** @returns the hint for after the commit; null: the machine or the project is gone. */
export async function askToBring(
  ctx: Context,
  tx: StoreTransaction,
  { run, request, tries, reserved, from, to, commits, author: profile = '' }: Bringing,
): Promise<(() => void) | null> {
  const machine = await tx.readMachine(to);
  const project = await tx.readProject(run.projectId);
  if (machine === null || project === null) return null;
  const id = ctx.ids.uuid();
  const query = { kind: 'run-bring', run: run.id, request: request.id, machine: from, commits } as const;
  const settings = { ...machineSettings(machine, placed(project, machine)), name: 'main', profile };
  const body = { kind: 'query', query } as const;
  const now = ctx.clock.now();
  await tx.insertCommands([{ id, machineId: to, workerId: to, body, settings, timeoutMs: BRING_MS }], now);
  if (to !== run.machineId) await tx.schedule([letGoElsewhere(run, to, now)]);
  await awaitAnswer(ctx, tx, { run, request, tries, reserved, command: id, at: to });
  return () => ctx.hints.commands(to);
}
