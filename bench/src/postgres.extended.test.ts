// Checks that a benchmark leaves nothing behind, also when it fails, and where the user of the server cannot enter.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listStagedClusters } from '@drover/embedded-postgres';
import { expect, test } from 'vitest';
import { openBenchPostgres } from './postgres.ts';

test('given a directory that only its owner can enter, when a benchmark fails in it, then its database and its files are gone', async () => {
  await using stack = new AsyncDisposableStack();
  const closed = await mkdtemp(path.join(tmpdir(), 'b-'));
  stack.defer(() => rm(closed, { recursive: true }));
  await chmod(closed, 0o700);
  const before = process.env['TMPDIR'];
  stack.defer(() => void (process.env['TMPDIR'] = before));
  process.env['TMPDIR'] = closed;
  const own = async (): Promise<readonly (string | null)[]> =>
    (await listStagedClusters())
      .map(({ dataDir }) => dataDir)
      .filter((dataDir) => dataDir?.startsWith(closed) ?? false);
  let pid: number | undefined;

  const failing = async (): Promise<void> => {
    await using postgres = await openBenchPostgres();
    pid = postgres.server.pid;
    // Root's database is kept elsewhere: its user cannot enter here.
    expect(await own()).toHaveLength(process.getuid?.() === 0 ? 1 : 0);
    throw new Error('outside of its limit');
  };

  await expect(failing()).rejects.toThrow('outside of its limit');
  expect(await readdir(closed)).toEqual([]);
  expect(await own()).toEqual([]);
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
});
