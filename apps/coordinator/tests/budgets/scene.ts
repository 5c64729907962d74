/** A worker `ada` at a task, and `ben` idle, under budgets of `drover.toml`. */
import type { Budget, BudgetScope, Usage, Worker } from '@drover/core';
import { newWorker } from '@drover/core';
import { idle, working } from '@drover/core/testing';
import type { ObservationBody } from '@drover/protocol';
import type { WorkerRow } from '@drover/store';
import { expect } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { drainDueWork } from '../../src/due/drain.ts';
import { POLICY } from '../../src/facts/people/causes.ts';
import { resolveEscalation } from '../../src/loop/escalations/answer.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { takeObservations } from '../../src/use-cases/machines/observe.ts';
import { applyDocument } from '../../src/use-cases/projects/apply.ts';
import { person } from '../support/actors.ts';
import { contextOf, Nature, sayHello, withWorkers } from '../support/scene.ts';
import type { Stored } from '../support/scene.ts';

const AGENT_EPOCH = '01900000-0000-7000-8000-00000000eeee';
export const TASKS = ['01900000-0000-7000-8000-0000000000a1', '01900000-0000-7000-8000-0000000000a2'] as const;
export const HOUR = 3_600_000;
export const NO_LIMIT = { timeMs: null, tokens: null, money: null };

type Budgets = Partial<Record<BudgetScope, Budget>>;

/** Begins with a worker `ada` at a task, and `ben` idle, under these budgets, at the begin of a day. */
export async function scene(open: () => Promise<Stored>, budget: Budgets) {
  const stored = await open();
  const nature = new Nature();
  nature.now = 20_000 * 24 * HOUR;
  const ctx = contextOf(stored.open(), nature);
  const [ada, ben] = await withWorkers(ctx, ['ada', 'ben']);
  if (ada === undefined || ben === undefined) throw new Error('no workers');
  await sayHello(ctx, ada, AGENT_EPOCH);
  await budgeted(budget);
  await becomes(ada, atTask(working().worker, TASKS[0]));
  await becomes(ben, idle().worker);
  let seq = 0;

  async function budgeted(limits: Budgets): Promise<void> {
    const [project] = await ctx.store.listProjects();
    if (project === undefined) throw new Error('no project');
    const document = { ...project, config: { ...project.config, budget: limits } };
    await applyDocument(ctx, document, { by: POLICY, force: true, dryRun: false });
    await settled(ctx);
  }

  async function becomes({ id }: WorkerRow, state: Worker): Promise<void> {
    await ctx.store.transaction(async (tx) => {
      const row = await tx.lockWorker(id);
      if (row !== null) await tx.saveWorker({ ...row, state }, nature.now);
    });
  }

  return {
    ctx,
    nature,
    ada,
    ben,
    budgeted,
    becomes,
    stateOf: async ({ id }: WorkerRow): Promise<Worker> => (await ctx.store.readWorker(id))?.state ?? newWorker(),
    uses: async (
      usage: Partial<Usage> | null,
      more: Partial<Extract<ObservationBody, { kind: 'usage' }>> = {},
    ): Promise<void> => {
      const machine = await ctx.store.readMachine(ada.machineId);
      if (machine === null) throw new Error('no machine');
      seq += 1;
      const whole = usage === null ? null : { input: 0, cached: 0, output: 0, money: null, ...usage };
      const of = { kind: 'usage', workerId: ada.id, task: TASKS[0], since: 7, workedMs: 0, usage: whole } as const;
      const observations = [{ seq, at: nature.now, body: { ...of, ...more } }];
      await takeObservations(ctx, machine, { agentEpoch: AGENT_EPOCH, observations });
      await settled(ctx);
    },
    starts: async ({ id: workerId }: WorkerRow, task: string): Promise<void> => {
      const event = { kind: 'start-requested', taskId: task, prompt: 'do it', text: 'do it' } as const;
      await ctx.store.transaction((tx) => handleEvent(ctx, tx, { workerId, event, by: POLICY }));
    },
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}

function atTask(worker: Worker, id: string): Worker {
  return worker.task.kind === 'none' ? worker : { ...worker, task: { ...worker.task, id } };
}

export const limit = (limits: Partial<Budget>): Budget => ({ ...NO_LIMIT, ...limits });

/** Answers the open question, of this worker. */
export async function answers(ctx: Context, option: string, of?: string): Promise<void> {
  const asked = (await ctx.store.listEscalations({ open: true, limit: 5 })).find(
    ({ workerId }) => of === undefined || workerId === of,
  );
  if (asked === undefined) throw new Error('nobody was asked');
  const answer = { id: asked.id, asked: asked.asked, option, requestId: ctx.ids.uuid() };
  const told = await resolveEscalation(ctx, answer, person('mia'));
  expect(told.kind).toBe('ok');
  await settled(ctx);
}

/** Does all work that is due, and what follows from it. */
export async function settled(ctx: Context): Promise<void> {
  while ((await drainDueWork(ctx)) > 0);
}
