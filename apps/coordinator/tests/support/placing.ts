/** Builds an empty fleet of two scripted machines: a test's workers are placed, and the reasons are compared. */
import type { Actor, Outcome, RequestView } from '@drover/api';
import { expect } from 'vitest';
import type { WorkerRow } from '@drover/store';
import { workerOptions } from '@drover/store/testing';
import { Waiters } from '../../src/context/waiters.ts';
import { accountKeyOf } from '../../src/context/account-key.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { createQueueFleet } from '../../src/use-cases/queue/queue.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { createWorkerFleet } from '../../src/use-cases/workers/fleet.ts';
import { Nature } from './scene.ts';
import { READY, ENDS, incarnationOf, readingOf, twoMachines } from './two-machines.ts';
import type { TwoMachines } from './two-machines.ts';

export const MIA: Actor = { kind: 'person', id: 'mia', name: 'mia', role: 'admin', project: null, worker: null };
export const WAITERS = { commands: new Waiters(), events: new Waiters() };
const HOUR = 3_600_000;

/** Removes the first workers: only workers that a test adds count. */
export async function emptied() {
  const nature = new Nature();
  const two = await twoMachines(nature);
  const { ctx, database } = two;
  const before = (await ctx.store.listWorkers()).map(({ id }) => id);
  for (const id of before) await ctx.store.transaction((tx) => tx.deleteWorker(id));
  const id = (): string => ctx.ids.uuid();
  const workers = createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });
  const tasks = createTaskFleet(ctx, WAITERS);

  /** Adds a worker and plays its machine until it is idle. */
  async function idle(
    name: string,
    more: { machine?: string; role?: string; labels?: string[] } = {},
  ): Promise<WorkerRow> {
    const added = await workers.add({ requestId: id(), name, ...more }, MIA);
    if (added.kind === 'refused') throw new Error(added.message);
    const row = rowOf(name);
    const machine = row.machineId === two.honest.id ? two.honest : two.liar;
    for (;;) {
      const { inFlight } = rowOf(name).state.command;
      if (inFlight === null) break;
      const ended = ENDS[inFlight.command.kind];
      const result = 'incarnation' in ended ? { ...ended, incarnation: incarnationOf(row) } : ended;
      await two.say(machine, { kind: 'result', workerId: row.id, ...two.commandOf(row), result });
      nature.now += 10;
    }
    const reading = readingOf(READY, nature.now);
    await two.say(machine, { kind: 'screen', workerId: row.id, incarnation: incarnationOf(row), reading });
    nature.now += 10;
    await heard(two);
    expect(rowOf(name).state.lifecycle.status).toBe('idle');
    return rowOf(name);
  }

  function rowOf(name: string): WorkerRow {
    const row = [...database.workers.values()].find((one) => one.name === name);
    if (row === undefined) throw new Error(`There is no "${name}"`);
    return row;
  }

  async function pauseAccountOf(row: WorkerRow): Promise<void> {
    const now = ctx.clock.now();
    const key = accountKeyOf(ctx, row);
    const state = {
      kind: 'paused',
      since: now,
      wakeAt: now + HOUR,
      statedResetAt: null,
      failedProbes: 0,
      waiting: [],
    } as const;
    await ctx.store.transaction(async (tx) => {
      const account = await tx.lockAccount(key, now);
      await tx.saveAccount({ ...account, state, updatedAt: now });
    });
  }

  async function about(name: string): Promise<readonly string[]> {
    const why = await workers.why({ name, limit: 5 }, MIA);
    return why.kind === 'ok' ? why.value.about : [];
  }

  const add = (name: string, more: { machine?: string; labels?: string[] } = {}): Promise<Outcome<RequestView>> =>
    workers.add({ requestId: id(), name, ...more }, MIA);
  const start = (more: { role?: string; name?: string } = {}): Promise<Outcome<RequestView>> =>
    tasks.start({ requestId: id(), prompt: 'do it', ...more }, MIA);
  const label = async (name: string, labels: string[], capacity: number | null = null): Promise<void> => {
    await createMachineFleet(ctx).labelMachine({ name, labels, capacity }, MIA);
  };
  return { ctx, two, nature, id, idle, about, add, start, label, rowOf, pauseAccountOf, queue: createQueueFleet(ctx) };
}

/** Sends a sign of life of both machines. */
export async function heard({ ctx, honest, liar }: TwoMachines): Promise<void> {
  for (const { id, epoch, agentEpoch } of [honest, liar])
    await ctx.store.touchMachine({ machineId: id, epoch, agentEpoch }, ctx.clock.now());
}

/** Formats `WORKER on MACHINE`, or the refusal. */
export function nameOf(outcome: Outcome<RequestView>): string {
  return outcome.kind === 'ok' ? `${outcome.value.worker.name} on ${outcome.value.worker.machine}` : outcome.message;
}
