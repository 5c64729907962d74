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
import { Redactor, resultSeen } from '@drover/protocol';
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
  const redactor = new Redactor({ values: ['hunter22'] });
  return readResultFile(host, directory, { owed: OWED, redactor, offsetMs: 0 });
}

function numbers(count: number): readonly (readonly [string, number])[] {
  return Array.from({ length: count }, (_, at) => [`field${at}`, at]);
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

const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const nested = (depth: number): string => `{"v":1,"parts":${'['.repeat(depth)}${']'.repeat(depth)}}`;

test.each([
  ['a field with a name of 400,000 characters', JSON.stringify({ ...DONE, ['k'.repeat(400_000)]: 1 })],
  ['20,000 fields that nobody knows', JSON.stringify({ ...DONE, ...Object.fromEntries(numbers(20_000)) })],
  ['a verdict and fields of zero bytes', JSON.stringify({ ...DONE, ['\0'.repeat(60_000)]: 1, verdict: '\0' })],
  ['lists in lists, 250,000 deep', nested(250_000)],
  ['a secret in the name of a field', JSON.stringify({ ...DONE, [SECRET]: 1 })],
])('given %s, when it is read, then what is said of it is short, and a coordinator can read it', async (_, content) => {
  write(content);

  const seen = await read();

  expect(seen.kind).toBe('invalid');
  expect(JSON.stringify(seen).length).toBeLessThan(1_000);
  expect(resultSeen.safeParse(seen).success).toBe(true);
  expect(JSON.stringify(seen)).not.toMatch(/\\u0000|ghp_|hunter22/);
});

test.each([
  ['zero bytes', `a${'\0'.repeat(1_999)}`],
  ['short secrets', 'hunter22 '.repeat(222)],
])(
  'given a summary that grows as %s in it are replaced, when it is read, then the field and its limit are told',
  async (_, summary) => {
    write(JSON.stringify({ ...DONE, summary }));

    const words = /^summary: .*2000 characters, after zero bytes and secrets were replaced$/u;
    expect(await read()).toEqual({ kind: 'invalid', problem: expect.stringMatching(words) });
  },
);

test('given a secret at any place of a long name, when what is wrong is told, then no part of the secret is', async () => {
  const told: string[] = [];
  for (let at = 250; at < 310; at += 1) {
    write(JSON.stringify({ ...DONE, [`${'k'.repeat(at)} hunter22`]: 1 }));
    told.push(JSON.stringify(await read()));
  }

  expect(told.filter((one) => one.includes('hunt'))).toEqual([]);
});

test('given half a character and a zero byte in a result, when it is read, then they are marks', async () => {
  write(JSON.stringify({ ...DONE, summary: 'a\0b\ud800' }));

  expect(await read()).toMatchObject({ kind: 'given', result: { summary: 'a⟨U+0000⟩b\ufffd' } });
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
