/** Rights of a file that a trial writes. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lendFile } from './lend-file.ts';

test("given a file that everybody may write, and none, when they are lent to a user, then both are that user's alone, with what was in them", async () => {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(path.join(tmpdir(), 'drover-lent-'));
  stack.defer(() => rm(directory, { recursive: true }));
  const [open, fresh] = [path.join(directory, 'open'), path.join(directory, 'fresh')];
  await writeFile(open, 'measured', { mode: 0o666 });
  const present = process.getuid?.() ?? 0;
  // Only root can give files away.
  const uid = present === 0 ? 65_534 : present;

  for (const file of [open, fresh]) await lendFile(file, { name: 'nobody', uid, gid: process.getgid?.() ?? 0 });

  const found = await Promise.all([stat(open), stat(fresh)]);
  expect(found.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600]);
  expect(found.map((one) => one.uid)).toEqual([uid, uid]);
  expect(found.map(({ size }) => size)).toEqual(['measured'.length, 0]);
});
