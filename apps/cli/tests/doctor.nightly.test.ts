/** Tests that `drover doctor` finds each contradiction, repairs some, and changes nothing without a repair. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { openTestDatabase, type TestDatabase } from '@drover/store/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

interface Finding {
  readonly check: string;
  readonly about: string;
  readonly level: string;
}
interface Report {
  readonly findings: readonly Finding[];
  readonly repairs: readonly { readonly worker: string; readonly does: string }[];
  readonly done: readonly { readonly done: boolean }[];
}

let sandbox: Sandbox;
let database: TestDatabase<unknown>;
let good = '';
beforeAll(async () => {
  database = await openTestDatabase();
  sandbox = await Sandbox.withRoot();
  await sandbox.up([], { env: { DATABASE_URL: database.connectionString } });
  for (const name of ['adam', 'beth']) await sandbox.drover(['add', name, '--wait']);
  await sandbox.drover(['start', '--worker', 'adam', '--prompt', 'WRITE a.md one\nCOMMIT Add a']);
  await sandbox.until('adam', 'needs_review');
  // Work that comes to review is saved: until then its row changes.
  const busy = `select from workers where state #>> '{checkpoint,due}' is not null or state #>> '{command,inFlight}' is not null`;
  await until('all to be at rest', async () => (await database.pool.query(busy)).rowCount === 0 || undefined);
  good = JSON.stringify((await database.pool.query('select name, state from workers order by name')).rows);
});
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Restores the healthy rows; checks and screens may have changed since. */
beforeEach(async () => {
  for (const { name, state } of JSON.parse(good) as { name: string; state: { lifecycle: { status: string } } }[])
    await database.pool.query('update workers set state = $2::jsonb, status = $3 where name = $1', [
      name,
      JSON.stringify(state),
      state.lifecycle.status,
    ]);
});

async function spoil(name: string, change: string): Promise<void> {
  await database.pool.query(
    `update workers set state = ${change}, status = (${change}) #>> '{lifecycle,status}' where name = $1`,
    [name],
  );
}

async function doctor(...args: readonly string[]): Promise<Report> {
  const { stdout, stderr } = await sandbox.drover(['doctor', '--json', ...args]);
  if (!stdout.startsWith('{')) throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

async function stateOf(name: string): Promise<object> {
  const { rows } = await database.pool.query<{ state: never }>('select state from workers where name = $1', [name]);
  return rows[0]?.state ?? expect.fail(`no row of ${name}`);
}

const FAR = 9_000_000_000_000;

test.each([
  [
    'a review without a commit',
    'reviews',
    'adam',
    `jsonb_set(state, '{worktree,git}', 'null')`,
    { lifecycle: { status: 'needs_review' }, worktree: { git: expect.objectContaining({ ahead: 1 }) } },
    'put the commit at HEAD up for review',
  ],
  [
    'work without a recorded prompt',
    'prompts',
    'beth',
    `jsonb_set(state, '{lifecycle,status}', '"working"')`,
    { lifecycle: { status: 'needs_input' } },
    'left the worker',
  ],
  [
    'a time in the future',
    'times',
    'beth',
    `jsonb_set(state, '{session,crashes,lastAt}', '${FAR}')`,
    { lifecycle: { status: 'idle' } },
    'times in the future to now',
  ],
  [
    'commands of the past',
    'commands',
    'beth',
    `jsonb_set(state, '{command,seq}', '0')`,
    { lifecycle: { status: 'idle' }, command: { seq: expect.toSatisfy((seq: number) => seq > 0) } },
    'continued the numbers of commands',
  ],
])(
  'given %s, when the doctor examines, tries and repairs, then it is found, left alone, repaired and told',
  async (_, check, name, change, mended, words) => {
    await spoil(name, change);
    const spoilt = await stateOf(name);

    const found = await doctor('--repair', '--dry-run');
    expect(found.findings).toContainEqual(expect.objectContaining({ check, about: name, level: 'problem' }));
    expect(found.repairs.map(({ worker }) => worker)).toContain(name);
    expect(found.done).toEqual([]);
    expect(await stateOf(name)).toEqual(spoilt);

    const repaired = await doctor('--repair');
    expect(repaired.done).toContainEqual(expect.objectContaining({ done: true }));
    expect(await stateOf(name)).toMatchObject(mended);
    expect(repaired.findings).not.toContainEqual(expect.objectContaining({ check, about: name, level: 'problem' }));
    expect((await sandbox.drover(['why', name, '--all'])).stdout).toContain(words);
  },
);

function placeOf(name: string): string {
  return path.join(sandbox.root, '.worktrees', name);
}

/** Finds the repository that keeps branches of workers. */
async function archiveOf(): Promise<string> {
  const depots = path.join(sandbox.dataDir, 'agent', 'depots');
  const [project = ''] = await readdir(depots);
  return path.join(depots, project, 'archive.git');
}

async function branches(): Promise<readonly string[]> {
  const repositories = [placeOf('adam'), placeOf('beth'), await archiveOf()];
  return Promise.all(repositories.map((at) => sandbox.git('-C', at, 'for-each-ref', 'refs/heads')));
}

/** The home of the embedded database: below the data directory, or, for root, where its pointer says. */
async function clusterOf({ dataDir }: Sandbox): Promise<string> {
  const names = await readdir(dataDir, { recursive: true });
  const pointer = names.find((name) => path.basename(name) === 'staged-at');
  if (pointer !== undefined) return (await readFile(path.join(dataDir, pointer), 'utf8')).trim();
  const found = names.find((name) => path.basename(name) === 'pgdata');
  return path.join(dataDir, path.dirname(found ?? ''));
}

function told(check: string, about: string, level: string): unknown {
  return expect.objectContaining({ check, about: expect.stringContaining(about), level });
}

test('given a worktree, a branch and a directory that belong to no worker, and no name for commits, when the doctor examines, then each is told', async () => {
  const archive = await archiveOf();
  await sandbox.git('-C', archive, 'branch', 'drover/lost', 'refs/remotes/origin/main');
  await mkdir(placeOf('stray'));
  await sandbox.git('clone', '--quiet', '.', placeOf('carl'));
  await sandbox.git('-C', placeOf('carl'), 'checkout', '--quiet', '-b', 'drover/carl');
  await sandbox.git('-C', placeOf('carl'), 'config', 'drover.worker', 'carl');
  await sandbox.git('config', '--global', '--unset', 'user.email');

  const { findings } = await doctor();

  await sandbox.git('config', '--global', 'user.email', 'test@example.com');
  await sandbox.git('-C', archive, 'branch', '-D', 'drover/lost');
  for (const name of ['carl', 'stray']) await rm(placeOf(name), { recursive: true });
  for (const one of [
    told('branches', 'drover/lost', 'warning'),
    told('worktrees', '/stray', 'warning'),
    told('worktrees', '/carl', 'warning'),
    told('git', 'demo-drover on', 'problem'),
  ])
    expect(findings).toContainEqual(one);
});

test('given rows that are lost, when workers are rebuilt, then they are back with branches and panes as they were', async () => {
  const panes = async (): Promise<string> => {
    const { rows } = await database.pool.query<{ pane: string }>(
      `select state #>> '{session,pane,incarnation}' as pane from workers order by name`,
    );
    return JSON.stringify(rows);
  };
  const [before, refs] = [await panes(), await branches()];
  await database.pool.query('delete from due_work; delete from commands; delete from workers');

  const asked = await sandbox.drover(['doctor', '--rebuild']);
  const unchanged = await database.pool.query('select from workers');
  const done = await sandbox.drover(['doctor', '--rebuild', '--yes']);

  expect(asked).toMatchObject({ status: 1, stderr: expect.stringContaining('--yes') });
  expect(unchanged.rowCount).toBe(0);
  expect(done.status).toBe(0);
  await sandbox.until('adam', 'needs_review');
  await sandbox.until('beth', 'idle');
  expect(await panes()).toBe(before);
  expect(await branches()).toEqual(refs);
  await sandbox.drover(['review', 'adam']);
  expect((await sandbox.drover(['accept', 'adam'])).status).toBe(0);
});

test('given a backup and a destroyed cluster, when it is restored, then workers take requests again and the old one is kept', async () => {
  await using own = await Sandbox.withRoot();
  const embedded = { env: { DATABASE_URL: undefined } };
  const file = path.join(own.directory, 'all.jsonl');
  const first = await own.up([], embedded);
  await own.done('add', 'adam', '--wait');
  await first.stop();
  await own.done('server', 'export', file);
  const { backup } = JSON.parse(await own.done('server', 'import', file, '--replace', '--yes', '--json')) as {
    backup: string;
  };
  const clusters = path.dirname(path.dirname(backup));
  const second = await own.up([], embedded);
  await own.done('start', '--worker', 'adam', '--prompt', 'SAY hello');
  const whileUp = await own.drover(['doctor', '--repair', '--restore', '20', '--yes']);
  await second.stop();
  await rm(path.join(clusters, 'postgres', 'pgdata', 'base'), { recursive: true });

  const shown = await own.drover(['doctor', '--repair', '--restore', '20', '--dry-run']);
  const restored = await own.drover(['doctor', '--repair', '--restore', '20', '--yes']);
  expect(restored).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Lost from the database: everything since'),
  });
  await own.up([], embedded);
  await own.until('adam', 'idle');
  await own.done('start', '--worker', 'adam', '--prompt', 'WRITE b.md two\nCOMMIT Add b');

  expect(whileUp).toMatchObject({ status: 7, stderr: expect.stringContaining('drover down') });
  expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining('Would restore the backup') });
  await own.until('adam', 'needs_review');
  expect((await readdir(clusters)).some((name) => name.startsWith('postgres.damaged-'))).toBe(true);
});

test('given a damaged database without a backup, when a new one is begun, then the workers come back with their work, and it can be accepted', async () => {
  await using own = await Sandbox.withRoot();
  const embedded = { env: { DATABASE_URL: undefined } };
  const first = await own.up([], embedded);
  await own.done('add', 'adam', '--wait');
  await own.done('add', 'beth', '--wait');
  await own.done('start', '--worker', 'adam', '--prompt', 'WRITE b.md two\nCOMMIT Add b');
  await own.until('adam', 'needs_review');
  await first.stop();
  await rm(path.join(await clusterOf(own), 'pgdata', 'base'), { recursive: true });

  const broken = await own.drover(['up'], embedded);
  const asked = await own.drover(['doctor', '--repair', '--new-database'], embedded);
  const begun = await own.drover(['doctor', '--repair', '--new-database', '--yes'], embedded);
  await own.up([], embedded);
  const rebuilt = await own.done('doctor', '--rebuild', '--yes').catch(String);
  await own.until('adam', 'needs_review');
  await own.until('beth', 'idle');
  await own.done('review', 'adam');
  const accepted = await own.done('accept', 'adam');

  expect(broken).toMatchObject({ stderr: expect.stringContaining('drover doctor --repair --new-database') });
  expect(asked).toMatchObject({ status: 1, stderr: expect.stringContaining('Worktrees, branches and sessions stay') });
  expect(begun).toMatchObject({ status: 0, stdout: expect.stringContaining('"drover doctor --rebuild"') });
  expect(rebuilt).not.toContain('not done');
  expect(accepted).toContain('adam: its work was merged');
  expect(await own.git('log', '--format=%s', '-1')).toContain('Add b');
});
