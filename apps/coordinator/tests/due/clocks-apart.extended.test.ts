/** Two replicas whose computers are two hours apart do nothing too early or too late, and people read correct times. */
import { type LocalClock, systemClock } from '@drover/base';
import { DEFAULT_POLICY } from '@drover/core';
import { expect, onTestFinished, test } from 'vitest';
import { takenSoFar, watchDueWork } from '../support/database-time.ts';
import { call, obedient, newId, replica, scene, screen, until } from '../support/coordinator.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds of delay that are allowed: the loop ticks once a second; the rest is for a busy computer. */
const LATE_MAX_MS = 1_000 + 30_000;

/** Policy with waits that end during the test. */
const POLICY = { ...DEFAULT_POLICY, checkEveryMs: 700, settleMs: 300 };

function clockOff(ms: number): LocalClock {
  return { now: () => systemClock.now() + ms, elapsed: () => systemClock.elapsed() + ms, after: systemClock.after };
}

test('given a replica an hour ahead and one an hour behind, when both work, then no deadline comes before its time or much after it, and people read true times', async () => {
  const logged: string[] = [];
  const common = { policy: POLICY, log: (_: string, message: string) => void logged.push(message), patrolEveryMs: 500 };
  await using given = await scene({ ...common, clock: clockOff(HOUR_MS) }, watchDueWork);
  await using other = await replica(given.databaseUrl, { ...common, clock: clockOff(-HOUR_MS) });
  const [ahead, behind] = [given.coordinator.url, other.url];
  // A real machine gives a sign of life every 5 s: without one it counts as lost on a slow computer.
  const signs = setInterval(() => given.machine.send([]), 1_000);
  onTestFinished(() => clearInterval(signs));
  const startedAt = systemClock.now();
  await call(ahead, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(behind, 'adam', 'idle');

  // The agent takes the prompt and shows no progress: checks become due, and one finds its commit.
  given.machine.script = (command) => {
    const answers = obedient(command);
    const isDelivery = command.body.kind === 'command' && command.body.command.kind === 'deliver';
    if (!isDelivery) return answers;
    return [...answers.filter(({ kind }) => kind === 'result'), screen(command.settings.workerId, 'processing')];
  };
  await call(behind, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'make it so' });
  await until(ahead, 'adam', 'needs_review');

  const taken = await takenSoFar(given.databaseUrl);
  expect(taken.filter(({ lateMs }) => lateMs < 0)).toEqual([]);
  expect(taken.filter(({ lateMs }) => lateMs > LATE_MAX_MS)).toEqual([]);
  expect(taken).toContainEqual(expect.objectContaining({ kind: 'patrol' }));
  expect(taken).toContainEqual(expect.objectContaining({ key: expect.stringMatching(/:check$/) }));
  const now = systemClock.now();
  const events = (await call(behind, 'events', { limit: 100, waitMs: 0 })) as readonly { at: number }[];
  expect(events.map(({ at }) => at >= startedAt - 1_000 && at <= now + 1_000)).not.toContain(false);
  for (const url of [ahead, behind]) {
    const [machine] = (await call(url, 'machines.list')) as readonly { state: string; lastSeenAt: number }[];
    expect(machine?.state).toBe('connected');
    expect(Math.abs(now - (machine?.lastSeenAt ?? 0))).toBeLessThan(30_000);
  }
  expect(logged).toContainEqual(expect.stringContaining('3600 s ahead of the clock of the database'));
  expect(logged).toContainEqual(expect.stringContaining('3600 s behind the clock of the database'));
});
