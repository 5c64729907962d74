/** Plays pages of a conversation on a real file that grows. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  expect(await findRecordBelow(host, directory, '/w/adam')).toBe(join(directory, '2026/11/28/rollout-28.jsonl'));
  expect(await findRecordBelow(host, directory, '/w/carl')).toBeNull();
  expect(await findRecordBelow(host, join(directory, 'none'), '/w/adam')).toBeNull();
});
