import { execFileSync, spawn } from 'node:child_process';
import { glob, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive, isServerOf } from '../src/server/postmaster-file.ts';
import { childDrover, eventually, logLines, query, start, temporaryDirectory } from '../src/testing/clusters.ts';

const goneOf = (pid: number, pgdata: string) => async () =>
  isAlive(pid) && (await isServerOf(pgdata, pid)) ? undefined : true;

test.each(['PG_VERSION', 'global/pg_control', 'base/4/PG_VERSION'])(
  'given a first start killed once %s was written, when Drover starts again, then it has a whole database',
  async (written) => {
    await using directory = await temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    const pattern = join(dataDir, 'postgres*', 'pgdata', written);
    await using child = childDrover(dataDir);
    await eventually(`the file ${written}`, async () => {
      for await (const path of glob(pattern)) return path;
      return undefined;
    });

    await child.kill();
    await using postgres = await start(dataDir);

    expect(await query(postgres.connectionString, 'select count(*)::int > 300 as whole from pg_class')).toEqual([
      { whole: true },
    ]);
    expect(await Array.fromAsync(glob(join(dataDir, 'postgres.new-*')))).toEqual([]);
  },
);

test('given a running Drover, when it is killed by SIGKILL, then its server ends, and the next one has every committed row', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await using child = childDrover(dataDir);
  const { connectionString, pid } = await child.next();
  await query(connectionString, 'create table kept as select 1 as one');

  await child.kill();
  await eventually('the end of the server', goneOf(pid, dataDir));
  await using next = await start(dataDir);

  expect(await query(next.connectionString, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('given a Drover and its watchdog killed, when the next one starts, then it stops the orphan and takes over its data', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await using child = childDrover(dataDir);
  const { connectionString, pid } = await child.next();
  await query(connectionString, 'create table kept as select 1 as one');
  const { waiting, watchdog } = watchdogOf(pid);
  // The waiting shells first: they stop the server when Drover dies. The watchdog last: Drover replaces the server when the watchdog dies.
  for (const one of waiting) process.kill(one, 'SIGKILL');
  await child.kill();
  process.kill(watchdog, 'SIGKILL');
  expect(isAlive(pid)).toBe(true);
  const { lines, log } = logLines();

  await using next = await start(dataDir, { log });

  expect(lines).toContainEqual(expect.stringContaining(`earlier Drover (process ${pid})`));
  expect(await goneOf(pid, dataDir)()).toBe(true);
  expect(await query(next.connectionString, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('given a pid file that names a living process of another program, when Drover starts, then it is not fooled', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await (await start(dataDir)).stop();
  const pgdata = join(dataDir, 'postgres', 'pgdata');
  const { uid, gid } = await stat(pgdata); // the server takes a process of its own user for a server
  const somebody = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
  await using held = new AsyncDisposableStack();
  held.defer(() => void somebody.kill());
  await writeFile(join(pgdata, 'postmaster.pid'), `${somebody.pid}\n${pgdata}\n1\n5432\n\n\n\nready\n`);

  await using postgres = await start(dataDir);

  expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(isAlive(somebody.pid ?? 0)).toBe(true);
});

test('given a running server, when it is killed by SIGKILL, then it is started again on the same address with its rows', async () => {
  await using directory = await temporaryDirectory();
  const { lines, log } = logLines();
  await using postgres = await start(join(directory.path, 'data'), { log });
  await query(postgres.connectionString, 'create table kept as select 1 as one');
  const killed = postgres.pid;

  process.kill(killed, 'SIGKILL');
  const rows = await eventually('an answer of the new server', () =>
    query(postgres.connectionString, 'select one from kept').catch(() => undefined),
  );

  expect(rows).toEqual([{ one: 1 }]);
  expect(postgres.pid).not.toBe(killed);
  expect(lines).toContainEqual(expect.stringContaining(`(process ${killed}) died`));
});

/** The watchdog is the server's parent; its waiting shell is that one's other child. Both must go to make an orphan. */
function watchdogOf(server: number): { readonly waiting: readonly number[]; readonly watchdog: number } {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const watchdog = processes.find(([pid]) => pid === server)?.[1] ?? 0;
  expect(watchdog).toBeGreaterThan(1);
  const waiting = processes.filter(([pid, parent]) => parent === watchdog && pid !== server).map(([pid]) => pid ?? 0);
  return { waiting, watchdog };
}
