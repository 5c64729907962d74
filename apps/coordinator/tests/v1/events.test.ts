/** Events for outside programs: on a coordinator with a real database, over HTTP. */
import { connect } from '@drover/store';
import type { Database } from '@drover/store';
import { expect, test } from 'vitest';
import { call, newId, scene, SECRET, until } from '../support/coordinator.ts';

interface Said {
  readonly cursor: string;
  readonly type: string;
  readonly subject: Readonly<Record<string, unknown>>;
}

interface Feed {
  readonly items: readonly Said[];
  readonly next: string;
}

const headers = { authorization: `Bearer ${SECRET}` };

async function poll(url: string, query: string): Promise<Feed> {
  const response = await fetch(`${url}/v1/events?${query}`, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as Feed;
}

/** Reads a stream until it has this many events. */
async function streamed(
  url: string,
  count: number,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly Said[]> {
  const stop = new AbortController();
  const response = await fetch(url, { headers: { ...headers, ...more }, signal: stop.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const said: Said[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const event of whole) {
      const [, id] = /^id: (.*)$/mu.exec(event) ?? [];
      const [, data] = /^data: (.*)$/mu.exec(event) ?? [];
      if (data === undefined) continue;
      const one = JSON.parse(data) as Said;
      expect(id).toBe(one.cursor);
      said.push(one);
    }
    if (said.length >= count) break;
  }
  stop.abort();
  return said;
}

test('given a worker that is added and works, when a poll and a stream follow from before, then both hear the same in order, and go on after a cursor without a gap', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { next: start } = await poll(url, 'wait=0');
  const waiting = poll(url, `after=${start}&wait=25`);

  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  const first = await waiting;
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), name: 'adam', prompt: 'do it' });
  await until(url, 'adam', 'needs_review');

  expect(first.items[0]).toMatchObject({ type: 'worker.added', subject: { kind: 'worker', worker: 'adam' } });
  let all = first;
  const types = async (): Promise<readonly string[]> => {
    all = await poll(url, `after=${start}&wait=0&limit=500`);
    return all.items.map(({ type, subject }) => `${type} ${String(subject['status'])}`);
  };
  // The coordinator delays an event until every older transaction of the server has ended, also those of other tests.
  await expect.poll(types).toContain('worker.status needs_review');
  expect(await types()).toContain('task.added new');
  const heard = await streamed(`${url}/v1/events/stream?after=${start}`, all.items.length);
  expect(heard).toEqual(all.items);
  const [, second] = all.items;
  const rest = await streamed(`${url}/v1/events/stream?after=${start}`, all.items.length - 2, {
    'last-event-id': second?.cursor ?? '',
  });
  expect(rest).toEqual(all.items.slice(2));
  const tasks = await poll(url, `after=${start}&wait=0&types=task`);
  expect(tasks.items.every(({ type }) => type.startsWith('task.'))).toBe(true);
  expect(JSON.stringify(all)).not.toContain('do it');
});

test('given a cursor that is gone or was never given, when it is followed, then the answer is 410 and no stream', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  await using connection = connect<Database>(given.databaseUrl, { log: () => {}, maxConnections: 1 });
  await connection.pool.query('insert into announcement_floor (id) select 1 + max(id) from announcements');

  for (const after of ['1', '999999999999', 'abc']) {
    const response = await fetch(`${url}/v1/events/stream?after=${after}`, { headers });
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({ code: 'cursor-lost' });
  }
});

test('given eight writers that commit out of order, when a poll follows them, then it misses nothing and hears nothing twice (X12)', async () => {
  await using given = await scene();
  const { url } = given.coordinator;
  const { next: start } = await poll(url, 'wait=0');
  await using connection = connect<Database>(given.databaseUrl, { log: () => {}, maxConnections: 8 });
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; round < 25; round += 1) {
      const client = await connection.pool.connect();
      await client.query('begin');
      await client.query(
        `insert into announcements (at, type, subject, version) values (now(), 'webhook.test', $1, 1)`,
        [JSON.stringify({ kind: 'webhook', id: `${writer}.${round}` })],
      );
      await client.query(`select pg_sleep(${(writer * round * 7) % 11} / 1000.0)`);
      await client.query('commit');
      client.release();
    }
  };
  const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  const heard: string[] = [];
  let cursor = start;
  while (heard.length < 200) {
    const page = await poll(url, `after=${cursor}&wait=5&types=webhook`);
    heard.push(...page.items.map(({ subject }) => String(subject['id'])));
    cursor = page.next;
  }
  await writing;
  const after = await poll(url, `after=${cursor}&wait=0&types=webhook`);

  expect(new Set(heard).size).toBe(200);
  expect([heard.length, after.items.length]).toEqual([200, 0]);
});
