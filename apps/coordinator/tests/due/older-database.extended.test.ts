/** A build with more migrations than the database has seen backs up the database before it migrates. */
import { chmod, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY_MIGRATIONS } from '@drover/store/testing';
import { replica } from '../support/coordinator.ts';

test('given an embedded database, when a build with one more migration starts on it, then it is backed up first, and not at the next start', async () => {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'drover-older-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o711); // as root the database runs as another user, who must pass
  const migrationsDir = path.join(dataDir, 'migrations');
  await cp(REPOSITORY_MIGRATIONS, migrationsDir, { recursive: true });
  const told: string[] = [];
  const log = (_level: string, message: string): void => void told.push(message);
  const start = async (): Promise<void> => {
    await using _ = await replica('', { migrationsDir, log, database: { kind: 'embedded', dataDir } });
  };
  const backedUp = (): number =>
    told.filter((line) => line.startsWith('Backed up the database before its migration')).length;

  await start();
  expect(backedUp()).toBe(0);
  const next = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).length + 1;
  const name = `${String(next).padStart(4, '0')}_of_a_newer_build.sql`;
  await writeFile(path.join(migrationsDir, name), 'create table of_a_newer_build ();\n');
  await start();
  expect(backedUp()).toBe(1);
  await start();
  expect(backedUp()).toBe(1);
});
