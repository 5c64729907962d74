/** Plays a run whose commits are on one machine, with a worker on another one, on a store in memory. */
import type { RunEvent, RunRequest } from '@drover/core';
import type { QueryResult } from '@drover/protocol';
import type { DueWork } from '@drover/store';
import { runRow } from '@drover/store/testing';
import { runEventPayload, runRequestDue } from '../../src/loop/runs/due.ts';
import { carryOutRunRequest } from '../../src/use-cases/runs/requests/carry-out.ts';
import { emptied } from './placing.ts';

export const [BASE, WORK] = ['b'.repeat(40), 'c'.repeat(40)];
export const TREE = 'e'.repeat(40);

/** Makes a run whose commits are on the honest machine, with a worker `ada` on the liar. */
export async function scene() {
  const fleet = await emptied();
  const { ctx, two, nature } = fleet;
  const [project] = await ctx.store.listProjects();
  if (project === undefined) throw new Error('no project');
  await ctx.store.upsertProject({ ...project, source: 'ssh://git@example.com/p.git' }, 1);
  const ada = await fleet.idle('ada', { machine: two.liar.name });
  const run = runRow({ ...ada, machineId: two.honest.id });
  await ctx.store.transaction((tx) => tx.insertRun(run));

  /** Carries out the requests of runs that are due. */
  const work = async (replica = ctx): Promise<void> => {
    for (const due of await ctx.store.claimDueWork(nature.now, { limit: 100, leaseMs: 1 }))
      if (due.kind === 'run-request') (await carryOutRunRequest(replica, due))?.hint();
    nature.now += 10;
  };
  const request = async (asked: RunRequest, replica = ctx): Promise<void> => {
    await ctx.store.transaction((tx) => tx.schedule([runRequestDue({ runId: run.id, request: asked }, nature.now)]));
    await work(replica);
  };
  /** Returns the newest open query of a machine. */
  const askedOf = (machine: { readonly id: string }) => {
    const open = [...two.database.outbox.values()].filter(
      ({ machineId, body }) => machineId === machine.id && body.kind === 'query' && body.query.kind.startsWith('run-'),
    );
    const last = open.at(-1);
    return last?.body.kind === 'query' ? { id: last.id, query: last.body.query, as: last.settings.profile } : null;
  };
  /** Lets a machine answer its newest query, and the request go on. */
  const answers = async (machine: typeof two.liar, result: QueryResult): Promise<void> => {
    await two.say(machine, { kind: 'answer', commandId: askedOf(machine)?.id ?? '', result });
    await work();
  };
  const outcomes = (): readonly RunEvent[] =>
    [...two.database.dueWork.values()]
      .filter((due: DueWork) => due.kind === 'run-event')
      .map(({ payload }) => runEventPayload.parse(payload).event);
  return { ...fleet, ada, run, work, request, askedOf, answers, outcomes };
}

export function startOf(run: string, id = `${run}:1`): Extract<RunRequest, { kind: 'start' }> {
  const wish = { role: '', profile: null, notProfiles: [], notWorkers: [], notYet: [] };
  const item = { runId: run, item: 'build', attempt: 1, returns: 'commit' } as const;
  return { kind: 'start', id, item, wish, from: BASE, also: [], text: 'Do it.' };
}

export function pinOf(run: string, workerId: string): RunRequest {
  return { kind: 'pin', id: `${run}:2`, item: 'build', workerId, commit: WORK };
}

export const KEPT = { kind: 'run-pinned', commit: WORK, tree: TREE } as const;
export const FAILED = { kind: 'failed', code: 'parcel-damaged', message: 'the parcel is damaged' } as const;
