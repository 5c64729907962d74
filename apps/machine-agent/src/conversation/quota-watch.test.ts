import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { observationBody, type ObservationBody, type WorkerSettings } from '@drover/protocol';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookFiles } from '../signals/hooks.ts';
import { QuotaWatch } from './quota-watch.ts';

/** Seconds since 1970 at which the worker's program has started. */
const OPENED_S = 1_000_000;
const MINUTE_S = 60;
/** Files have times with fractions of milliseconds. */
const FRACTION_S = 0.000_25;
const WORKER = '01900000-0000-7000-b000-000000000001';

let machineDir = '';
beforeEach(() => {
  machineDir = mkdtempSync(join(tmpdir(), 'drover-usage-'));
});
afterEach(() => rmSync(machineDir, { recursive: true }));

/** Watches a worker with Claude Code. */
function watched() {
  const profile = BUILT_IN_PROFILES.get('claude');
  if (profile === undefined) throw new Error('There is no profile "claude"');
  const told: ObservationBody[] = [];
  let now = 0;
  let settings = { workerId: WORKER, account: 'team' } as unknown as WorkerSettings;
  const parts = {
    host: createLocalHost({ env: {} }),
    machineDir,
    profiles: { of: () => ({ profile }) },
    cages: { homeOf: () => machineDir },
    knownWorkers: {
      settingsOf: () => settings,
      lastIncarnationOf: () => ({ workerId: WORKER, conversation: 'c', openedAt: OPENED_S * 1_000 }),
    },
    outbox: { add: (body: ObservationBody) => told.push(observationBody.parse(body)) },
    clock: { now: () => now },
    log: (_: string, message: string) => {
      throw new Error(message);
    },
  };
  const watch = new QuotaWatch(parts as unknown as ConstructorParameters<typeof QuotaWatch>[0]);
  const status = hookFiles(machineDir, WORKER, profile).status ?? '';
  mkdirSync(dirname(status), { recursive: true });
  const draw = (usedPercent: number, atS: number): void => {
    const limits = { five_hour: { used_percentage: usedPercent, resets_at: 3_976_214_400 } };
    writeFileSync(status, JSON.stringify({ rate_limits: limits }));
    utimesSync(status, atS + FRACTION_S, atS + FRACTION_S);
  };
  return {
    told,
    check: () => watch.tell(settings),
    /** The coordinator wants another account to pay from the next start of the program on. */
    moveTo: (account: string): void => {
      settings = { ...settings, account };
    },
    /** The time until the next look for limits passes. */
    waits: (): Promise<void> => {
      now += 30_000;
      return watch.tellDue();
    },
    /** The program tells its status line. */
    draw,
  };
}

test('given turns that are over at once, when the worker is checked after each, then what is left is told when it is news, or ten minutes old', async () => {
  const { told, check, draw } = watched();
  const drawn = [
    [99, -1],
    [42, 1],
    [42.1, MINUTE_S],
    [43, 2 * MINUTE_S],
    [43, 12 * MINUTE_S],
  ] as const;

  for (const [usedPercent, after] of drawn) {
    draw(usedPercent, OPENED_S + after);
    await check();
  }

  expect(told.map((body) => body.kind === 'quota' && [body.account, ...body.quota.windows])).toEqual(
    [
      [42, 1],
      [43, 2 * MINUTE_S],
      [43, 12 * MINUTE_S],
    ].map(([usedPercent, after = 0]) => [
      'team',
      { name: '5 h', usedPercent, resetsAt: 3_976_214_400_000, at: (OPENED_S + after) * 1_000 },
    ]),
  );
});

test('given a status line that is drawn after the check of a short turn, when the watch looks, then what is left is told all the same', async () => {
  const { told, check, waits, draw } = watched();

  await check();
  expect(told).toEqual([]);
  draw(42, OPENED_S + 1);
  await waits();

  expect(told).toMatchObject([{ kind: 'quota', quota: { windows: [{ usedPercent: 42 }] } }]);
});

test('given a worker whose next program another account pays for, when the present one tells what is left, then its own account is named', async () => {
  const { told, check, moveTo, draw } = watched();
  await check();
  moveTo('spare');
  draw(99, OPENED_S + 1);

  await check();

  expect(told).toMatchObject([{ kind: 'quota', account: 'team' }]);
});
