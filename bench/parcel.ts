// What does it cost to carry a repository from one machine to another, beside `git clone` of it on one disk? Time, bytes over the wire,
// what the database writes, and how much memory the coordinator and both machine agents take for it, all in this one process.
//
// npm run bench -- parcel [--smoke] [--set mib=N]
import { createHash, randomFillSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLocalHost } from '@drover/host';
import type { Query } from '@drover/protocol';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { connect, createSqlStore } from '@drover/store';
import type { Database, Store } from '@drover/store';
import { DEFAULT_POLICY } from '../packages/core/src/index.ts';
import { startCoordinator, systemClock, systemIds } from '../apps/coordinator/src/index.ts';
import { localGit } from '../apps/machine-agent/src/host/git-ports.ts';
import { transferByFetch } from '../apps/machine-agent/src/sync/http-adapter.ts';
import type { TransferBytes } from '../apps/machine-agent/src/sync/http-adapter.ts';
import { openParcels } from '../apps/machine-agent/src/sync/parcels.ts';
import { REPOSITORY_MIGRATIONS } from '../packages/store/src/testing/test-database.ts';
import { pack, unpack } from '../packages/worktree/src/index.ts';
import { withClient } from './recovery/fleet.ts';
import type { Benchmark } from './src/benchmark.ts';
import { type BenchPostgres, openBenchPostgres } from './src/postgres.ts';
import { table } from './src/table.ts';

const MIB = 1024 ** 2;
/** MiB that the process may grow by, at any size of the repository. */
const GROWTH_MIB_MAX = 100;
/** MiB that all gits at work may take together, at any size: packs are looked into by windows, and large files are streamed. */
const GIT_MIB_MAX = 200;
const SIGNAL = new AbortController().signal;

/** See the head of the file. */
export const benchmark: Benchmark = {
  about: 'time, bytes and memory of a parcel from machine to machine, beside git clone',
  run: async ({ smoke, settings }) => {
    const mib = Number(settings['mib'] ?? (smoke ? 20 : 1_000));
    await using postgres = await openBenchPostgres();
    const { rows, isBounded } = await measure(postgres, mib);
    console.log(table(['', 'result', 'beside git clone'], rows));
    return isBounded;
  },
};

async function measure(
  { directory: dir, server }: BenchPostgres,
  mib: number,
): Promise<{ rows: string[][]; isBounded: boolean }> {
  const host = createLocalHost({ env: process.env });
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const outcome = await host.run('git', [...identity, ...args], { timeoutMs: 900_000 });
    if (outcome.status !== 0) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}`);
    return outcome.stdout.trim();
  };
  const [source, receiver] = [path.join(dir, 'source'), path.join(dir, 'receiver')];
  const commit = await makeRepository(source, { mib, git });
  await git('init', '-q', '-b', 'main', receiver);
  const cloneMs = await timed(() => git('clone', '-q', '--no-local', `file://${source}`, path.join(dir, 'clone')));
  const url = server.connectionString;
  await using coordinator = await coordinatorOn(url);
  await using connection = connect<Database>(url, { log: () => {}, maxConnections: 2 });
  const store = createSqlStore(connection.db, { sleep: () => Promise.resolve(), random: Math.random });
  const [from, to] = [await machineIn(store, 'from'), await machineIn(store, 'to')];
  let sentBytes = 0;
  const transfer: TransferBytes = async (address, request) => {
    const answer = await transferByFetch(address, request);
    sentBytes += (request.body?.byteLength ?? 0) + answer.bytes.byteLength;
    return answer;
  };
  const common = { files: host, transfer, clock: CLOCK, random: Math.random, log: () => {} };
  const out = await openParcels({ ...common, directory: path.join(dir, 'out') });
  const inbox = await openParcels({ ...common, directory: path.join(dir, 'in') });
  out.connected({ url: coordinator.url, accessToken: from.token });
  inbox.connected({ url: coordinator.url, accessToken: to.token });
  const context = localGit(host);
  const growth = watchMemory();
  const refs = [{ name: 'work', commit }];
  const walBefore = await walBytes(url);

  await tell(store, from.id, { kind: 'pack', commit, not: [], maxBytes: 2_000 * MIB, resend: false });
  let made: Awaited<ReturnType<typeof pack>> = { kind: 'contained' };
  const packMs = await timed(async () => {
    const request = { repo: source, refs, not: [], spool: out.spool, id: 'bench', maxBytes: 2_000 * MIB };
    made = await pack(context, request, host.sha256);
  });
  const parcel = packedOf(made);
  const sendMs = await timed(() => out.send(parcel, { resend: false, signal: SIGNAL }));
  const { sha256, bytes } = parcel;
  await tell(store, to.id, { kind: 'unpack', from: from.id, sha256, bytes, commit, checkpoint: 'x' });
  const file = { ...parcel, path: path.join(inbox.spool, 'parcel') };
  const fetchMs = await timed(() => inbox.fetch(file, { from: from.id, signal: SIGNAL }));
  const unpackMs = await timed(async () => {
    const into = { ...refs[0], name: 'work', commit, into: 'refs/heads/carried' };
    const request = { repo: receiver, file: file.path, sha256, refs: [into], spool: inbox.spool, id: 'bench' };
    const taken = await unpack(context, request, host.sha256);
    if (taken.kind !== 'unpacked') throw new Error(JSON.stringify(taken));
  });

  const memory = growth();
  const growthMib = memory.grown / MIB;
  const wal = (await walBytes(url)) - walBefore;
  const allMs = packMs + sendMs + fetchMs + unpackMs;
  const seconds = (ms: number): string[] => [`${(ms / 1_000).toFixed(2)} s`, `${(ms / cloneMs).toFixed(2)} ×`];
  const share = (value: number): string[] => [
    `${(value / MIB).toFixed(1)} MiB`,
    `${(value / bytes).toFixed(3)} × parcel`,
  ];
  const rows = [
    ['repository', `${mib} MiB`, ''],
    ['git clone file://', ...seconds(cloneMs)],
    ['pack', ...seconds(packMs)],
    ['send', ...seconds(sendMs)],
    ['fetch', ...seconds(fetchMs)],
    ['unpack', ...seconds(unpackMs)],
    ['in all', ...seconds(allMs)],
    ['over the wire, up and down', ...share(sentBytes)],
    ['log of the database', ...share(wal)],
    ['memory grew by at most', `${growthMib.toFixed(1)} MiB`, `limit ${GROWTH_MIB_MAX}`],
    ['its heap, and what lies outside', `${mibOf(memory.heap)}, ${mibOf(memory.outside)}`, ''],
    ['git beside it, at most', `${(memory.git / MIB).toFixed(1)} MiB`, `limit ${GIT_MIB_MAX}`],
  ];
  return { rows, isBounded: growthMib <= GROWTH_MIB_MAX && memory.git / MIB <= GIT_MIB_MAX };
}

/** Files that cannot be compressed, in commits of 50 MiB. @returns the last one. */
async function makeRepository(
  at: string,
  { mib, git }: { mib: number; git: (...args: string[]) => Promise<string> },
): Promise<string> {
  await git('init', '-q', '-b', 'main', at);
  // One buffer for all: what waits to be collected would count as taken before the measurement begins.
  const content = Buffer.alloc(MIB);
  for (let done = 0; done < mib; done += 50) {
    await mkdir(path.join(at, `d${done}`));
    for (let file = 0; file < Math.min(50, mib - done); file += 1)
      await writeFile(path.join(at, `d${done}`, `f${file}`), randomFillSync(content));
    await git('-C', at, 'add', '-A');
    await git('-C', at, 'commit', '-q', '-m', `the first ${done + 50} MiB`);
  }
  return git('-C', at, 'rev-parse', 'HEAD');
}

function mibOf(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}

function packedOf(made: Awaited<ReturnType<typeof pack>>): { path: string; sha256: string; bytes: number } {
  if (made.kind !== 'packed') throw new Error(JSON.stringify(made));
  return made;
}

const CLOCK = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

function coordinatorOn(databaseUrl: string): ReturnType<typeof startCoordinator> {
  return startCoordinator({
    database: { kind: 'url', url: databaseUrl },
    migrationsDir: REPOSITORY_MIGRATIONS,
    host: '127.0.0.1',
    port: 0,
    log: () => {},
    clock: systemClock,
    ids: systemIds,
    random: Math.random,
    version: 'bench',
    pid: process.pid,
    project: null,
    policy: DEFAULT_POLICY,
    parcelBytes: 2_000 * MIB,
    defaults: () => {
      throw new Error('the measurement adds no worker');
    },
    token: null,
    patrolEveryMs: null,
    fatal: () => {},
    stop: null,
  });
}

/** A machine with an access token, as after its hello. */
async function machineIn(store: Store, name: string): Promise<{ id: string; token: string }> {
  const now = Date.now();
  await store.createJoinToken({ sha256: name, expiresAt: now + 60_000, now });
  const id = randomUUID();
  await store.joinMachine({ id, name, publicKey: name, tokenSha256: name, now });
  const token = randomUUID();
  await store.hello({
    machineId: id,
    epoch: 0,
    publicKey: name,
    rotated: false,
    dialledUrl: 'http://127.0.0.1',
    agentEpoch: randomUUID(),
    version: 'bench',
    facts: {},
    accessTokenSha256: createHash('sha256').update(token).digest('hex'),
    accessTokenExpiresAt: now + 3_600_000,
    now,
  });
  return { id, token };
}

async function tell(store: Store, machineId: string, query: Query): Promise<void> {
  const command = { id: randomUUID(), machineId, workerId: randomUUID(), seat: WORKER_SETTINGS, timeoutMs: 1 };
  await store.transaction((tx) => tx.insertCommands([{ ...command, body: { kind: 'query', query } }], Date.now()));
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/**
 * What was taken of memory at most, in bytes: by how much this process grew, its heap and what lies outside of that, and all gits that it
 * started together.
 */
interface Memory {
  readonly grown: number;
  readonly heap: number;
  readonly outside: number;
  readonly git: number;
}

/** @returns a function that ends the watch. */
function watchMemory(): () => Memory {
  const start = process.memoryUsage();
  let [most, heap, outside, git] = [start.rss, start.heapTotal, start.external, 0];
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    most = Math.max(most, now.rss);
    heap = Math.max(heap, now.heapTotal);
    outside = Math.max(outside, now.external);
    git = Math.max(git, gitBytesBelow(process.pid));
  }, 50);
  return () => {
    clearInterval(timer);
    return { grown: most - start.rss, heap: heap - start.heapTotal, outside: outside - start.external, git };
  };
}

/** Resident bytes of the gits below a process, pages of packs that they look into among them. Linux alone tells; else 0. */
function gitBytesBelow(pid: number): number {
  const children = textAt(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + ownGitBytes(child) + gitBytesBelow(child), 0);
}

function ownGitBytes(pid: number): number {
  const status = textAt(`/proc/${pid}/status`);
  if (!/^Name:\tgit/mu.test(status)) return 0;
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024;
}

/** Empty: the process is gone. */
function textAt(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function walBytes(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
    );
    return Number(rows[0]?.bytes ?? 0);
  });
}
