import { expect, test } from 'vitest';
import { backoffMs, withRetry } from './retry.ts';

const failure = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

/** A unit that fails with these codes, one after the other, and then succeeds. */
function unitFailing(...codes: string[]): () => Promise<string> {
  return async () => {
    const code = codes.shift();
    if (code !== undefined) throw failure(code);
    return 'done';
  };
}

function options(attempts: number): {
  attempts: number;
  sleep: (ms: number) => Promise<void>;
  random: () => number;
  slept: number[];
} {
  const slept: number[] = [];
  return { attempts, sleep: async (ms) => void slept.push(ms), random: () => 0.5, slept };
}

test('given a conflict and a lost connection, when the unit is retried, then it is done after two waits that grow', async () => {
  const given = options(3);

  const done = await withRetry(unitFailing('40001', 'ECONNREFUSED'), given);

  expect(done).toBe('done');
  expect(given.slept).toEqual([12, 25]);
});

test('given more failures than attempts, when the unit is retried, then the last failure is thrown', async () => {
  const given = options(2);

  const outcome = withRetry(unitFailing('40001', '40P01', '40001'), given);

  await expect(outcome).rejects.toMatchObject({ code: '40P01' });
  expect(given.slept).toHaveLength(1);
});

test('given a permanent failure, when the unit is retried, then it is thrown at once', async () => {
  const given = options(5);

  const outcome = withRetry(unitFailing('23505'), given);

  await expect(outcome).rejects.toMatchObject({ code: '23505' });
  expect(given.slept).toEqual([]);
});

test('given any attempt, when the wait is drawn, then it is never longer than two seconds', () => {
  const waits = [1, 2, 7, 8, 50, 2_000].map((attempt) => backoffMs(attempt, () => 0.999));

  expect(waits).toEqual([24, 49, 1598, 1998, 1998, 1998]);
});
