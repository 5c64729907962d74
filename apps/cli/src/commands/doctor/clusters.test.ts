/** Tests the list of databases by the doctor, and the removal of one. */
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../../surroundings.ts';
import type { StagedCluster } from '../../compose/database.ts';
import { afterAll, afterEach, expect, test } from 'vitest';
import { examineClusters, removeDatabase } from './clusters.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const BACKUP = {
  name: '2026-11-20T12-00-00Z',
  path: '/b',
  takenAt: NOW - 2 * 86_400_000,
  bytes: 1,
  postgres: 18,
  first: null,
};
const USED: Omit<StagedCluster, 'dataDir'> = {
  directory: '/clusters/a',
  state: 'used',
  server: null,
  usedAt: NOW - 86_400_000,
  backups: [BACKUP],
};

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const wasTerminal = process.stdin.isTTY;
afterEach(() => {
  process.stdin.isTTY = wasTerminal;
});

/** Makes a directory for databases, and an existing Drover root beside it. */
async function makePlaces(): Promise<{ directory: string; here: string }> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'drover-clusters-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const here = path.join(directory, 'here');
  await mkdir(here);
  await writeFile(path.join(here, 'drover.toml'), '');
  return { directory, here };
}

/** Makes the data directory of a Drover root. */
async function makeDataDir(directory: string, { name, root }: { name: string; root: string }): Promise<string> {
  await mkdir(path.join(directory, name));
  await writeFile(path.join(directory, name, 'root'), `${root}\n`);
  return path.join(directory, name, 'postgres');
}

/** Makes a database on disk whose root is missing. */
async function makeAway(backups: StagedCluster['backups']): Promise<StagedCluster> {
  const { directory } = await makePlaces();
  const cluster = path.join(directory, 'postgres-x');
  await mkdir(path.join(cluster, 'postgres', 'pgdata'), { recursive: true });
  await mkdir(path.join(cluster, 'backups', BACKUP.name), { recursive: true });
  await writeFile(path.join(cluster, 'backups', BACKUP.name, 'backup.json'), JSON.stringify(BACKUP));
  const dataDir = await makeDataDir(directory, { name: 'data', root: path.join(directory, 'unmounted') });
  return { ...USED, directory: cluster, dataDir, backups };
}

/** Makes a person who answers every question with the same text; the output is collected. */
function makePerson(answer: string): Pick<Surroundings, 'terminal' | 'now'> & { readonly said: string[] } {
  const said: string[] = [];
  const terminal = {
    json: false,
    out: (text: string) => void said.push(text),
    question: (text: string) => Promise.resolve((said.push(text), answer)),
  } as unknown as Surroundings['terminal'];
  process.stdin.isTTY = true;
  return { terminal, now: () => NOW, said };
}

/** Makes the surroundings of a user who calls the doctor. */
function userOf(uid: number): Surroundings {
  return { environment: { uid }, now: () => NOW } as unknown as Surroundings;
}

test('given databases of roots that are here or away, when the doctor looks, then it names those that are away with their last use and plans no removal', async () => {
  const { directory, here } = await makePlaces();
  const clusters: readonly StagedCluster[] = [
    { ...USED, directory: '/clusters/of-here', dataDir: await makeDataDir(directory, { name: 'one', root: here }) },
    {
      ...USED,
      directory: '/clusters/of-away',
      dataDir: await makeDataDir(directory, { name: 'two', root: '/mnt/away' }),
    },
    { ...USED, directory: '/clusters/lost', dataDir: path.join(directory, 'three'), state: 'orphan', backups: [] },
    { ...USED, directory: '/clusters/served', dataDir: path.join(directory, 'four'), state: 'orphan', server: 17 },
    { ...USED, directory: '/clusters/removed', dataDir: path.join(directory, 'five'), state: 'orphan', usedAt: null },
    { ...USED, directory: '/clusters/old', dataDir: null, state: 'unknown' },
  ];

  const when = await examineClusters(userOf(0), () => Promise.resolve(clusters));

  expect(when.map(({ about, level }) => [about, level])).toEqual([
    ['/clusters/of-away', 'warning'],
    ['/clusters/lost', 'warning'],
    ['/clusters/served', 'warning'],
    ['/clusters/removed', 'ok'],
  ]);
  expect(when[0]).toMatchObject({
    says: 'its Drover root /mnt/away does not exist here (deleted, or on a disk that is not mounted); last used 2026-11-21 (1d ago); it has 1 backup (newest 2026-11-20)',
    help: 'drover doctor --remove-database of-away',
  });
  expect(when[2]?.says).toContain('its server still runs as process 17');
  expect(await examineClusters(userOf(1_000), () => Promise.resolve(clusters))).toEqual([]);
});

test('given a database whose root is away, when a person types another word than its name, then nothing is removed', async () => {
  const cluster = await makeAway([BACKUP]);
  const person = makePerson('yes');

  const when = removeDatabase(person, { name: 'postgres-x', dryRun: false, yes: false }, () =>
    Promise.resolve([cluster]),
  );

  await expect(when).rejects.toMatchObject({ code: 'refused' });
  expect(person.said.join('\n')).toContain('last used 2026-11-21');
  await access(path.join(cluster.directory, 'postgres'));
});

test('given a database whose root is away, when a person types its name, then the database goes and its backups stay', async () => {
  const cluster = await makeAway([BACKUP]);

  await removeDatabase(makePerson('postgres-x'), { name: 'postgres-x', dryRun: false, yes: false }, () =>
    Promise.resolve([cluster]),
  );

  await expect(access(path.join(cluster.directory, 'postgres'))).rejects.toMatchObject({ code: 'ENOENT' });
  await access(path.join(cluster.directory, 'backups', BACKUP.name, 'backup.json'));
});

test('given a database without a backup, when its removal is wanted even with --yes, then it is refused', async () => {
  const cluster = await makeAway([]);

  const when = removeDatabase(makePerson(''), { name: 'postgres-x', dryRun: false, yes: true }, () =>
    Promise.resolve([cluster]),
  );

  await expect(when).rejects.toThrow('It has no backup to restore it from');
  await access(path.join(cluster.directory, 'postgres'));
});

test('given a root that comes back while the person is asked, when its name is typed, then nothing is removed', async () => {
  const cluster = await makeAway([BACKUP]);
  const root = path.join(path.dirname(cluster.directory), 'unmounted');
  const person = makePerson('postgres-x');
  const mounting: Surroundings['terminal'] = {
    ...person.terminal,
    question: async (text) => {
      await mkdir(root);
      await writeFile(path.join(root, 'drover.toml'), '');
      return person.terminal.question(text);
    },
  };

  const when = removeDatabase(
    { ...person, terminal: mounting },
    { name: 'postgres-x', dryRun: false, yes: false },
    () => Promise.resolve([cluster]),
  );

  await expect(when).rejects.toThrow('is here');
  await access(path.join(cluster.directory, 'postgres'));
});
