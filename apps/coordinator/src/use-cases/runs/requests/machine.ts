/**
 * Asks the run's machine to keep, join, check or merge commits, by a query through the outbox. The answer comes as an observation
 * (`loop/runs/answered.ts`). The request stays as due work for the time that the machine may take: then it is asked again, a few times. A commit
 * of a worker elsewhere is kept by that worker's machine first, and brought from there by the run's.
 */
import { EXPIRED } from '@drover/core';
import type { Item, RunOutcome, RunRequest } from '@drover/core';
import type { Query, WorkerSettings } from '@drover/protocol';
import type { Machine, RunRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../../context/context.ts';
import { placed } from '../../../facts/projects/place.ts';
import { machineSettings, workerSettings } from '../../../facts/workers/settings.ts';
import { failedOutcome } from '../../../loop/runs/answered.ts';
import type { MachineRequest } from '../../../loop/runs/answered.ts';
import { runRequestDue } from '../../../loop/runs/due.ts';
import { tellHome } from '../../../loop/runs/machines.ts';
import { settle, stepOf } from '../../../loop/runs/settle.ts';
import { absenceOf } from './absent.ts';
import type { Absence } from './absent.ts';
import { askToBring, awaitAnswer } from './bring.ts';
import type { Carried } from './carried.ts';
import { letGoElsewhere } from './forget.ts';

type Asked = Carried<MachineRequest['kind']>;

/** Milliseconds that a machine may take to keep or join commits, and to run checks. */
const GIT_MS = 5 * 60_000;
const CHECK_MS = 2 * 60 * 60_000;
/** Times that a machine is asked. */
const TRIES_MAX = 3;

export async function askMachine(ctx: Context, carried: Asked): Promise<{ readonly hint: () => void } | null> {
  const { work, run, request, tries, command } = carried;
  return stepOf(ctx, work, async (tx) => {
    const end = (outcome: RunOutcome | null): Promise<() => void> => settle(ctx, tx, { work, runId: run.id, outcome });
    if (command !== undefined && (await tx.hasRunEvent(run.id, request.id))) return end(null);
    const keeper = await tx.readMachine(run.machineId);
    const isGone = keeper === null || keeper.revokedAt !== null;
    if (!isGone) await tellHome(ctx, tx, { run, home: keeper });
    const asking = await askingOf(ctx, tx, carried);
    const isElsewhere = asking !== null && asking.machine.id !== run.machineId;
    if (isGone && !isElsewhere) return end(failedOutcome(request, GONE));
    const absence = asking === null ? null : await absenceOf(ctx, tx, { carried, machine: asking.machine });
    if (asking !== null && absence?.kind === 'too-long' && run.state.ending !== null) {
      await takeBack(ctx, tx, carried);
      return end(leftOutcome(carried, asking.machine.name));
    }
    const home = await homeOf(ctx, tx, { carried, keeper });
    const hint = await goOn(ctx, tx, { carried, home, asking });
    if (hint !== null) return hint;
    if (asking === null) return end(failedOutcome(request, 'its machine is gone'));
    if (tries >= TRIES_MAX) return end(failedOutcome(request, 'its machine did not answer in time'));
    if (absence?.kind === 'too-long') return end(failedOutcome(request, 'its machine is away'));
    if (absence?.kind === 'waits') return recheck(ctx, tx, { carried, ms: absence.ms });
    return ask(ctx, tx, { carried, asking });
  });
}

const GONE = 'the machine with the commits of the run is gone';

/** Gives the machine the query. */
async function ask(
  ctx: Context,
  tx: StoreTransaction,
  { carried, asking: { machine, settings } }: { readonly carried: Asked; readonly asking: Asking },
): Promise<() => void> {
  const { run, request, tries } = carried;
  const now = ctx.clock.now();
  const timeoutMs = request.kind === 'check' || request.kind === 'accept' ? CHECK_MS : GIT_MS;
  const id = ctx.ids.uuid();
  const body = { kind: 'query', query: queryOf(run, request, machine.id) } as const;
  // The query is the machine's own: it outlives the worker under whose settings it is carried out.
  await tx.insertCommands([{ id, machineId: machine.id, workerId: machine.id, body, settings, timeoutMs }], now);
  if (machine.id !== run.machineId) await tx.schedule([letGoElsewhere(run, machine.id, now)]);
  await awaitAnswer(ctx, tx, { run, request, tries: tries + 1, command: id, at: machine.id });
  return () => ctx.hints.commands(machine.id);
}

/** Puts the request off, unchanged. */
async function recheck(
  ctx: Context,
  tx: StoreTransaction,
  { carried, ms }: { readonly carried: Asked; readonly ms: number },
): Promise<() => void> {
  const { run, request, tries, command, at } = carried;
  const asked = { ...(command !== undefined && { command }), ...(at !== undefined && { at }) };
  await tx.schedule([runRequestDue({ runId: run.id, request, tries, ...asked }, ctx.clock.now() + ms)]);
  return () => {};
}

/** Withdraws a query from a machine that is away, so that it starts nothing for a run that is over. A merge is not withdrawn: people hear its result. */
async function takeBack(ctx: Context, tx: StoreTransaction, { request, command, at }: Asked): Promise<void> {
  if (command === undefined || at === undefined || request.kind === 'accept') return;
  const result = { kind: 'failed', code: EXPIRED, message: 'The run has ended' } as const;
  await tx.finishCommands([{ id: command, machineId: at, command: null, result }], ctx.clock.now());
}

/** Builds the outcome for a run that ends without a machine that is away. */
function leftOutcome({ request, tries }: Asked, machine: string): RunOutcome {
  const text = `"${machine}" is away`;
  switch (request.kind) {
    case 'pin':
      return { kind: 'not-pinned', request: request.id, text: 'it is away', left: { on: machine, commit: null } };
    case 'accept': {
      const { commit } = request.commit;
      const what = `it may have merged ${commit}, or may do so when it is back: look at the default branch then`;
      return failedOutcome(request, `${text}: ${tries === 0 ? 'it was not asked to merge' : what}`);
    }
    default:
      return failedOutcome(request, text);
  }
}

/** The run's machine, as the place for commits of other machines. `lost`: why they cannot be brought there, in words for people; null: they can, now or later. */
interface Home {
  readonly lost: string | null;
  readonly absence: Absence | null;
}

async function homeOf(
  ctx: Context,
  tx: StoreTransaction,
  { carried, keeper }: { readonly carried: Asked; readonly keeper: Machine | null },
): Promise<Home> {
  if (keeper === null)
    return { lost: 'the machine with the commits of the run was removed, and they are lost', absence: null };
  const which = `"${keeper.name}", which has the commits of the run,`;
  if (keeper.revokedAt !== null)
    return {
      lost: `${which} is revoked: let it in again with "drover machine invite", then it comes there`,
      absence: null,
    };
  const absence = await absenceOf(ctx, tx, { carried, machine: keeper });
  const isLeft = absence.kind === 'too-long' && carried.run.state.ending !== null;
  return { lost: isLeft ? `${which} is away` : null, absence };
}

interface GoingOn {
  readonly carried: Asked;
  readonly home: Home;
  readonly asking: Asking | null;
}

/** Takes the next step of a commit on its way from another machine. Null: its machine is asked anew. */
async function goOn(
  ctx: Context,
  tx: StoreTransaction,
  { carried, home, asking }: GoingOn,
): Promise<(() => void) | null> {
  const { work, run, request, command, at } = carried;
  if (command === undefined || at === undefined) return null;
  if (home.lost !== null && at === run.machineId) {
    await takeBack(ctx, tx, carried);
    return null;
  }
  const result = await ctx.store.commandResult(command);
  if (result === null && (await tx.hasCommand(command))) {
    await awaitAnswer(ctx, tx, { ...carried, command, at });
    return () => {};
  }
  if (result?.kind === 'run-pinned' && at !== run.machineId) {
    const left = { on: asking?.machine.name ?? at, commit: result.commit };
    if (home.lost !== null) {
      const outcome = { kind: 'not-pinned', request: request.id, text: home.lost, left } as const;
      return settle(ctx, tx, { work, runId: run.id, outcome });
    }
    if (home.absence?.kind === 'waits') return recheck(ctx, tx, { carried, ms: home.absence.ms });
    return askToBring(ctx, tx, { ...carried, from: at, to: run.machineId, commits: [result.commit] });
  }
  if (result?.kind === 'run-pinned') {
    const outcome = { kind: 'pinned', request: request.id, commit: result.commit, tree: result.tree } as const;
    return settle(ctx, tx, { work, runId: run.id, outcome });
  }
  // The run hears of the answer by an event, which is on its way.
  if (result !== null && result.kind !== 'failed' && carried.tries < TRIES_MAX) {
    await awaitAnswer(ctx, tx, { ...carried, tries: carried.tries + 1, command, at });
    return () => {};
  }
  // The commit is safe on a machine that is away: it is asked again, and answers once it is back.
  if (result?.kind !== 'failed' || result.code === 'home-away' || result.code === EXPIRED) return null;
  return settle(ctx, tx, { work, runId: run.id, outcome: failedOutcome(request, result.message) });
}

function queryOf(run: RunRow, request: Extract<RunRequest, MachineRequest>, machineId: string): Query {
  const of = { run: run.id, request: request.id };
  switch (request.kind) {
    case 'pin':
      return { kind: 'run-pin', ...of, commit: request.commit, isCarried: machineId !== run.machineId };
    case 'join':
      return { kind: 'run-join', ...of, base: request.base, parts: partsOf(request.commits) };
    case 'check': {
      const { commit, join } = request;
      const parts = join === null ? [] : partsOf(join.commits);
      return {
        kind: 'run-check',
        ...of,
        profiles: profilesOf(run),
        commit: commit.commit,
        base: join?.base ?? null,
        parts,
      };
    }
    case 'accept':
      return {
        kind: 'run-land',
        ...of,
        profiles: profilesOf(run),
        commit: request.commit.commit,
        began: run.state.terms.base.commit,
      };
    default:
      return request satisfies never;
  }
}

function partsOf(
  commits: readonly { readonly item: string; readonly commit: string }[],
): readonly { readonly item: string; readonly commit: string }[] {
  return commits.map(({ item, commit }) => ({ item, commit }));
}

interface Asking {
  readonly machine: Machine;
  readonly settings: WorkerSettings;
}

/** Finds the machine to ask, and the settings under which it acts: of a worker that wrote the commit. */
async function askingOf(ctx: Context, tx: StoreTransaction, { run, request }: Asked): Promise<Asking | null> {
  const author = authorOf(run, request);
  const worker = author === null ? null : await ctx.store.readWorker(author);
  if (worker === null && request.kind === 'pin') return null;
  const machineId = request.kind === 'pin' ? (worker?.machineId ?? run.machineId) : run.machineId;
  const machine = await tx.readMachine(machineId);
  const project = await tx.readProject(run.projectId);
  if (machine === null || project === null) return null;
  const here = placed(project, machine);
  const settings = worker === null ? { ...machineSettings(machine, here), name: 'main' } : workerSettings(worker, here);
  if (request.kind !== 'check' || request.commands.length === 0) return { machine, settings };
  const validate = request.commands.map((command) => ['sh', '-c', command]);
  return { machine, settings: { ...settings, project: { ...settings.project, validate, validateFrom: 'config' } } };
}

function authorOf(run: RunRow, request: Asked['request']): string | null {
  switch (request.kind) {
    case 'pin':
      return request.workerId;
    case 'check':
    case 'accept':
      return request.commit.workerId ?? firstAuthor(run);
    case 'join':
      return request.commits.find(({ workerId }) => workerId !== null)?.workerId ?? firstAuthor(run);
    default:
      return request satisfies never;
  }
}

function firstAuthor(run: RunRow): string | null {
  return authorsOf(run)[0]?.workerId ?? null;
}

/** Lists the profiles of all who wrote a part: the cage of each holds for checks of the whole. */
function profilesOf(run: RunRow): readonly string[] {
  return [...new Set(authorsOf(run).map(({ profile }) => profile))];
}

function authorsOf({ state }: RunRow): Item['authors'] {
  return state.stages.flatMap(({ items }) => items.flatMap((item) => item.authors));
}
