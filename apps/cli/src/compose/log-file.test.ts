import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLogFiles } from './log-file.ts';

function directory(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'drover-log-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return path.join(made, 'logs');
}

const never = (why: string): void => {
  throw new Error(why);
};

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

test('given lines of all levels, when they are logged, then one file has all, another the warnings and errors, both for their owner alone', () => {
  const where = directory();
  const log = openLogFiles({ directory: where, name: 'up' }, never);

  log({ at: 0, level: 'info', message: 'up' });
  log({ at: 1, level: 'error', message: 'a\nbreak', fields: { worker: 'adam' } });

  expect(linesOf(path.join(where, 'up.log'))).toEqual([
    { at: '1970-01-01T00:00:00.000Z', level: 'info', message: 'up' },
    { at: '1970-01-01T00:00:00.001Z', level: 'error', message: 'a\nbreak', worker: 'adam' },
  ]);
  expect(linesOf(path.join(where, 'up.errors.log'))).toMatchObject([{ message: 'a\nbreak' }]);
  expect(statSync(path.join(where, 'up.log')).mode & 0o777).toBe(0o600);
});

test('given a full file, when more is logged, then it is kept under a number, the oldest goes, and no line is torn', () => {
  const where = directory();
  const file = path.join(where, 'up.log');
  const log = openLogFiles({ directory: where, name: 'up', bytesMax: 200, kept: 2 }, never);

  for (let number = 0; number < 20; number += 1) log({ at: number, level: 'info', message: `line ${number}` });

  const kept = [`${file}.2`, `${file}.1`, file].flatMap(linesOf);
  expect(kept).toMatchObject(
    Array.from({ length: kept.length }, (_, index) => ({ message: `line ${20 - kept.length + index}` })),
  );
  expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(200);
  expect(existsSync(`${file}.3`)).toBe(false);
});

test('given a file of an earlier process, when another logs, then it goes on behind it', () => {
  const where = directory();
  openLogFiles({ directory: where, name: 'up' }, never)({ at: 0, level: 'info', message: 'one' });
  openLogFiles({ directory: where, name: 'up' }, never)({ at: 1, level: 'info', message: 'two' });

  expect(linesOf(path.join(where, 'up.log'))).toMatchObject([{ message: 'one' }, { message: 'two' }]);
});

test('given a place that takes no files, when lines are logged, then that is said once, and nothing else happens', () => {
  const where = directory();
  const said: string[] = [];
  writeFileSync(path.dirname(where) + '/logs', 'a file stands here');
  chmodSync(path.dirname(where) + '/logs', 0o600);
  const log = openLogFiles({ directory: where, name: 'up' }, (why) => void said.push(why));

  log({ at: 0, level: 'info', message: 'one' });
  log({ at: 1, level: 'info', message: 'two' });

  expect(said).toEqual([expect.stringContaining(`The log cannot be written to ${where}`)]);
});
