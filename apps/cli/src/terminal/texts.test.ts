import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CommandError } from '../exit-codes.ts';
import { readText } from './texts.ts';

const cwd = await mkdtemp(path.join(os.tmpdir(), 'drover-texts-'));
afterAll(() => rm(cwd, { recursive: true }));

const source = {
  text: undefined,
  file: undefined,
  cwd,
  what: 'prompt',
  given: '--prompt TEXT',
  option: '--prompt-file',
};

test('given words, when they are read, then they come as they are', async () => {
  expect(await readText({ ...source, text: ' two\nlines ' })).toBe(' two\nlines ');
});

test('given a file named from the current directory, when it is read, then its text comes', async () => {
  await writeFile(path.join(cwd, 'task.md'), 'Grüße\n');

  expect(await readText({ ...source, file: 'task.md' })).toBe('Grüße\n');
});

test('given exactly the largest size, when it is read, then it is taken, and one byte more is not', async () => {
  const largest = 'x'.repeat(1_048_576);

  expect(await readText({ ...source, text: largest })).toBe(largest);
  await expect(readText({ ...source, text: `${largest}x` })).rejects.toThrow(
    /1048577 bytes, and at most 1048576 are allowed/,
  );
});

test.each([
  [{}, 'usage', /missing: give it by --prompt TEXT or with --prompt-file FILE/],
  [{ text: 'a', file: 'b' }, 'usage', /either by --prompt TEXT or by --prompt-file, not both/],
  [{ text: ' \n\t' }, 'usage', /empty: write what the agent must do/],
  [{ file: 'nowhere' }, 'not-found', /There is no file .*nowhere/],
  [{ file: '.' }, 'usage', /is not a file/],
])('given %j, when it is read, then it is refused with %s', async (patch, code, message) => {
  const error: unknown = await readText({ ...source, ...patch }).catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(CommandError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
});
