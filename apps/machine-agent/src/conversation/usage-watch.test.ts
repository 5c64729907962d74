import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';
import type { ObservationBody, WorkerSettings } from '@drover/protocol';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookFiles } from '../signals/hooks.ts';
import { UsageWatch } from './usage-watch.ts';

/** Seconds since 1970 at which the worker's program has started. */
const OPENED_S = 1_000_000;
const MINUTE_S = 60;

let machineDir = '';
beforeEach(() => {
  machineDir = mkdtempSync(join(tmpdir(), 'drover-usage-'));
});
afterEach(() => rmSync(machineDir, { recursive: true }));

/** Watches a worker with Claude Code that has done no run's task. */
function watched() {
  const profile = BUILT_IN_PROFILES.get('claude');
  if (profile === undefined) throw new Error('There is no profile "claude"');
  const told: ObservationBody[] = [];
  const parts = {
    host: createLocalHost({ env: {} }),
    machineDir,
    profiles: { of: () => ({ profile }) },
    cages: { homeOf: () => machineDir },
    knownWorkers: { lastLifeOf: () => ({ workerId: 'w', conversation: 'c', openedAt: OPENED_S * 1_000 }) },
    outbox: { add: (body: ObservationBody) => told.push(body) },
    log: (_: string, message: string) => {
      throw new Error(message);
    },
  };
  const watch = new UsageWatch(parts as unknown as ConstructorParameters<typeof UsageWatch>[0]);
  const status = hookFiles(machineDir, 'w', profile).status ?? '';
  mkdirSync(dirname(status), { recursive: true });
  return {
    told,
    /** The program tells its status line, and a check of the worker follows. */
    check: async (usedPercent: number, atS: number): Promise<void> => {
      const limits = { five_hour: { used_percentage: usedPercent, resets_at: 3_976_214_400 } };
      writeFileSync(status, JSON.stringify({ rate_limits: limits }));
      utimesSync(status, atS, atS);
      await watch.tell({ workerId: 'w', account: 'team' } as unknown as WorkerSettings);
    },
  };
}

test('given turns that are over at once, when the worker is checked after each, then what is left is told when it is news, or ten minutes old', async () => {
  const { told, check } = watched();

  await check(99, OPENED_S - 1);
  await check(42, OPENED_S + 1);
  await check(42, OPENED_S + MINUTE_S);
  await check(43, OPENED_S + 2 * MINUTE_S);
  await check(43, OPENED_S + 12 * MINUTE_S);

  expect(told.map((body) => body.kind === 'quota' && [body.account, body.quota.at, ...body.quota.windows])).toEqual(
    [
      [42, 1],
      [43, 2 * MINUTE_S],
      [43, 12 * MINUTE_S],
    ].map(([usedPercent, after = 0]) => [
      'team',
      (OPENED_S + after) * 1_000,
      { name: '5 h', usedPercent, resetsAt: 3_976_214_400_000 },
    ]),
  );
});
