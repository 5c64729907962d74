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
  const waiting: (() => void)[] = [];
  const settings = { workerId: 'w', account: 'team' } as unknown as WorkerSettings;
  const parts = {
    host: createLocalHost({ env: {} }),
    machineDir,
    profiles: { of: () => ({ profile }) },
    cages: { homeOf: () => machineDir },
    knownWorkers: {
      settingsOf: () => settings,
      lastIncarnationOf: () => ({ workerId: 'w', conversation: 'c', openedAt: OPENED_S * 1_000 }),
    },
    outbox: { add: (body: ObservationBody) => told.push(body) },
    clock: {
      now: () => 0,
      after: (_: number, run: () => void) => {
        waiting.push(run);
        return () => {};
      },
    },
    panes: { atWork: [] },
    log: (_: string, message: string) => {
      throw new Error(message);
    },
  };
  const watch = new UsageWatch(parts as unknown as ConstructorParameters<typeof UsageWatch>[0]);
  const status = hookFiles(machineDir, 'w', profile).status ?? '';
  mkdirSync(dirname(status), { recursive: true });
  const draw = (usedPercent: number, atS: number): void => {
    const limits = { five_hour: { used_percentage: usedPercent, resets_at: 3_976_214_400 } };
    writeFileSync(status, JSON.stringify({ rate_limits: limits }));
    utimesSync(status, atS, atS);
  };
  return {
    told,
    watch,
    settings,
    /** The time until the next reading of the watch passes. */
    waits: (): void => {
      watch.start();
      waiting.pop()?.();
    },
    /** The program tells its status line. */
    draw,
    /** A check of the worker follows. */
    check: async (usedPercent: number, atS: number): Promise<void> => {
      draw(usedPercent, atS);
      await watch.tell(settings);
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

test('given a status line that is drawn after the check of a short turn, when the watch looks, then what is left is told all the same', async () => {
  const { told, watch, settings, waits, draw } = watched();

  await watch.tell(settings);
  expect(told).toEqual([]);
  draw(42, OPENED_S + 1);
  waits();

  await expect.poll(() => told).toMatchObject([{ kind: 'quota', quota: { windows: [{ usedPercent: 42 }] } }]);
});
