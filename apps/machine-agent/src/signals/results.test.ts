import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { Redactor } from '@drover/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layOutResult, noteBegun, openResults, readBegun, readResultFile } from './results.ts';

const host = createLocalHost({ env: {} });
const OWED = { runId: 'run-1', item: 'build', attempt: 2, returns: 'commit' } as const;
const DONE = { v: 1, attempt: 2, verdict: 'done', summary: 'made it' };
let directory = '';
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'results-'));
  await layOutResult(host, directory, OWED);
});
afterEach(() => {
  rmSync(directory, { recursive: true });
  rmSync(`${directory}.begun`, { force: true });
});

function read(): ReturnType<typeof readResultFile> {
  const redactor = new Redactor();
  return readResultFile(host, directory, { owed: OWED, redactor, offsetMs: 0 });
}

function write(content: string | Uint8Array): void {
  writeFileSync(join(directory, '2.json'), content);
}

test('given a result of this attempt, when it is read, then it comes whole, with the time of its file', async () => {
  write(JSON.stringify({ ...DONE, task: 'run-1/build' }));

  expect(await read()).toEqual({
    kind: 'given',
    attempt: 2,
    at: expect.any(Number),
    result: { verdict: 'done', summary: 'made it', parts: [], report: '', findings: [], answers: [] },
  });
});

test.each([
  ['no JSON', 'done!', 'the file is not JSON'],
  ['bytes that are no text', Uint8Array.of(0xff, 0xfe, 0x00), 'not text in UTF-8'],
  ['a file that is too large', `"${'x'.repeat(600_000)}"`, 'at most 524288 are read'],
  ['another attempt', JSON.stringify({ ...DONE, attempt: 1 }), 'attempt: expected 2, got 1'],
  ["another worker's task", JSON.stringify({ ...DONE, task: 'run-1/other' }), 'got that of another task'],
  ['a verdict that a review gives', JSON.stringify({ ...DONE, verdict: 'approve' }), 'expected "done" or "blocked"'],
  ['a field that nobody knows', JSON.stringify({ ...DONE, commit: 'abc' }), 'commit'],
  ['a summary that is too long', JSON.stringify({ ...DONE, summary: 'x'.repeat(2_001) }), 'summary: '],
])('given %s, when it is read, then it is refused with words', async (_, content, words) => {
  write(content);

  expect(await read()).toEqual({ kind: 'invalid', problem: expect.stringContaining(words) });
});

test('given a link in the place of the file, when it is read, then it is not followed', async () => {
  const other = join(directory, 'other');
  writeFileSync(other, JSON.stringify(DONE));
  symlinkSync(other, join(directory, '2.json'));

  expect(await read()).toEqual({ kind: 'invalid', problem: expect.stringContaining('is no file') });
});

test('given a directory in the place of the file, when it is read, then it is refused', async () => {
  mkdirSync(join(directory, '2.json'));

  expect(await read()).toEqual({ kind: 'invalid', problem: expect.stringContaining('is no file') });
});

test('given a secret in a result, when it is read, then it is redacted', async () => {
  write(JSON.stringify({ ...DONE, summary: 'token ghp_0123456789abcdefghijABCDEFGHIJ012345' }));

  expect(JSON.stringify(await read())).not.toContain('ghp_');
});

test('given the same attempt is told again, when its file is laid out, then its result stays, and goes with the next attempt', async () => {
  write(JSON.stringify(DONE));
  await layOutResult(host, directory, OWED);
  expect((await read()).kind).toBe('given');

  await layOutResult(host, directory, { ...OWED, attempt: 3 });

  expect(readdirSync(directory)).toEqual(['task.json']);
});

test('given a program is started anew, when nothing was told yet, then nothing is owed', async () => {
  await openResults(host, directory, ['/node', "/it's/drover.mjs", 'hook']);

  expect(readdirSync(directory)).toEqual(['drover']);
  expect(readFileSync(join(directory, 'drover'), 'utf8')).toContain(`exec /node '/it'\\''s/drover.mjs' "$@"`);
});

test('given a program that is started again within an attempt, when it is told again, then the attempt began at the first time', async () => {
  const note = (of: typeof OWED | null): Promise<void> => noteBegun(host, directory, { task: 'task-1', of });
  await note(OWED);
  const first = await readBegun(host, directory);
  const long = new Date('2026-01-01T00:00:00Z');
  utimesSync(`${directory}.begun`, long, long);
  await openResults(host, directory, null);
  await note(OWED);

  expect(first?.of).toEqual(OWED);
  expect(await readBegun(host, directory)).toEqual({ task: 'task-1', of: OWED, at: long.getTime() });
  await noteBegun(host, directory, { task: 'task-1', of: { ...OWED, attempt: 3 } });
  expect((await readBegun(host, directory))?.at).toBeGreaterThan(long.getTime());
  await note(null);
  expect(await readBegun(host, directory)).toMatchObject({ task: 'task-1', of: null });
});

test('given a link in the directory, when another attempt begins, then what it leads to stays', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'kept-'));
  writeFileSync(join(kept, 'file'), 'mine');
  symlinkSync(kept, join(directory, 'link'));
  linkSync(join(kept, 'file'), join(directory, 'hard'));

  await layOutResult(host, directory, { ...OWED, attempt: 3 });

  expect(readdirSync(directory)).toEqual(['task.json']);
  expect(readdirSync(kept)).toEqual(['file']);
  rmSync(kept, { recursive: true });
});
