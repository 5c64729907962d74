/** Are files read and written so that absence is an answer and no reader sees half a file? */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createLocalHost } from '../src/index.ts';

const host = createLocalHost({ env: {} });
let dir = '';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'drover-host-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('given nothing at a path, when it is asked for, then the answer is undefined', async () => {
  const path = join(dir, 'nothing', 'here');

  expect(await host.readFile(path)).toBeUndefined();
  expect(await host.stat(path)).toBeUndefined();
  expect(await host.readdir(path)).toBeUndefined();
  await host.removeFile(path);
});

test('given a file, when it is written, appended to and read, then it holds both and only its owner may read', async () => {
  const path = join(dir, 'a');

  await host.writeFile(path, 'one');
  await host.appendFile(path, Buffer.from(' two'));

  expect(Buffer.from((await host.readFile(path)) ?? []).toString()).toBe('one two');
  expect(await host.stat(path)).toMatchObject({ kind: 'file', size: 7 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('given many writers, when they write one file at once, then it holds one of their texts whole and no drafts stay', async () => {
  const path = join(dir, 'a');
  const texts = ['x', 'y', 'z'].map((letter) => letter.repeat(100_000));

  await Promise.all(texts.map((text) => host.writeFile(path, text)));

  expect(texts).toContain(Buffer.from((await host.readFile(path)) ?? []).toString());
  expect(await host.readdir(dir)).toEqual([{ name: 'a', kind: 'file' }]);
});

test('given a directory to be, when it is made twice, then it and its parents are there', async () => {
  const path = join(dir, 'b', 'c');

  await host.mkdir(path);
  await host.mkdir(path);

  expect(await host.stat(path)).toMatchObject({ kind: 'directory' });
  expect(await host.readdir(dir)).toEqual([{ name: 'b', kind: 'directory' }]);
});

test('given a path that cannot be written, when it is written, then the error is thrown', async () => {
  await expect(host.writeFile(join(dir, 'no', 'a'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(host.readFile(dir)).rejects.toMatchObject({ code: 'EISDIR' });
});
