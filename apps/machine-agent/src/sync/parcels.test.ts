// Checks that a file comes whole from one machine to another, whatever happens to its chunks on the way.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { CHUNK_BYTES, CHUNK_DIGEST_HEADER } from '@drover/protocol';
import { expect, test } from 'vitest';
import type { TransferBytes } from './http-adapter.ts';
import { openParcels, type ParcelFile, type Parcels } from './parcels.ts';

const files = createLocalHost({ env: {} });
const FROM = 'sender';
const NEVER = new AbortController().signal;

type Request = Parameters<TransferBytes>[1] & { readonly url: string; readonly number: number | null };
type Answer = Awaited<ReturnType<TransferBytes>>;

/** Trouble that a test makes for a request: its own answer, a failure, or nothing. */
type Trouble = (request: Request, count: number) => Answer | Error | null;

/** Sender and receiver with a coordinator that keeps chunks. Time passes as soon as somebody waits. */
interface Wire extends AsyncDisposable {
  readonly sender: Parcels;
  readonly receiver: Parcels;
  readonly file: ParcelFile;
  readonly chunks: Map<number, Uint8Array>;
  /** Method and number of each request, in order. */
  readonly asked: string[];
  trouble: Trouble;
  /** Milliseconds of waiting so far. */
  waited(): number;
  fetched(signal?: AbortSignal): Promise<string>;
}

async function wire(bytes = Math.floor(CHUNK_BYTES * 3.25)): Promise<Wire> {
  const dir = await mkdtemp(join(tmpdir(), 'drover-parcels-'));
  const chunks = new Map<number, Uint8Array>();
  const asked: string[] = [];
  let now = 0;
  const made = { trouble: (() => null) as Trouble };
  const transfer: TransferBytes = async (url, request) => {
    const [, last = ''] = /\/([^/]*)$/u.exec(url) ?? [];
    const number = request.method === 'POST' ? null : Number(last);
    asked.push(`${request.method} ${number ?? ''}`.trim());
    const disturbed = made.trouble({ ...request, url, number }, asked.length);
    if (disturbed instanceof Error) throw disturbed;
    if (disturbed !== null) return disturbed;
    if (number === null) return answer(200, JSON.stringify({ chunks: [...chunks.keys()] }));
    if (request.method === 'PUT') {
      if (digest(request.body ?? new Uint8Array()) !== request.headers[CHUNK_DIGEST_HEADER]) return answer(400);
      chunks.set(number, request.body ?? new Uint8Array());
      return answer(204);
    }
    const content = chunks.get(number);
    return content === undefined ? answer(404) : answer(200, content);
  };
  const clock = {
    now: () => now,
    elapsed: () => now,
    after: (ms: number, run: () => void) => {
      // The limit of a request never passes here; every pause does at once.
      if (ms < 60_000) setImmediate(() => ((now += ms), run()));
      return () => {};
    },
  };
  const common = { files, transfer, clock, random: () => 1, log: () => {} };
  const sender = await openParcels({ ...common, directory: join(dir, 'out') });
  const receiver = await openParcels({ ...common, directory: join(dir, 'in') });
  for (const one of [sender, receiver]) one.connected({ url: 'http://c', accessToken: 'token' });
  const path = join(sender.spool, 'file');
  await writeFile(path, randomBytes(bytes));
  const file = { path, bytes, sha256: await files.sha256(path) };
  return Object.assign(made, {
    sender,
    receiver,
    file,
    chunks,
    asked,
    waited: () => now,
    fetched: async (signal = NEVER) => {
      const to = join(receiver.spool, 'file');
      await receiver.fetch({ ...file, path: to }, { from: FROM, signal });
      return files.sha256(to);
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  });
}

function digest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function answer(status: number, content: Uint8Array | string = '', said?: string): Answer {
  const bytes = new Uint8Array(Buffer.from(content));
  return { status, bytes, header: () => said ?? digest(bytes), retryAfterMs: undefined };
}

const send = ({ sender, file }: Wire, resend = false): Promise<void> => sender.send(file, { resend, signal: NEVER });

test('given a file of several chunks, when it is sent and fetched, then it is the same file, and nothing else is left', async () => {
  await using given = await wire();

  await send(given);

  expect(await given.fetched()).toBe(given.file.sha256);
  expect(given.asked).toEqual(['POST', 'PUT 0', 'PUT 1', 'PUT 2', 'PUT 3', 'GET 0', 'GET 1', 'GET 2', 'GET 3']);
  expect(await readdir(given.receiver.spool)).toEqual(['file']);
});

test('given connections that are cut, when a file is sent and fetched, then no chunk that arrived goes again', async () => {
  await using given = await wire();
  given.trouble = (_request, count) => (count % 2 === 0 ? new Error('cut') : null);

  await send(given);

  expect(await given.fetched()).toBe(given.file.sha256);
  const done = given.asked.filter((_one, index) => index % 2 === 0);
  expect(done).toEqual(['POST', 'PUT 0', 'PUT 1', 'PUT 2', 'PUT 3', 'GET 0', 'GET 1', 'GET 2', 'GET 3']);
});

test('given chunks that are there already, in any order, when the file is sent again, then only the others go', async () => {
  await using given = await wire();
  await send(given);
  for (const number of [3, 1]) given.chunks.delete(number);
  given.asked.length = 0;

  await send(given);
  const resumed = [...given.asked];
  await send(given, true);

  expect(resumed).toEqual(['POST', 'PUT 1', 'PUT 3']);
  expect(given.asked.slice(resumed.length)).toEqual(['POST', 'PUT 0', 'PUT 1', 'PUT 2', 'PUT 3']);
  expect(await given.fetched()).toBe(given.file.sha256);
});

test('given a coordinator that loses the parcel on the way, when it is sent, then it is opened again and sent whole; for ever it is not', async () => {
  await using given = await wire();
  given.trouble = ({ method, number }, count) => {
    if (method !== 'PUT' || number !== 2 || count > 5) return null;
    given.chunks.clear();
    return answer(404);
  };

  await send(given);

  expect(await given.fetched()).toBe(given.file.sha256);
  given.trouble = ({ method }) => (method === 'PUT' ? answer(410) : null);
  given.chunks.clear();
  await expect(send(given)).rejects.toMatchObject({ code: 'parcel-gone' });
});

test('given chunks that arrive as something else, when the file is fetched, then each is fetched again, and one that stays wrong ends it', async () => {
  await using given = await wire();
  await send(given);
  const wrong = [
    answer(200, 'short'),
    answer(200, given.chunks.get(1) ?? '', 'another digest'),
    answer(200, Buffer.alloc(CHUNK_BYTES), digest(given.chunks.get(1) ?? new Uint8Array())),
  ];
  const [short, other, zeros] = wrong;
  let turn = 0;
  given.trouble = ({ number }) => (number === 1 ? ([short, other][turn++] ?? null) : null);

  expect(await given.fetched()).toBe(given.file.sha256);
  given.trouble = ({ number }) => (number === 1 ? (zeros ?? null) : null);
  await expect(given.fetched()).rejects.toMatchObject({ code: 'parcel-damaged' });
});

test('given an access token that is over, when the machine says hello again, then the file goes on with the new one', async () => {
  await using given = await wire();
  given.trouble = ({ token }, count) => {
    if (count === 3) given.sender.connected({ url: 'http://replica-2', accessToken: 'new' });
    return count > 1 && token !== 'new' ? answer(401) : null;
  };

  await send(given);

  expect(given.asked).toEqual(['POST', 'PUT 0', 'PUT 0', 'PUT 0', 'PUT 1', 'PUT 2', 'PUT 3']);
  expect(given.waited()).toBeGreaterThan(0);
});

test('given a parcel that no command names, or that has expired, when it is fetched, then that is said at once', async () => {
  await using given = await wire();

  await expect(given.fetched()).rejects.toMatchObject({ code: 'parcel-gone' });
  expect(given.asked).toEqual(['GET 0']);
});

test('given a coordinator that takes no such parcel, when it is sent, then its words are told', async () => {
  await using given = await wire();
  given.trouble = () => answer(413, JSON.stringify({ code: 'parcel-too-large', message: 'A parcel holds less' }));

  await expect(send(given)).rejects.toMatchObject({
    code: 'parcel-refused',
    message: expect.stringContaining('A parcel holds less'),
  });
});

test('given a command whose time is over, when a coordinator is away, then waiting ends, and the next try goes on where it was', async () => {
  await using given = await wire();
  await send(given);
  const over = new AbortController();
  given.trouble = ({ number }) => {
    if (number !== 2) return null;
    over.abort(new Error('too late'));
    return new Error('nobody there');
  };

  await expect(given.fetched(over.signal)).rejects.toThrow('too late');
  given.trouble = () => null;
  given.asked.length = 0;

  expect(await given.fetched()).toBe(given.file.sha256);
  expect(given.asked).toEqual(['GET 2', 'GET 3']);
});

test('given what a former life of the agent left, when the spool is opened, then it is empty', async () => {
  await using given = await wire();
  const { clock, transfer } = { clock: { now: () => 0, elapsed: () => 0, after: () => () => {} }, transfer: fail };

  const parcels = await openParcels({
    files,
    directory: given.sender.spool,
    clock,
    transfer,
    random: () => 0,
    log: () => {},
  });

  expect(await readdir(parcels.spool)).toEqual([]);
  await expect(readFile(given.file.path)).rejects.toThrow('ENOENT');
});

function fail(): never {
  throw new Error('nothing is sent');
}
