// The use case as a replica runs it, and a record of every statement that it sends.
import { systemClock } from '@drover/base';
import type { Decision } from '@drover/core';
import { DEFAULT_POLICY } from '@drover/core';
import { connect, createSqlStore, type Connection, type Database, type Store } from '@drover/store';
import type { PoolClient } from 'pg';
import { sleep } from '../src/wait.ts';
import { createCounters } from '../../apps/coordinator/src/metrics/count.ts';
import { createMetrics } from '../../apps/coordinator/src/metrics/metrics.ts';
import { systemIds, systemRandom } from '../../apps/coordinator/src/index.ts';
import type { Context } from '../../apps/coordinator/src/context/context.ts';
import { TEST_IDENTITY } from '../../apps/coordinator/src/testing/index.ts';

/** Arguments of `pg` for one query: a text with values, or a query object. */
export type Sent = readonly unknown[];

/** A replica's database connections; `sent` is filled while the measurement reads it. */
export interface Replica extends AsyncDisposable {
  readonly ctx: Context;
  /** Statements since it was last emptied, oldest first. */
  readonly sent: Sent[];
}

/** Opens the store over Drover's own connections. `onDecision` hears each decision before it is saved. */
export function openReplica(url: string, onDecision: (decision: Decision) => void): Replica {
  const connection: Connection<Database> = connect<Database>(url, { log: () => {}, maxConnections: 10 });
  const sent: Sent[] = [];
  connection.pool.on('connect', (client) => record(client, sent));
  const store: Store = createSqlStore(connection.db, { sleep: (ms) => sleep(ms), random: systemRandom });
  const ctx: Context = {
    store,
    clock: systemClock,
    ids: systemIds,
    log: (level, message) => {
      if (level === 'error') throw new Error(message);
    },
    identity: TEST_IDENTITY,
    hints: { commands: () => {}, events: () => {}, due: () => {} },
    fleetSize: { machines: 1 },
    random: systemRandom,
    policy: DEFAULT_POLICY,
    counters: createCounters(createMetrics()),
    accountOf: (profile) => ({ program: profile, account: null }),
    patrolEveryMs: null,
    onDecision,
  };
  return { ctx, sent, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}

function record(client: PoolClient, sent: Sent[]): void {
  const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
  Object.assign(client, {
    query: (...given: readonly unknown[]) => {
      sent.push(given);
      return query(...given);
    },
  });
}
