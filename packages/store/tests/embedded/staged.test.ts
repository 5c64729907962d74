// Does a cluster in the staging directory say whose it is, and is it an orphan when that is gone?
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteOwner, listStagedClusters, removeStagedCluster } from '../../src/embedded/staged.ts';
import { AS_ROOT, start, temporaryDirectory } from '../support/clusters.ts';

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
  expect(await removeStagedCluster(staged('gone'))).toBe(null);
  expect(await listStagedClusters(directory.path)).toHaveLength(4);
});

test.runIf(AS_ROOT)(
  'given a data directory that the server cannot enter, when it is deleted, then its cluster is an orphan, and goes once its server has ended',
  async () => {
    await using directory = await temporaryDirectory();
    const locked = join(directory.path, 'home');
    await mkdir(locked, { mode: 0o700 });
    const stagingDirectory = join(directory.path, 'staging');
    const dataDir = join(locked, 'data');
    const postgres = await start(dataDir, { stagingDirectory });
    const [used] = await listStagedClusters(stagingDirectory);
    const refused = await removeStagedCluster(used?.directory ?? '');
    await postgres.stop();
    await rm(dataDir, { recursive: true });

    const [orphan] = await listStagedClusters(stagingDirectory);

    expect(used).toMatchObject({ dataDir, state: 'used', server: expect.any(Number) });
    expect(refused).toContain('still runs');
    expect(orphan).toMatchObject({ directory: used?.directory, state: 'orphan', server: null });
    expect(await removeStagedCluster(orphan?.directory ?? '')).toBe(null);
    expect(await listStagedClusters(stagingDirectory)).toEqual([]);
  },
);
