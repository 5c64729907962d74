/** Starts runs: on the newest commit of the default branch, which a machine keeps for the run. */
import { hasCommands, newRun, startFlow } from '@drover/core';
import type { Flow, Run, RunTerms } from '@drover/core';
import type { Actor, Outcome, Refusal, RunFleet, RunPlanView, RunView } from '@drover/api';
import type { Machine, Project, RunRow, StoreTransaction } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import { judged } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { machineState } from '../../context/leases.ts';
import { refused } from '../../context/refused.ts';
import { askMachine } from '../../facts/machines/query.ts';
import { readableName } from '../../facts/people/actor.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import { fleetNow, handsIn } from '../../facts/placement/spots.ts';
import { theProject } from '../../facts/projects/which.ts';
import { flowOf, stageWords } from '../../facts/runs/flows.ts';
import type { FoundFlow } from '../../facts/runs/flows.ts';
import { runName, shortRunId } from '../../facts/runs/names.ts';
import { headroomLines } from '../../facts/runs/headroom.ts';
import { runViewOf } from '../../facts/runs/view.ts';
import { readProjects } from '../../facts/workers/find.ts';
import { forgetting } from './requests/forget.ts';
import { handleRunEvent } from '../../loop/runs/handle.ts';

/** Waits of the use cases for machines. */
export interface RunWaiters {
  readonly commands: Waiters;
  readonly events: Waiters;
}

type Starting = Parameters<RunFleet['startRun']>[0];

/** A start that nothing speaks against. */
interface Wanted {
  readonly kind: 'wanted';
  readonly project: Project;
  readonly found: FoundFlow;
  readonly flow: Flow;
}

export async function startRun(
  ctx: Context,
  waiters: RunWaiters,
  { starting, by }: { readonly starting: Starting; readonly by: Actor },
): Promise<Outcome<RunView>> {
  const { requestId, inputs } = starting;
  const wanted = await wantedOf(ctx, starting, by);
  if (wanted.kind === 'refused') return wanted;
  const before = await ctx.store.readRun(requestId);
  if (before !== null) return shown(ctx, before);
  const based = await baseOf(ctx, waiters, { project: wanted.project, run: requestId });
  if (based.kind === 'refused') return based;
  const terms: RunTerms = {
    id: requestId,
    flow: wanted.flow,
    inputs,
    base: based.base,
    by: readableName(ctx, by),
    startedAt: ctx.clock.now(),
    retryOf: null,
    skip: [],
    adopts: [],
  };
  return begin(ctx, { terms, wanted, machine: based.machine, by });
}

/** Finds project and flow, and checks the inputs and the rights of the caller. */
async function wantedOf(
  ctx: Context,
  { flow: name, text, inputs, project: within, workers, times }: Starting,
  by: Actor,
): Promise<Wanted | Refusal> {
  const meant = theProject(await readProjects(ctx, by), within);
  if (meant.kind === 'refused') return meant;
  const found = flowOf(name, text);
  if (found.kind === 'refused') return found;
  if (found.isOwn && hasCommands(found.flow) && by.role !== 'admin')
    return refused(
      'forbidden',
      `The flow "${name}" runs commands, which needs the role admin, as a change of drover.toml does; "${readableName(ctx, by)}" has the role ${by.role}. Write check = "project": the checks of the project run then`,
    );
  const ready = startFlow(found.flow, { inputs, workers: workers ?? null, times: times ?? null });
  if (ready.kind === 'invalid') return refused('invalid', ready.problems.join('\n'));
  return { kind: 'wanted', project: meant.project, found, flow: ready.flow };
}

type Based = { readonly kind: 'based'; readonly machine: Machine; readonly base: RunTerms['base'] } | Refusal;

/** Keeps the newest commit of the default branch on the connected machine that has most workers of the project. */
async function baseOf(
  ctx: Context,
  waiters: RunWaiters,
  { project, run }: { readonly project: Project; readonly run: string },
): Promise<Based> {
  const { machines, workers } = await fleetNow(ctx);
  const count = (machine: Machine): number =>
    workers.filter(({ projectId, machineId }) => projectId === project.id && machineId === machine.id).length;
  const [machine] = machines
    .filter((one) => machineState(one, judged(ctx)) === 'connected' && count(one) > 0)
    .toSorted((one, other) => count(other) - count(one) || (one.name < other.name ? -1 : 1));
  if (machine === undefined)
    return refused(
      'no-worker',
      `No connected machine has workers of the project "${project.name}": add some with "drover add NAME", and look with "drover machine"`,
    );
  const query = { kind: 'run-base', run, request: `${run}:base`, also: [] } as const;
  const answer = await askMachine(ctx, waiters, { machine, project, query });
  if (answer.kind === 'run-pinned')
    return { kind: 'based', machine, base: { commit: answer.commit, tree: answer.tree } };
  const why = answer.kind === 'failed' ? answer.message : 'it answered another question';
  return refused('machine', `The machine "${machine.name}" cannot bring the default branch: ${why}`);
}

/** Writes the run and its first decision. */
async function begin(
  ctx: Context,
  {
    terms,
    wanted: { project, found },
    machine,
    by,
  }: {
    readonly terms: RunTerms;
    readonly wanted: Pick<Wanted, 'project' | 'found'>;
    readonly machine: Machine;
    readonly by: Actor;
  },
): Promise<Outcome<RunView>> {
  const now = ctx.clock.now();
  const state: Run = newRun(terms);
  const actor = causeOf(by);
  const row: RunRow = {
    id: terms.id,
    projectId: project.id,
    machineId: machine.id,
    flow: found.digest,
    flowName: found.flow.name,
    goal: goalOf(terms),
    status: state.status,
    state,
    seq: 0,
    actor,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  };
  const handled = await ctx.store.transaction(async (tx) => {
    if ((await tx.lockProject(project.id)) === null) return null;
    const twin = await whyTriedAlready(tx, { projectId: project.id, terms });
    if (twin !== null) {
      // The machine keeps the commits for this run already, and nobody else would ask it to let go of them.
      const forgotten = { machine, project, run: terms.id, request: `${terms.id}:forget` };
      await tx.insertCommands([forgetting(ctx, forgotten)], now);
      return twin;
    }
    await tx.keepFlow({ digest: found.digest, name: found.flow.name, text: found.text, createdAt: now });
    if ((await tx.insertRun(row)) === 'repeated') return null;
    await tx.audit(audited({ at: now, by: actor, action: 'run-started', about: `${runName(row)} (${row.flowName})` }));
    return handleRunEvent(ctx, tx, { runId: row.id, id: 'requested', event: { kind: 'requested' }, by: actor });
  });
  if (handled !== null && 'kind' in handled) {
    ctx.hints.commands(machine.id);
    return handled;
  }
  handled?.hint();
  const saved = await ctx.store.readRun(terms.id);
  if (saved === null) return refused('no-project', `The project "${project.name}" no longer exists`);
  return shown(ctx, saved);
}

/** Refuses to try a run again while another try of it is open: two would do the same work, each at full price. */
export async function whyTriedAlready(
  store: Pick<StoreTransaction, 'listRuns'>,
  {
    projectId,
    terms: { id, retryOf },
  }: { readonly projectId: string; readonly terms: Pick<RunTerms, 'id' | 'retryOf'> },
): Promise<Refusal | null> {
  if (retryOf === null) return null;
  const open = await store.listRuns({ projectId, open: true, retryOf, limit: 2 });
  const twin = open.find((row) => row.id !== id);
  if (twin === undefined) return null;
  const [name, other] = [shortRunId(retryOf), shortRunId(twin.id)];
  return refused(
    'tried-already',
    `The run ${name} is being tried again already, as ${other}: wait for its end, or stop it first`,
  );
}

const DAY_MS = 24 * 3_600_000;

/** Begins a run that takes over what a former one passed, once their machine keeps its commits for this one, too. */
export async function beginRetry(
  ctx: Context,
  waiters: RunWaiters,
  given: {
    readonly terms: RunTerms;
    readonly project: Project;
    readonly found: FoundFlow;
    readonly machineId: string;
    readonly by: Actor;
  },
): Promise<Outcome<RunView>> {
  const { terms, project, found, machineId, by } = given;
  const machine = await ctx.store.readMachine(machineId);
  if (machine === null)
    return refused('machine', 'The machine with the commits of the run is gone: start a new run with the same goal');
  const { id: run, base, adopts } = terms;
  const also = [...new Set([base.commit, ...adopts.flatMap(({ output }) => output.commit ?? [])])];
  const query = { kind: 'run-base', run, request: `${run}:base`, also } as const;
  const answer = await askMachine(ctx, waiters, { machine, project, query });
  if (answer.kind !== 'run-pinned') {
    const why = answer.kind === 'failed' ? answer.message : 'it answered another question';
    const days = Math.round(policyInForce(ctx, project, '').policy.run.keepMs / DAY_MS);
    return refused(
      'machine',
      `The machine "${machine.name}" does not have the commits of the run any more, or cannot say so now (${why}). Commits are let go once they are merged, and ${days} days after the end of a run (run.keepMs of the policy): start a new run with the same goal`,
    );
  }
  return begin(ctx, { terms, wanted: { project, found }, machine, by });
}

/** Characters of a goal in lists. */
const GOAL_CHARS_MAX = 500;

function goalOf({ inputs }: RunTerms): string {
  const goal = inputs['goal'] ?? Object.values(inputs)[0] ?? '';
  return goal.slice(0, GOAL_CHARS_MAX);
}

export async function shown(ctx: Context, row: RunRow): Promise<Outcome<RunView>> {
  const [projects, workers] = await Promise.all([ctx.store.listProjects(), ctx.store.listWorkers()]);
  const headroom = await headroomLines(ctx, ctx.store, { run: row, questions: row.state.questions });
  return { kind: 'ok', value: runViewOf(row, { projects, workers, now: ctx.clock.now(), headroom }) };
}

/** Says what a start would do. */
export async function planRun(ctx: Context, starting: Starting, by: Actor): Promise<Outcome<RunPlanView>> {
  const wanted = await wantedOf(ctx, starting, by);
  if (wanted.kind === 'refused') return wanted;
  const { flow, project } = wanted;
  const fleet = await fleetNow(ctx);
  const hands = handsIn(
    ctx,
    fleet,
    fleet.workers.filter(({ projectId }) => projectId === project.id),
  );
  const free = hands.map(({ row, worker, paused }) => {
    const standing = worker?.standing.kind === 'idle' ? 'idle' : (worker?.standing.what ?? '');
    return `${row.name} (${row.options.profile}): ${standing}${paused === null ? '' : `, its account is paused ${paused}`}`;
  });
  return {
    kind: 'ok',
    value: {
      flow: flow.name,
      stages: flow.stages.map((stage) => ({ name: stage.name, kind: stage.kind, words: stageWords(stage) })),
      budget: budgetWords(flow),
      workers: flow.budget.workers,
      free,
      problems:
        free.length === 0 ? [`the project "${project.name}" has no workers: add some with "drover add NAME"`] : [],
    },
  };
}

function budgetWords({ budget: { timeMs, tokens, money } }: Flow): string {
  const parts = [
    ...(timeMs === null ? [] : [`${Math.round(timeMs / 60_000)} minutes`]),
    ...(tokens === null ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    ...(money === null ? [] : [`$${money}`]),
  ];
  return parts.length === 0 ? 'no budget' : parts.join(', ');
}
