/** Plays pages of a conversation on a real file that grows. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { REDACTED, Redactor } from '@drover/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parsedLine } from '../signals/transcript.ts';
import { findRecordBelow } from './find-below.ts';
import { linesBefore } from './lines-before.ts';
import { pageOf } from './page.ts';
import type { PlacedRecord } from './sources.ts';

const host = createLocalHost({ env: {} });
let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'drover-conversation-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function said(text: string): string {
  return `${JSON.stringify({ type: 'user', message: { content: text } })}\n`;
}

async function* recordsOf(path: string, before: number | null): AsyncGenerator<PlacedRecord> {
  for await (const { text, from } of linesBefore(host, path, before))
    yield { record: parsedLine(text), place: String(from), size: text.length };
}

async function pages(path: string, find: string | null, limit = 2): Promise<readonly (readonly string[])[]> {
  const all: (readonly string[])[] = [];
  for (let before: string | null | undefined; before !== null;) {
    const page = await pageOf(
      recordsOf(path, before === undefined ? null : Number(before)),
      { find, limit },
      new Redactor(),
    );
    all.push(page.entries.map(({ text }) => text));
    before = page.before;
  }
  return all;
}

test('given a record that is longer than one read, when it is paged, then every line is there once, newest page first, without the half line at its end', async () => {
  const path = join(directory, 'a.jsonl');
  const long = 'é'.repeat(200_000);
  writeFileSync(path, ['one', 'two', long, 'four', 'five'].map(said).join(''));
  appendFileSync(path, '{"type":"user","mess');

  const texts = await pages(path, null);

  const cut = long.slice(0, 16_000);
  expect(texts).toEqual([['four', 'five'], ['two', cut], ['one']]);
});

test('given words that are searched, then only entries that hold them are found, whatever the case, and no secret answers', async () => {
  const path = join(directory, 'a.jsonl');
  const secret = 'ghp_0123456789abcdefghij0123';
  writeFileSync(path, ['The Port is 80', 'other', `token ${secret}`, 'a port again'].map(said).join(''));

  expect(await pages(path, 'PORT')).toEqual([['The Port is 80', 'a port again']]);
  expect(await pages(path, secret)).toEqual([[]]);
  expect((await pages(path, 'token')).flat()).toEqual([`token ${REDACTED}`]);
});

test('given a missing record, then the page is empty and there is none before it', async () => {
  expect(await pages(join(directory, 'none.jsonl'), null)).toEqual([[]]);
});

test('given files that a program names itself, then the newest one of the working directory is found, and none that only mentions it', async () => {
  for (const [day, cwd] of [
    ['27', '/w/adam'],
    ['28', '/w/adam'],
    ['29', '/w/beth'],
  ] as const) {
    mkdirSync(join(directory, '2026', '11', day), { recursive: true });
    const meta = { timestamp: 't', type: 'session_meta', payload: { id: day, cwd } };
    writeFileSync(
      join(directory, '2026', '11', day, `rollout-${day}.jsonl`),
      `${JSON.stringify(meta)}\n${said('/w/adam')}`,
    );
  }

  expect(await findRecordBelow(host, directory, { cwd: '/w/adam', conversation: null })).toBe(
    join(directory, '2026/11/28/rollout-28.jsonl'),
  );
  expect(await findRecordBelow(host, directory, { cwd: '/w/carl', conversation: null })).toBeNull();
  expect(await findRecordBelow(host, join(directory, 'none'), { cwd: '/w/adam', conversation: null })).toBeNull();
});

test('given 200 newer files of other projects, when a conversation is looked for, then the directory that is named after it or the working directory comes first', async () => {
  for (let index = 0; index < 200; index += 1) written(`other-${index}/2026-12-01_${index}.jsonl`, '/w/other');
  written('--w-a.b--/2026-11-28_1.jsonl', '/w/a.b');
  written('01a2-copilot/events.jsonl', '/w/beth');

  const wanted = { cwd: '/w/a.b', conversation: null };
  expect(await findRecordBelow(host, directory, wanted)).toBe(join(directory, '--w-a.b--/2026-11-28_1.jsonl'));
  const named = { cwd: '/w/beth', conversation: '01a2-copilot' };
  expect(await findRecordBelow(host, directory, named)).toBe(join(directory, '01a2-copilot/events.jsonl'));
});

test('given files whose names tell no date, when a conversation is looked for, then the one that was written last is found', async () => {
  for (const [name, at] of [
    ['ff', 1],
    ['aa', 3],
    ['00', 2],
  ] as const)
    utimesSync(written(`${name}.jsonl`, '/w/adam'), at, at);

  const wanted = { cwd: '/w/adam', conversation: null };
  expect(await findRecordBelow(host, directory, wanted)).toBe(join(directory, 'aa.jsonl'));
});

/** Writes a record of a working directory. @returns its path. */
function written(name: string, cwd: string): string {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ type: 'session', cwd })}\n`);
  return path;
}
