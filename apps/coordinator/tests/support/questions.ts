/** Builds workers whose incidents wait for a person, for the tests of questions. */
import type { WorkerRow } from '@drover/store';
import type { Context } from '../../src/context/context.ts';
import { listEscalations } from '../../src/use-cases/escalations/escalations.ts';
import { person } from './actors.ts';
import { asks, contextOf, decided, incidentOf, Nature, QUESTION, withWorkers } from './scene.ts';
import type { Stored } from './scene.ts';

/** A person who may answer. */
export const ANN = person('ann', { role: 'responder' });
/** A person who may answer. */
export const BEN = person('ben', { role: 'responder' });
/** Filter for questions that wait for an answer. */
export const OPEN = { all: false, limit: 100 };

/** Changes that make a worker's incident wait for a person. */
export function open4(incident: string) {
  const options = [...QUESTION.options];
  const open = incidentOf(incident, { level: 4, escalated: true, options });
  return { lifecycle: { status: 'error' }, incident: { open } } as const;
}

/** Finds the worker with this name. */
export async function workerOf(ctx: Context, name: string): Promise<WorkerRow> {
  const row = (await ctx.store.listWorkers()).find((worker) => worker.name === name);
  if (row === undefined) throw new Error(`There is no worker ${name}`);
  return row;
}

/** Builds workers, the first of which is in trouble. */
export async function troubled(open: () => Promise<Stored>, names: readonly string[]) {
  const stored = await open();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const workers = await withWorkers(ctx, names);
  const [first] = workers;
  if (first === undefined) throw new Error('no workers');
  return {
    stored,
    nature,
    ctx,
    workers,
    first,
    incident: nature.uuid(),
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}

/** Builds one worker whose question is open. */
export async function asked(open: () => Promise<Stored>) {
  const scene = await troubled(open, ['adam']);
  const { ctx, first, incident } = scene;
  await decided(ctx, first.id, { records: [asks(incident)], patch: open4(incident) });
  const [escalation] = await listEscalations(ctx, OPEN, ANN);
  if (escalation === undefined) throw new Error('no question was asked');
  return { ...scene, id: escalation.id };
}
