/** Reads gauges of the fleet's present state from the store on request, and not again for a few seconds. */
import { WORKER_STATUSES } from '@drover/core';
import type { Store } from '@drover/store';
import { judged } from '../context/context.ts';
import { MACHINE_STATES, machineState } from '../context/leases.ts';
import type { Leases } from '../context/leases.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds for which a reading is reused: many may ask, and each would read the whole fleet. */
const FRESH_MS = 5_000;

/** Connections of the process, as its pool counts them. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Sources of the gauges. */
export interface GaugeParts {
  readonly store: Pick<Store, 'countWorkers' | 'listMachines' | 'nextDueAt'>;
  readonly clock: { now(): number };
  readonly pool: PoolCounts;
  readonly leases: Leases | undefined;
}

/** @returns the page in Prometheus' text format. @throws when the database does not answer. */
export function createPage(metrics: Metrics, parts: GaugeParts): () => Promise<string> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  return async () => {
    const now = parts.clock.now();
    if (now - readAt >= FRESH_MS || now < readAt) {
      readAt = now;
      reading = readGauges(metrics, parts).catch((error: unknown) => {
        readAt = Number.NEGATIVE_INFINITY;
        throw error;
      });
    }
    await reading;
    const { pool } = parts;
    metrics.pool.set({ state: 'idle' }, pool.idleCount);
    metrics.pool.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    metrics.poolWaiting.set(pool.waitingCount);
    return metrics.registry.metrics();
  };
}

async function readGauges(metrics: Metrics, parts: GaugeParts): Promise<void> {
  const { store } = parts;
  const [workers, machines, dueAt] = await Promise.all([
    store.countWorkers(),
    store.listMachines(),
    store.nextDueAt(judged(parts).now),
  ]);
  const at = judged(parts);
  const { now } = at;
  for (const status of WORKER_STATUSES) metrics.workers.set({ status }, workers.get(status) ?? 0);
  const states = machines.map((machine) => machineState(machine, at));
  for (const state of MACHINE_STATES) metrics.machines.set({ state }, states.filter((one) => one === state).length);
  metrics.overdue.set(dueAt === null ? 0 : Math.max(0, now - dueAt) / 1_000);
}
