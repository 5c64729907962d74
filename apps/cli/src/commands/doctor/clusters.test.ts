/** Which databases does the doctor call orphans, and which does it leave alone? */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { StagedCluster } from '../../compose/database.ts';
import { expect, test } from 'vitest';
import { examineClusters } from './clusters.ts';

const USED: Omit<StagedCluster, 'dataDir'> = { directory: '/clusters/a', state: 'used', server: null };

test('given databases of roots that are there or gone, when the doctor looks, then it names and would remove the orphans only', async () => {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'drover-clusters-'));
  stack.defer(() => rm(directory, { recursive: true }));
  const [here, gone] = [path.join(directory, 'here'), path.join(directory, 'gone')];
  await mkdir(here);
  await writeFile(path.join(here, 'drover.toml'), '');
  const dataOf = async (name: string, root: string): Promise<string> => {
    await mkdir(path.join(directory, name));
    await writeFile(path.join(directory, name, 'root'), `${root}\n`);
    return path.join(directory, name, 'postgres');
  };
  const clusters: readonly StagedCluster[] = [
    { ...USED, directory: '/clusters/of-here', dataDir: await dataOf('one', here) },
    { ...USED, directory: '/clusters/of-gone', dataDir: await dataOf('two', gone) },
    { ...USED, directory: '/clusters/lost', dataDir: path.join(directory, 'three'), state: 'orphan' },
    { ...USED, directory: '/clusters/served', dataDir: path.join(directory, 'four'), state: 'orphan', server: 17 },
    { ...USED, directory: '/clusters/old', dataDir: null, state: 'unknown' },
  ];

  const when = await examineClusters(0, () => Promise.resolve(clusters));

  expect(when.findings.map(({ about }) => about)).toEqual(['/clusters/of-gone', '/clusters/lost', '/clusters/served']);
  expect(when.findings.at(-1)?.says).toContain('its server still runs as process 17');
  expect(when.repairs.map(({ worker }) => worker)).toEqual(['/clusters/of-gone', '/clusters/lost']);
  expect(await examineClusters(1_000, () => Promise.resolve(clusters))).toEqual({ findings: [], repairs: [] });
});
