/** Counts what the records of programs say about tokens and money, on real files that grow. */
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Usage } from '@drover/core';
import { createLocalHost } from '@drover/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linesBefore } from './lines-before.ts';
import type { Source } from './sources.ts';
import { countIn, spentIn, sumOf, type Counted } from './usage.ts';

const host = createLocalHost({ env: {} });
let path = '';
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'drover-usage-')), 'a.jsonl');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

/** Reads a file, which is `path` unless another is named. */
function source(file = path): Source {
  return {
    name: file,
    async *records() {
      for await (const { text, from } of linesBefore(host, file, null))
        yield { record: JSON.parse(text), place: String(from), size: text.length };
    },
  };
}

function append(...records: readonly object[]): void {
  appendFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

const PI = { input: 1200, output: 40, cacheRead: 300, cacheWrite: 7, reasoning: 5, totalTokens: 1547 };
const AT = Date.parse('2026-11-01T10:00:00.000Z');
const time = (seconds: number): string => new Date(AT + seconds * 1_000).toISOString();

function claude(id: string, seconds: number, output: number): object {
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 1_000,
    output_tokens: output,
  };
  return { type: 'assistant', timestamp: time(seconds), message: { id, role: 'assistant', content: [], usage } };
}

function codex(seconds: number, total: number, last: number): object {
  const rest = { cached_input_tokens: 40, output_tokens: 7 };
  const info = {
    total_token_usage: { input_tokens: total, ...rest },
    last_token_usage: { input_tokens: last, ...rest },
  };
  return { timestamp: time(seconds), type: 'event_msg', payload: { type: 'token_count', info } };
}

function pi(id: string, seconds: number): object {
  return { type: 'message', id, timestamp: time(seconds), message: { role: 'assistant', content: [], usage: PI } };
}

async function count(since: number, counted: Counted = { read: new Map(), answers: new Map() }): Promise<Usage | null> {
  await countIn(source(), since, counted);
  return sumOf(counted.answers.values());
}

test('given an answer of Claude whose blocks repeat its use, when it is counted, then it counts once, with its last count', async () => {
  append(claude('m1', 1, 3), claude('m1', 1, 30), { type: 'user', message: { content: 'x' } }, claude('m2', 2, 1));

  expect(await count(AT)).toEqual({ input: 30, cached: 2_000, output: 31, money: null });
});

test('given a conversation that began before the attempt, when it is counted, then only the attempt counts', async () => {
  append(claude('old', -5, 500), claude('m1', 1, 3));

  expect(await count(AT)).toEqual({ input: 15, cached: 1_000, output: 3, money: null });
});

test('given a record that grows, when it is counted again and again, then no answer counts twice, and none is passed over', async () => {
  const counted: Counted = { read: new Map(), answers: new Map() };
  append(claude('m1', 1, 3));
  await count(AT, counted);
  await count(AT, counted);
  append(claude('m1', 1, 8), claude('m2', 2, 2));
  await count(AT, counted);
  append(claude('m3', 3, 1));

  expect(await count(AT, counted)).toEqual({ input: 45, cached: 3_000, output: 11, money: null });
});

test('given counts that Codex writes again when only limits are news, when they are counted, then each counts once, and none of an earlier attempt', async () => {
  append(codex(-2, 100, 100), codex(1, 100, 100), codex(2, 300, 200), codex(3, 300, 200));

  expect(await count(AT)).toEqual({ input: 160, cached: 40, output: 7, money: null });
});

// Source: tokscale 1305, ccusage 1371.
test.each([
  ['Codex, which dates the copy anew', codex(1, 100, 100), codex(5, 100, 100), codex(6, 300, 200)],
  ['Pi', pi('a1', 1), pi('a1', 1), pi('a2', 6)],
])(
  'given a fork of a conversation of %s, when both files are counted, then the copy counts nothing',
  async (_, ...lines) => {
    const [original, ...fork] = lines;
    const counted: Counted = { read: new Map(), answers: new Map() };
    const forked = `${path}.fork`;
    append(original);
    appendFileSync(forked, fork.map((line) => `${JSON.stringify(line)}\n`).join(''));

    await countIn(source(), AT, counted);
    await countIn(source(forked), AT, counted);

    expect(counted.answers.size).toBe(2);
  },
);

test('given a message of OpenCode, when it is read, then tokens and dollars are told', () => {
  const tokens = { input: 20, output: 5, reasoning: 3, cache: { read: 400, write: 6 } };
  const info = { id: 'msg_1', role: 'assistant', time: { created: AT }, tokens, cost: 0.25 };

  expect(spentIn({ info, parts: [] })).toEqual({
    id: 'msg_1',
    at: AT,
    usage: { input: 26, cached: 400, output: 8, money: 0.25 },
  });
});

test('given a message of Gemini, when it is read, then cached tokens are not counted as input', () => {
  const tokens = { input: 120, output: 5, cached: 100, thoughts: 2, tool: 0, total: 127 };

  expect(spentIn({ id: 'g1', timestamp: time(0), type: 'gemini', content: 'hi', tokens })?.usage).toEqual({
    input: 20,
    cached: 100,
    output: 7,
    money: null,
  });
});

test.each([
  ['no object', 'text'],
  ['a prompt', { type: 'user', message: { role: 'user', content: 'x' } }],
  [
    'an answer of Qwen Code, which its note counts',
    {
      type: 'assistant',
      uuid: 'a1',
      timestamp: time(1),
      message: { parts: [] },
      usageMetadata: { promptTokenCount: 9 },
    },
  ],
  [
    'the end of a session of Copilot, which repeats the sum',
    { type: 'session.shutdown', id: 'a1', timestamp: time(1), data: { usage: { inputTokens: 1200 } } },
  ],
  ['limits of Codex without a count', { payload: { type: 'token_count', info: null, rate_limits: {} } }],
])('given %s, when it is read, then it tells no use', (_, record) => {
  expect(spentIn(record)).toBeNull();
});

const QWEN = {
  'event.name': 'qwen-code.api_response',
  input_token_count: 1200,
  output_token_count: 40,
  cached_content_token_count: 200,
  thoughts_token_count: 5,
  subagent_name: 'general-purpose',
};
const COPILOT = { inputTokens: 1200, outputTokens: 40, cacheReadTokens: 200, cacheWriteTokens: 30, cost: 1.5 };

test.each([
  [
    'an answer of Pi, whose list has the price',
    {
      type: 'message',
      id: 'a1',
      message: { role: 'assistant', content: [], usage: { ...PI, cost: { input: 0.1, total: 0.25 } } },
    },
    { input: 1207, cached: 300, output: 40, money: 0.25 },
  ],
  [
    'a summary of Pi, of a model without a price',
    { type: 'compaction', id: 'a1', summary: 'so far', usage: { ...PI, cost: { total: 0 } } },
    { input: 1207, cached: 300, output: 40, money: null },
  ],
  [
    'a note of Qwen Code on an answer of a sub-agent',
    { type: 'system', subtype: 'ui_telemetry', uuid: 'a1', systemPayload: { uiEvent: QWEN } },
    { input: 1000, cached: 200, output: 40, money: null },
  ],
  [
    'a record of Copilot, whose cost is no dollars',
    { type: 'session.usage_record', id: 'a1', data: { usage: COPILOT } },
    { input: 1000, cached: 200, output: 40, money: null },
  ],
])('given %s, when it is read, then it tells its use, under a name that a copy keeps', (_, record, usage) => {
  const line = { ...record, timestamp: time(1) };
  expect(spentIn(line)).toEqual({ id: `${time(1)} a1`, isUnique: true, at: AT + 1_000, usage });
});

test('given counts that are no numbers, when they are read, then they count as nothing', () => {
  const usage = { input_tokens: '12', output_tokens: -4, cache_read_input_tokens: Number.NaN };

  expect(spentIn({ message: { id: 'm', usage } })?.usage).toEqual({ input: 0, cached: 0, output: 0, money: null });
});

test('given a record of no use, when it is counted, then there is no sum', async () => {
  writeFileSync(path, '');

  expect(await count(AT)).toBeNull();
});

test('given a record in which an agent wrote what no model uses, when it is counted, then the sum is a number that everybody reads', async () => {
  const counted: Counted = { read: new Map(), answers: new Map() };
  const huge = Number.MAX_SAFE_INTEGER;
  const usage = { input_tokens: huge, cache_creation_input_tokens: huge, output_tokens: huge };
  const line = (id: string): object => ({ type: 'assistant', timestamp: time(1), message: { id, usage } });
  append(line('a'), line('b'), line('x'.repeat(4_000)));

  await countIn(source(), AT, counted);

  expect(counted.answers.size).toBe(2);
  expect(sumOf(counted.answers.values())).toMatchObject({ input: 1e12, output: 1e12 });
});

test('given a record that an agent made huge and empty, when it is read, then the reading ends', async () => {
  append({});
  truncateSync(path, 2 ** 42);
  let bytes = 0;
  const counting = {
    ...host,
    readRange: async (...[file, range]: Parameters<typeof host.readRange>) => {
      bytes += range.bytesMax;
      return host.readRange(file, range);
    },
  };

  const lines = await Array.fromAsync(linesBefore(counting, path, null));

  expect(lines).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(128 * 1024 * 1024);
});
