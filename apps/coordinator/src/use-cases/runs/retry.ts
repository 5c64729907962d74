/** Tries a run again: a new run takes over what passed, where nothing that it stands on has changed. */
import { adoptableFrom, failedWorkers, hasCommands, isOver, planRetry } from '@drover/core';
import type { RunTerms } from '@drover/core';
import type { Actor, Outcome, Refusal, RunFleet, RunRetryPlanView, RunView } from '@drover/api';
import type { Project, RunRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { readableName } from '../../facts/people/actor.ts';
import { findRun } from '../../facts/runs/find.ts';
import { flowOf } from '../../facts/runs/flows.ts';
import type { FoundFlow } from '../../facts/runs/flows.ts';
import { shortRunId } from '../../facts/runs/names.ts';
import { policyInForce } from '../../facts/policies/in-force.ts';
import { beginRetry, shown, whyTriedAlready } from './start.ts';
import type { RunWaiters } from './start.ts';

/** Messages that the agents of the new run are told at most: the last ones. */
const HEARD_MAX = 20;
/** Messages of a run that are read. */
const READ_MAX = 1_000;

type Asked = Parameters<RunFleet['retryRun']>[0];

/** Starts a new run that takes over the passed items, up to the stage that is named. */
export async function retryRun(
  ctx: Context,
  waiters: RunWaiters,
  { asked, by }: { readonly asked: Asked; readonly by: Actor },
): Promise<Outcome<RunView>> {
  const found = await findRun(ctx, asked.id, by);
  if (found.kind === 'refused') return found;
  const again = await ctx.store.readRun(asked.requestId);
  if (again !== null) return shown(ctx, again);
  const wanted = await wantedOf(ctx, { asked, row: found.row, by });
  if (wanted.kind === 'refused') return wanted;
  const { terms, project } = wanted;
  const twin = await whyTriedAlready(ctx.store, { projectId: project.id, terms });
  if (twin !== null) return twin;
  return beginRetry(ctx, waiters, { ...wanted, found: wanted.flow, machineId: found.row.machineId, by });
}

/** Says what that run would take over and begin, and starts nothing. */
export async function planOfRetry(ctx: Context, asked: Asked, by: Actor): Promise<Outcome<RunRetryPlanView>> {
  const found = await findRun(ctx, asked.id, by);
  if (found.kind === 'refused') return found;
  const wanted = await wantedOf(ctx, { asked, row: found.row, by });
  if (wanted.kind === 'refused') return wanted;
  const { terms, project } = wanted;
  const { policy } = policyInForce(ctx, project, '');
  const { adopted, skipped, from, begins } = planRetry(terms, { now: ctx.clock.now(), random: 0, policy });
  const lists = { adopted: [...adopted], skipped: [...skipped], begins: [...begins] };
  const messages = terms.heard?.length ?? 0;
  return { kind: 'ok', value: { of: shortRunId(found.row.id), ...lists, from, messages } };
}

interface Wanted {
  readonly kind: 'wanted';
  readonly terms: RunTerms;
  readonly project: Project;
  readonly flow: FoundFlow;
}

async function wantedOf(
  ctx: Context,
  { asked, row, by }: { readonly asked: Asked; readonly row: RunRow; readonly by: Actor },
): Promise<Wanted | Refusal> {
  const { from, text, skipFailed = false, resetAgents = false, keepMessages = false, requestId } = asked;
  if (!isOver(row.state))
    return refused('not-over', `The run ${shortRunId(row.id)} is ${row.status}: stop it first, or wait for its end`);
  const before = await ctx.store.readFlow(row.flow);
  const flow = flowOf(row.flowName, text ?? before?.text);
  if (flow.kind === 'refused') return flow;
  if (text !== undefined && hasCommands(flow.flow) && by.role !== 'admin')
    return refused('forbidden', `The flow runs commands, which needs the role admin; yours is ${by.role}`);
  const { stages, terms: former } = row.state;
  if (from !== undefined && !stages.some(({ name }) => name === from))
    return refused(
      'invalid',
      `The run has no stage "${from}"; its stages are: ${stages.map(({ name }) => name).join(', ')}`,
    );
  const project = await ctx.store.readProject(row.projectId);
  if (project === null) return refused('no-project', 'The project of the run is gone');
  const failed = stages.filter(({ settled }) => settled?.as === 'failed').map(({ name }) => name);
  const terms: RunTerms = {
    ...former,
    id: requestId,
    flow: text === undefined ? former.flow : flow.flow,
    by: readableName(ctx, by),
    startedAt: ctx.clock.now(),
    retryOf: row.id,
    skip: skipFailed ? failed : [],
    notYet: resetAgents ? failedWorkers(row.state) : [],
    heard: keepMessages ? await heardIn(ctx, row) : [],
    adopts: adoptableFrom(row.state, from ?? null),
  };
  return { kind: 'wanted', terms, project, flow };
}

async function heardIn(ctx: Context, { id }: RunRow): Promise<NonNullable<RunTerms['heard']>> {
  const messages = await ctx.store.listRunMessages(id, READ_MAX);
  return messages.slice(-HEARD_MAX).map(({ sender: from, receiver: to, text }) => ({ from, to, text }));
}
