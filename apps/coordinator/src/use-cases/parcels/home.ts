/**
 * Lets a machine ask another one within a command of its own, which limits the question. If the repository is on another machine: read
 * main of that command's project, and publish the command's work, with the content that Git LFS keeps. For a train: get the work that the
 * command builds, of workers of other machines. For a run: get its commits from the machine that the command names. The other machine is
 * asked by one query for each question, however often the question is repeated and at whichever replica.
 */
import { createHash } from 'node:crypto';
import type { HomeAnswer, HomeRequest, Query, QueryResult } from '@drover/protocol';
import type { GivenCommand, Machine, Project } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import { judged } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { machineState } from '../../context/leases.ts';
import type { MachineState } from '../../context/leases.ts';
import { askMachineOnce, askOnce } from '../../facts/machines/query.ts';
import { findHome } from '../../facts/projects/home.ts';
import { parcelBytesMax } from '../../facts/machines/carry.ts';

/** Answer to the machine that asks. `away`: the machine must wait. */
export type AskedHome =
  | { readonly kind: 'answered'; readonly answer: HomeAnswer }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'away'; readonly message: string }
  | { readonly kind: 'unknown' };

/** Milliseconds that one call waits: less than its caller does. */
const PATIENCE_MS = 10_000;
/** Milliseconds that the other machine may take. */
const STEP_MS = 20 * 60_000;
/** Milliseconds that checks may take: as long as the command for which they run. */
const CHECKS_MS = 30 * 60_000;

/** Asks the machine with the repository, or with the work. Safe to repeat with the same id. */
export async function askHome(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  { machine, request }: { readonly machine: Machine; readonly request: HomeRequest },
): Promise<AskedHome> {
  const { ask } = request;
  const until = ctx.clock.now() + PATIENCE_MS;
  const command = await ctx.store.readGivenCommand(machine.id, request.command);
  if (command === null || !isAsked(command, ask)) return { kind: 'unknown' };
  const [projects, machines] = await Promise.all([ctx.store.listProjects(), ctx.store.listMachines()]);
  const project = projects.find(({ id }) => id === command.settings.project.id);
  if (project === undefined) return { kind: 'unknown' };
  if (ask.kind === 'work') return askWork(ctx, waiters, { machine, machines, project, request, ask, until });
  if (ask.kind === 'checks') return askChecks(ctx, waiters, { machine, machines, request, ask, command, until });
  if (ask.kind === 'run') return askForRun(ctx, waiters, { machine, machines, project, request, ask, command, until });
  const found = findHome(project, machines);
  if (found.kind === 'none') return { kind: 'away', message: found.why };
  const home = found.machine;
  if (home.id === machine.id) return { kind: 'unknown' };
  if (machineState(home, judged(ctx)) !== 'connected') return { kind: 'away', message: awayWords(project, home) };
  const query = queryOf(ctx, { machine, command, ask });
  const id = idOf(machine.id, request.id);
  const result = await askMachineOnce(ctx, waiters, { machine: home, project, query, id, timeoutMs: STEP_MS, until });
  return result === null ? { kind: 'under-way' } : answered(ctx, { machine, there: home, result });
}

interface WorkAsked {
  readonly machine: Machine;
  readonly machines: readonly Machine[];
  readonly project: Project;
  readonly request: HomeRequest;
  readonly ask: Extract<HomeRequest['ask'], { kind: 'work' }>;
  readonly until: number;
}

/** Asks the machine of the worker, wherever the worker is by now. */
async function askWork(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  { machine, machines, project, request, ask, until }: WorkAsked,
): Promise<AskedHome> {
  const [row] = await ctx.store.listWorkers({ projectId: project.id, name: ask.worker });
  const there = machines.find(({ id }) => id === row?.machineId);
  if (row === undefined || there === undefined || there.id === machine.id) return { kind: 'unknown' };
  if (machineState(there, judged(ctx)) !== 'connected')
    return {
      kind: 'away',
      message: `The work of "${row.name}" is on the machine "${there.name}", which is not connected`,
    };
  const { commit, not, resend } = ask;
  const query = { kind: 'pack', commit, not, maxBytes: parcelBytesMax(ctx), resend, of: 'work' } as const;
  const id = idOf(machine.id, request.id);
  const result = await askOnce(ctx, waiters, { row, query, id, timeoutMs: STEP_MS, until });
  return result === null ? { kind: 'under-way' } : answered(ctx, { machine, there, result });
}

/** Asks the machine that the command names for a commit that it keeps for a run. */
async function askForRun(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  {
    machine,
    machines,
    project,
    request,
    ask: { commit, not, resend },
    command: { body },
    until,
  }: Omit<WorkAsked, 'ask'> & {
    readonly ask: Extract<HomeRequest['ask'], { kind: 'run' }>;
    readonly command: GivenCommand;
  },
): Promise<AskedHome> {
  const from = body.kind === 'query' && body.query.kind === 'run-bring' ? body.query.machine : undefined;
  const there = machines.find(({ id }) => id === from);
  if (there === undefined || there.id === machine.id) return { kind: 'unknown' };
  if (IS_SILENT.has(machineState(there, judged(ctx))))
    return {
      kind: 'away',
      message: `The commits of the run are on the machine "${there.name}", which is not connected`,
    };
  const query = { kind: 'pack', commit, not, maxBytes: parcelBytesMax(ctx), resend, of: 'run' } as const;
  const id = idOf(machine.id, request.id);
  const result = await askMachineOnce(ctx, waiters, { machine: there, project, query, id, timeoutMs: STEP_MS, until });
  return result === null ? { kind: 'under-way' } : answered(ctx, { machine, there, result });
}

/**
 * Asks the machine that the command names to run the checks, with the settings of the worker. A machine that has been silent for a while
 * may still run them.
 */
async function askChecks(
  ctx: Context,
  waiters: { readonly commands: Waiters },
  {
    machine,
    machines,
    request,
    ask: { parcel, commit, tree },
    command: { body, settings },
    until,
  }: Pick<WorkAsked, 'machine' | 'machines' | 'request' | 'until'> & {
    readonly ask: Extract<HomeRequest['ask'], { kind: 'checks' }>;
    readonly command: GivenCommand;
  },
): Promise<AskedHome> {
  const on = body.kind === 'command' && body.command.kind === 'validate' ? body.command.on : undefined;
  const row = await ctx.store.readWorker(settings.workerId);
  const there = machines.find(({ name, revokedAt }) => name === on && revokedAt === null);
  if (row === null || there?.id === machine.id) return { kind: 'unknown' };
  if (there === undefined || IS_SILENT.has(machineState(there, judged(ctx))))
    return { kind: 'away', message: `The machine "${on ?? ''}", which runs the checks, is not connected` };
  const { sha256, bytes } = parcel ?? { sha256: null, bytes: 0 };
  const query = { kind: 'check-for', from: machine.id, sha256, bytes, commit, tree } as const;
  const id = idOf(machine.id, request.id);
  const asked = { ...row, machineId: there.id };
  const result = await askOnce(ctx, waiters, { row: asked, query, id, timeoutMs: CHECKS_MS, until });
  return result === null ? { kind: 'under-way' } : answered(ctx, { machine, there, result });
}

/** States of a machine that no call waits for. */
const IS_SILENT: ReadonlySet<MachineState> = new Set<MachineState>(['disconnected', 'never', 'revoked']);

/** Lets the asking machine read a parcel that was packed for it. */
async function answered(
  ctx: Context,
  { machine, there, result }: { readonly machine: Machine; readonly there: Machine; readonly result: QueryResult },
): Promise<AskedHome> {
  if (result.kind === 'packed') await ctx.store.letRead({ machineId: there.id, sha256: result.sha256 }, machine.id);
  const { id, name } = there;
  return { kind: 'answered', answer: { machine: id, name, maxBytes: parcelBytesMax(ctx), result } };
}

/**
 * Tells whether the command allows the question: to publish the command's work, with its content, to get the work that it builds or that it
 * is to bring, and to have a commit checked elsewhere; every command may read main.
 */
function isAsked({ body }: GivenCommand, ask: HomeRequest['ask']): boolean {
  if (ask.kind === 'work') {
    if (body.kind !== 'command' || body.command.kind !== 'extend') return false;
    return body.command.items.some(
      ({ worker, at, elsewhere }) => elsewhere === true && worker === ask.worker && at.head === ask.commit,
    );
  }
  if (ask.kind === 'checks')
    return (
      body.kind === 'command' &&
      body.command.kind === 'validate' &&
      body.command.on !== undefined &&
      body.command.at.head === ask.commit
    );
  if (ask.kind === 'run')
    return body.kind === 'query' && body.query.kind === 'run-bring' && body.query.commits.includes(ask.commit);
  if (ask.kind !== 'publish' && ask.kind !== 'content') return true;
  if (body.kind !== 'command' || body.command.kind !== 'publish') return false;
  if (ask.kind === 'content') return true;
  return body.command.base === ask.base && body.command.commit === ask.commit;
}

function queryOf(
  ctx: Context,
  {
    machine,
    command,
    ask,
  }: {
    readonly machine: Machine;
    readonly command: GivenCommand;
    readonly ask: Exclude<HomeRequest['ask'], { kind: 'work' | 'checks' | 'run' }>;
  },
): Query {
  switch (ask.kind) {
    case 'main':
      return { kind: 'read-main' };
    case 'fetch': {
      const { commit, not, resend } = ask;
      return { kind: 'pack', commit, not, maxBytes: parcelBytesMax(ctx), resend, of: 'main' };
    }
    case 'publish': {
      const { sha256, bytes, base, commit } = ask;
      const { name: worker } = command.settings;
      return { kind: 'publish-for', from: machine.id, sha256, bytes, worker, base, commit };
    }
    case 'content':
      return { kind: 'keep-content', from: machine.id, sha256: ask.sha256, bytes: ask.bytes };
    case 'settle':
      return { kind: 'settle-main' };
    default:
      return ask satisfies never;
  }
}

function awayWords({ name }: Project, home: Machine): string {
  return `The repository of "${name}" is on the machine "${home.name}", which is not connected: Drover waits for it`;
}

/** Derives a UUID from the question, which only this machine can ask. */
function idOf(machineId: string, id: string): string {
  const hex = createHash('sha256').update(`home ${machineId} ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
