/** Tests that a fleet moves from the embedded database to a server of one's own and back, with `drover server export` and `drover server import`. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openTestDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../../tools/fleet/sandbox.ts';

test('given a fleet on the embedded database, when it is exported, imported into a server and exported from there, then both files are the same bytes', async () => {
  await using sandbox = await Sandbox.withRoot();
  await using server = await openTestDatabase();
  const [first, second] = ['first.jsonl', 'second.jsonl'].map((name) => path.join(sandbox.directory, name));
  const onServer = { env: { DATABASE_URL: server.connectionString } };
  const up = await sandbox.up([], { env: { DATABASE_URL: undefined } });
  await sandbox.drover(['add', 'adam', '--wait']);

  const whileUp = await sandbox.drover(['server', 'export', first ?? '']);
  await up.stop();
  const exported = await sandbox.drover(['server', 'export', first ?? '']);
  const imported = await sandbox.drover(['server', 'import', first ?? '', '--with-tokens'], onServer);
  const again = await sandbox.drover(['server', 'import', first ?? ''], onServer);
  const back = await sandbox.drover(['server', 'export', second ?? ''], onServer);

  expect(whileUp).toMatchObject({ status: 7, stderr: expect.stringContaining('drover down') });
  expect(exported).toMatchObject({ status: 0, stdout: expect.stringContaining('Exported to') });
  expect(imported).toMatchObject({ status: 0, stdout: expect.stringMatching(/Imported \d+ rows/) });
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('not empty') });
  expect(back.status).toBe(0);
  expect(await readFile(second ?? '', 'utf8')).toBe(await readFile(first ?? '', 'utf8'));
});

test('given an embedded database with a fleet, when another file replaces it, then it asks first, and what was there is in a backup', async () => {
  await using sandbox = await Sandbox.withRoot();
  await using server = await openTestDatabase();
  const file = path.join(sandbox.directory, 'file.jsonl.gz');
  await sandbox.drover(['server', 'export', file], { env: { DATABASE_URL: server.connectionString } });
  const up = await sandbox.up([], { env: { DATABASE_URL: undefined } });
  await up.stop();

  const unasked = await sandbox.drover(['server', 'import', file, '--replace']);
  const replaced = await sandbox.drover(['server', 'import', file, '--replace', '--yes', '--json']);

  expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining('--yes') });
  expect(replaced.status).toBe(0);
  const { rows, backup } = JSON.parse(replaced.stdout) as { rows: number; backup: string };
  expect({ rows, backup }).toEqual({ rows: 0, backup: expect.stringContaining('/backups/') });
  expect(await readFile(path.join(backup, 'backup.json'), 'utf8')).toContain('takenAt');
});

test.each([
  [['server', 'export', 'nowhere/file.jsonl'], {}, 4, 'does not exist: make it, or choose another file'],
  [['server', 'export', 'file.jsonl'], { DATABASE_URL: undefined }, 4, 'has no database yet'],
  [['server', 'import', 'missing.jsonl'], {}, 4, 'There is no file'],
  [['server', 'import', 'bad.jsonl'], {}, 2, 'bad.jsonl, line 1, column 11: '],
  [['server', 'import', 'bad.jsonl', '--yes'], {}, 2, '--replace'],
])('given %j, when it is run, then it is told what is wrong', async (args, env, status, words) => {
  await using sandbox = await Sandbox.withRoot();
  await using server = await openTestDatabase();
  await writeFile(path.join(sandbox.root, 'bad.jsonl'), '{"format" "drover-export"}\n');

  const ended = await sandbox.drover(args, { env: { DATABASE_URL: server.connectionString, ...env } });

  expect(ended).toMatchObject({ status, stderr: expect.stringContaining(words) });
});
