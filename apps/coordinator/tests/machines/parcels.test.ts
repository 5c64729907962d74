// Senders and receivers of parcels through a coordinator, and the traces of failures.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import type { Query } from '@drover/protocol';
import { CHUNK_BYTES, CHUNK_DIGEST_HEADER } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { connect, createSqlStore } from '@drover/store';
import type { Database, Store } from '@drover/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replica, scene } from '../support/coordinator.ts';
import type { Scene } from '../support/coordinator.ts';
import { requestOf, sendRaw } from '../support/raw-socket.ts';
import { ScriptedMachine } from '../support/scripted-machine.ts';

const COMMIT = 'c'.repeat(40);
const PACK: Query = { kind: 'pack', commit: COMMIT, not: [], maxBytes: 1, resend: false };

interface Parcel {
  readonly sha256: string;
  readonly bytes: number;
  readonly chunks: readonly Buffer[];
}

/** Builds two whole chunks and a half. */
function parcel(): Parcel {
  const content = randomBytes(CHUNK_BYTES * 2.5);
  const chunks = [0, 1, 2].map((number) => content.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES));
  return { sha256: digestOf(content), bytes: content.length, chunks };
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A sender with a command to pack, a receiver without one, and their requests. */
interface Carrying extends AsyncDisposable {
  readonly given: Scene;
  readonly store: Store;
  readonly receiver: ScriptedMachine;
  tell(machine: ScriptedMachine, query: Query): Promise<void>;
  ask(request: Asked): Promise<Response>;
  open(of: Parcel, machine?: ScriptedMachine): Promise<Response>;
  put(of: Parcel, number: number, change?: Partial<Asked> & { digest?: string }): Promise<Response>;
  get(of: Parcel, number: number, machine?: ScriptedMachine): Promise<Response>;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly machine: ScriptedMachine;
  readonly url?: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Record<string, string>;
}

async function carrying(patch: Parameters<typeof scene>[0] = {}): Promise<Carrying> {
  await using stack = new AsyncDisposableStack();
  const given = stack.use(await scene(patch));
  const { coordinator, machine: sender } = given;
  const { db } = stack.use(connect<Database>(given.databaseUrl, { log: () => {}, maxConnections: 2 }));
  const store = createSqlStore(db, { sleep: () => Promise.resolve(), random: () => 0 });
  const receiver = stack.use(new ScriptedMachine(coordinator.url));
  await receiver.join(await coordinator.invite(), 'receiver');
  await receiver.hello();
  const [project] = await store.listProjects();
  const tell: Carrying['tell'] = async ({ machineId }, query) => {
    const settings = {
      ...WORKER_SETTINGS,
      workerId: randomUUID(),
      project: { ...WORKER_SETTINGS.project, id: project?.id ?? '' },
    };
    const command = { id: randomUUID(), machineId, workerId: settings.workerId, settings, timeoutMs: 1_000 };
    const all = [{ ...command, body: { kind: 'query', query } } as const];
    await store.transaction((tx) => tx.insertCommands(all, systemClock.now()));
  };
  sender.script = () => [];
  await tell(sender, PACK);
  const ask: Carrying['ask'] = async ({ method, path, machine, url = coordinator.url, body, headers = {} }) =>
    fetch(`${url}/agent/parcels/${path}`, {
      method,
      headers: { authorization: `Bearer ${machine.accessToken}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
  const kept = stack.move();
  return {
    given,
    store,
    receiver,
    tell,
    ask,
    open: ({ sha256, bytes }, machine = sender) =>
      ask({ method: 'POST', path: sha256, machine, body: JSON.stringify({ bytes }) }),
    put: ({ sha256, chunks }, number, { digest, body = chunks[number] ?? Buffer.alloc(1), ...change } = {}) =>
      ask({
        method: 'PUT',
        path: `${sha256}/${number}`,
        machine: sender,
        body,
        headers: { [CHUNK_DIGEST_HEADER]: digest ?? digestOf(Buffer.from(body)) },
        ...change,
      }),
    get: ({ sha256 }, number, machine = receiver) =>
      ask({ method: 'GET', path: `${sender.machineId}/${sha256}/${number}`, machine }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function unpackOf(from: ScriptedMachine, { sha256, bytes }: Parcel): Query {
  return { kind: 'unpack', from: from.machineId, sha256, bytes, commit: COMMIT, checkpoint: 'x' };
}

/** Parcels of each test have other bytes, so that all but the last test share the machines. */
let carried: Carrying;
beforeAll(async () => {
  carried = await carrying({ parcelBytes: 3 * CHUNK_BYTES });
});
afterAll(() => carried[Symbol.asyncDispose]());

test('given chunks in any order and twice, on two replicas of which one is replaced, when the receiver fetches them, then it gets the bytes', async () => {
  const { given, receiver, tell, open, put, get } = carried;
  const sent = parcel();
  const other = await replica(given.databaseUrl);

  const first = await open(sent);
  const answers = [await put(sent, 2, { url: other.url }), await put(sent, 0), await put(sent, 2)];
  await other[Symbol.asyncDispose]();
  const resumed = (await (await open(sent)).json()) as unknown;
  answers.push(await put(sent, 1));
  await tell(receiver, unpackOf(given.machine, sent));
  const got = await Promise.all([0, 1, 2].map((number) => get(sent, number)));

  expect([first.status, await first.json()]).toEqual([200, { chunks: [] }]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  expect(resumed).toEqual({ chunks: [0, 2] });
  const contents = await Promise.all(got.map(async (one) => Buffer.from(await one.arrayBuffer())));
  expect(digestOf(Buffer.concat(contents))).toBe(sent.sha256);
  expect(got.map((one) => one.headers.get(CHUNK_DIGEST_HEADER))).toEqual(sent.chunks.map(digestOf));
});

test('given machines that no command tells to, when they send or fetch a parcel, then it is not found', async () => {
  const { given, receiver, tell, open, put, get } = carried;
  const [sent, another] = [parcel(), parcel()];
  await open(sent);
  await put(sent, 0);

  const before = [await get(sent, 0), await get(sent, 0, given.machine), await open(another, receiver)];
  await tell(receiver, unpackOf(given.machine, another));
  const other = await get(sent, 0);
  await tell(receiver, unpackOf(receiver, sent));
  const ofOther = await get(sent, 0);

  expect([...before, other, ofOther].map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(await other.json()).toMatchObject({ code: 'unknown-parcel' });
});

test('given callers without the identity of a machine, when they come over a bare socket, then they are refused', async () => {
  const { given } = carried;
  const { sha256 } = parcel();
  const chunk = `${sha256}/0`;
  const lines = [`POST /agent/parcels/${sha256}`, `PUT /agent/parcels/${chunk}`];
  const strangers: Record<string, string>[] = [{}, { authorization: 'Bearer not-a-token-of-any-machine' }];

  for (const line of [...lines, `GET /agent/parcels/${given.machine.machineId}/${chunk}`]) {
    for (const headers of strangers) {
      const request = requestOf(line, { host: '127.0.0.1', connection: 'close', 'content-length': '0', ...headers });
      expect(`${line}: ${await sendRaw(given.coordinator.url, request)}`).toMatch(/^[^:]*: HTTP\/1\.1 401 /);
    }
  }
});

test('given requests that are out of form, when they come, then each is refused with its status and nothing is stored', async () => {
  const { given, store, ask, open, put } = carried;
  const { machine } = given;
  const sent = parcel();
  const key = { machineId: machine.machineId, sha256: sent.sha256 };
  const post = (path: string, body: string): Promise<Response> => ask({ method: 'POST', path, machine, body });

  const unopened = await put(sent, 0);
  const early = await store.readParcel(key);
  const misshapen = [
    await post('abc', '{"bytes":1}'),
    await post(sent.sha256.toUpperCase(), '{"bytes":1}'),
    await post(sent.sha256, '{"bytes":0}'),
    await post(sent.sha256, '{"bytes":"1"}'),
    await post(sent.sha256, 'no json'),
  ];
  const tooLarge = await open({ ...sent, bytes: 3 * CHUNK_BYTES + 1 });
  await open(sent);
  const wrong = [
    await post(sent.sha256, '{"bytes":7}'),
    await put(sent, 0, { digest: digestOf(Buffer.from('other')) }),
    await put(sent, 0, { headers: {}, body: 'x' }),
    await put(sent, 0, { body: sent.chunks[0]?.subarray(1) ?? '' }),
    await put(sent, 2, { body: sent.chunks[0] ?? '' }),
    await put(sent, 3),
    await put(sent, 0, { path: `${sent.sha256}/-1`, body: 'x' }),
    await put(sent, 0, { path: `${sent.sha256}/00`, body: 'x' }),
  ];
  const authorization = `Bearer ${machine.accessToken}`;
  const length = { 'content-length': String(CHUNK_BYTES + 1) };
  const headers = { host: '127.0.0.1', connection: 'close', authorization, ...length };
  const heavy = await sendRaw(given.coordinator.url, requestOf(`PUT /agent/parcels/${sent.sha256}/0`, headers));

  expect([unopened.status, early]).toEqual([404, null]);
  expect(misshapen.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  expect(tooLarge.status).toBe(413);
  expect(heavy).toMatch(/^HTTP\/1\.1 413 /);
  expect(wrong.map(({ status }) => status)).toEqual(Array(8).fill(400));
  expect(await store.readParcel(key)).toMatchObject({ bytes: sent.bytes, chunks: [] });
});

test('given a parcel of an hour ago, when it is fetched or sent on, then it has expired, and opening it begins again', async () => {
  const { given, receiver, store, tell, open, put, get } = carried;
  const sent = parcel();
  const key = { machineId: given.machine.machineId, sha256: sent.sha256 };
  await open(sent);
  await put(sent, 0);
  await tell(receiver, unpackOf(given.machine, sent));
  const row = { ...key, bytes: sent.bytes, openedAt: systemClock.now() - 3_700_000 };
  await store.transaction((tx) => tx.openParcel(row));

  const expired = [await get(sent, 0), await put(sent, 1)];
  const again = await open(sent);

  expect(expired.map(({ status }) => status)).toEqual([410, 410]);
  expect([again.status, (await get(sent, 0)).status]).toEqual([200, 200]);
});

test('given as many parcels as are kept at once, when one more is opened, then it is refused, and those there go on', async () => {
  await using full = await carrying();
  const { given, store, open, put } = full;
  const [sent, next] = [parcel(), parcel()];
  await open(sent);
  const large = { machineId: given.machine.machineId, bytes: 4 * 1024 ** 3, openedAt: systemClock.now() };
  await store.transaction((tx) => tx.openParcel({ ...large, sha256: 'd'.repeat(64) }));

  const refused = await open(next);

  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ code: 'parcel-too-large' });
  expect((await put(sent, 0)).status).toBe(204);
});
