// Checks that a long run goes on where it was stopped, and refuses a file of another run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { noteRange, openRun } from './state-file.ts';
import { emptySums } from './sums.ts';

const dir = mkdtempSync(join(tmpdir(), 'sim-state-'));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('given a run that was stopped, when it is opened again, then what was done is known, and another run is refused', () => {
  const file = join(dir, 'state.json');
  const run = openRun(file, { first: 1, seeds: 100, source: 'a' });
  const sums = { ...emptySums(), schedules: 50, rules: { restore: 3 } };

  noteRange(run, { file, range: { first: 1, count: 50 }, sums });

  const again = openRun(file, { first: 1, seeds: 100, source: 'a' });
  expect(again.done).toEqual([1]);
  expect(again.sums).toMatchObject({ schedules: 50, rules: { restore: 3 } });
  expect(() => openRun(file, { first: 1, seeds: 200, source: 'a' })).toThrow(
    /holds another run \(--first 1 --seeds 100\)/,
  );
  expect(() => openRun(file, { first: 1, seeds: 100, source: 'b' })).toThrow(/begun on another source \(a, now b\)/);
});
