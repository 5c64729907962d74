// Tests that a cluster in the staging directory names its data directory, and is an orphan when that directory is gone.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listBackups } from '../src/backups/backups.ts';
import { listStagedClusters, noteOwner, removeStagedDatabase } from '../src/staged.ts';
import { AS_ROOT, start, temporaryDirectory } from '../src/testing/clusters.ts';

const NOON = Date.UTC(2026, 10, 22, 12);

test('given staged clusters, when they are listed, then those without a data directory that names them are orphans', async () => {
  await using directory = await temporaryDirectory();
  const staged = (name: string): string => join(directory.path, 'clusters', name);
  for (const name of ['gone', 'making', 'moved', 'older', 'used']) await mkdir(staged(name), { recursive: true });
  for (const name of ['making', 'moved', 'used']) await mkdir(join(directory.path, name));
  for (const name of ['gone', 'making', 'moved', 'used']) await noteOwner(staged(name), join(directory.path, name));
  await writeFile(join(directory.path, 'used', 'staged-at'), `${join(staged('used'), 'postgres')}\n`);
  await writeFile(join(directory.path, 'moved', 'staged-at'), '/somewhere/else/postgres\n');

  const when = await listStagedClusters(directory.path);

  expect(when.map(({ state }) => state)).toEqual(['orphan', 'used', 'orphan', 'unknown', 'used']);
  expect(await removeStagedDatabase(staged('gone'))).toContain('has no backup');
  expect(await listStagedClusters(directory.path)).toHaveLength(5);
});

test.runIf(AS_ROOT)(
  'given a data directory that is away, when its database is removed, then its backups stay, and once it is back they can be restored',
  async () => {
    await using directory = await temporaryDirectory();
    const locked = join(directory.path, 'home');
    await mkdir(locked, { mode: 0o700 });
    const stagingDirectory = join(directory.path, 'staging');
    const dataDir = join(locked, 'data');
    const postgres = await start(dataDir, { stagingDirectory });
    const [used] = await listStagedClusters(stagingDirectory);
    const refused = await removeStagedDatabase(used?.directory ?? '');
    await postgres.backUp(NOON);
    await postgres.stop();
    await rename(dataDir, `${dataDir}.away`);

    const [orphan] = await listStagedClusters(stagingDirectory);
    const when = await removeStagedDatabase(orphan?.directory ?? '');

    expect(used).toMatchObject({ dataDir, state: 'used', server: expect.any(Number) });
    expect(refused).toContain('still runs');
    expect(orphan).toMatchObject({ directory: used?.directory, state: 'orphan', server: null });
    expect(orphan).toMatchObject({ usedAt: expect.any(Number), backups: [{ takenAt: NOON }] });
    expect(when).toBe(null);
    expect(await listStagedClusters(stagingDirectory)).toMatchObject([{ usedAt: null, backups: [{ takenAt: NOON }] }]);
    await rename(`${dataDir}.away`, dataDir);
    await expect(start(dataDir, { stagingDirectory })).rejects.toThrow('put a backup in its place');
    expect(await listBackups(dataDir)).toMatchObject([{ takenAt: NOON }]);
  },
);
