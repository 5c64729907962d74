/**
 * Asks the run's machine to keep, join, check or merge commits, by a query through the outbox. The answer comes as an observation
 * (`loop/runs/answered.ts`). The request stays as due work for the time that the machine may take: then it is asked again, a few times. A commit
 * of a worker elsewhere is kept by that worker's machine first, and brought from there by the run's.
 */
import { EXPIRED } from '@drover/core';
import type { Item, RunRequest } from '@drover/core';
import type { Query, WorkerSettings } from '@drover/protocol';
import type { Machine, RunRow, StoreTransaction } from '@drover/store';
import { judged } from '../../../context/context.ts';
import { machineState } from '../../../context/leases.ts';
import type { Context } from '../../../context/context.ts';
import { policyInForce } from '../../../facts/policies/in-force.ts';
import { placed } from '../../../facts/projects/place.ts';
import { machineSettings, workerSettings } from '../../../facts/workers/settings.ts';
import { failedOutcome } from '../../../loop/runs/answered.ts';
import type { MachineRequest } from '../../../loop/runs/answered.ts';
import { runRequestDue } from '../../../loop/runs/due.ts';
import { tellHome } from '../../../loop/runs/machines.ts';
import { settle, stepOf } from '../../../loop/runs/settle.ts';
import { askToBring, awaitAnswer, RECHECK_MS } from './bring.ts';
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
    if (command !== undefined && (await tx.hasRunEvent(run.id, request.id)))
      return settle(ctx, tx, { work, runId: run.id, outcome: null });
    const keeper = await tx.readMachine(run.machineId);
    if (keeper === null || keeper.revokedAt !== null) {
      const outcome = failedOutcome(request, 'the machine with the commits of the run is gone');
      return settle(ctx, tx, { work, runId: run.id, outcome });
    }
    await tellHome(ctx, tx, { run, home: keeper });
    const hint = await goOn(ctx, tx, carried);
    if (hint !== null) return hint;
    const asking = tries < TRIES_MAX ? await askingOf(ctx, tx, carried) : null;
    const away = asking === null ? 'no' : await awayOf(ctx, tx, { carried, keeper, asked: asking.machineId });
    if (away === 'waits') {
      const made = { ...(command !== undefined && { command }), ...(carried.at !== undefined && { at: carried.at }) };
      await tx.schedule([runRequestDue({ runId: run.id, request, tries, ...made }, ctx.clock.now() + RECHECK_MS)]);
      return () => {};
    }
    if (asking === null || away === 'for-long') {
      const text = away === 'for-long' ? 'its machine is away' : 'its machine did not answer in time';
      const outcome = failedOutcome(request, tries < TRIES_MAX && asking === null ? 'its machine is gone' : text);
      return settle(ctx, tx, { work, runId: run.id, outcome });
    }
    const now = ctx.clock.now();
    const timeoutMs = request.kind === 'check' || request.kind === 'accept' ? CHECK_MS : GIT_MS;
    const id = ctx.ids.uuid();
    const { settings, machineId } = asking;
    const body = { kind: 'query', query: queryOf(run, request, machineId) } as const;
    // The query is the machine's own: it outlives the worker under whose settings it is carried out.
    await tx.insertCommands([{ id, machineId, workerId: machineId, body, settings, timeoutMs }], now);
    if (machineId !== run.machineId) await tx.schedule([letGoElsewhere(run, machineId, now)]);
    await awaitAnswer(ctx, tx, { run, request, tries: tries + 1, command: id, at: machineId });
    return () => ctx.hints.commands(machineId);
  });
}

/**
 * Decides whether the request waits for an absent machine, which spends no try: without a limit for the run's own machine, `run.awayMs` for
 * another one.
 */
async function awayOf(
  ctx: Context,
  tx: StoreTransaction,
  { carried, keeper, asked }: { readonly carried: Asked; readonly keeper: Machine; readonly asked: string },
): Promise<'no' | 'waits' | 'for-long'> {
  const at = judged(ctx);
  if (machineState(keeper, at) === 'disconnected') return 'waits';
  const author = asked === keeper.id ? keeper : await tx.readMachine(asked);
  if (author?.lastSeenAt == null || machineState(author, at) !== 'disconnected') return 'no';
  const project = await tx.readProject(carried.run.projectId);
  if (project === null) return 'no';
  const { awayMs } = policyInForce(ctx, project, '').policy.run;
  // A late row means that no coordinator ran, so that the machine could not be heard.
  const isLate = at.now - carried.work.dueAt > RECHECK_MS;
  return isLate || at.now - author.lastSeenAt < awayMs ? 'waits' : 'for-long';
}

/** Takes the next step of a commit on its way from another machine. Null: its machine is asked anew. */
async function goOn(ctx: Context, tx: StoreTransaction, carried: Asked): Promise<(() => void) | null> {
  const { work, run, request, command, at } = carried;
  if (command === undefined || at === undefined) return null;
  const result = await ctx.store.commandResult(command);
  if (result === null && (await tx.hasCommand(command))) {
    await awaitAnswer(ctx, tx, { ...carried, command, at });
    return () => {};
  }
  if (result?.kind === 'run-pinned' && at !== run.machineId)
    return askToBring(ctx, tx, { ...carried, from: at, to: run.machineId, commits: [result.commit] });
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
  readonly machineId: string;
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
  if (request.kind !== 'check' || request.commands.length === 0) return { machineId, settings };
  const validate = request.commands.map((command) => ['sh', '-c', command]);
  return { machineId, settings: { ...settings, project: { ...settings.project, validate, validateFrom: 'config' } } };
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
