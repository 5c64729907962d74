// Measures what it costs to carry a repository from one machine to another, beside `git clone` of it on one disk. Time, bytes over the
// wire, what the database writes, and how much memory the coordinator and both machine agents take for it, all in this one process. Then
// one more commit, beside `git push` of it; and how long decisions take meanwhile, beside the same without.
//
// npm run bench -- parcel [--smoke] [--set mib=N]
import { randomFillSync } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLocalHost } from '@drover/host';
import { measureSaved } from '../recovery/saved.ts';
import { withClient } from '../recovery/fleet.ts';
import type { Benchmark } from '../src/benchmark.ts';
import { type BenchPostgres, openBenchPostgres } from '../src/postgres.ts';
import { median, ms, percentile, table } from '../src/table.ts';
import { MIB, openCarrier, timed } from './carrier.ts';
import type { Carried, Carrier } from './carrier.ts';
import { watchMemory } from './memory.ts';

/** MiB that the process may grow by, at any size of the repository. */
const GROWTH_MIB_MAX = 100;
/** MiB that all gits at work may take together, at any size: packs are looked into by windows, and large files are streamed. */
const GIT_MIB_MAX = 200;
/** Factor by which one commit may take longer than `git push`. */
const TIMES_PUSH_MAX = 5;
/** The slowest of a hundred decisions may take so many times longer while a parcel is carried. */
const TIMES_IDLE_MAX = 5;

export const benchmark: Benchmark = {
  about: 'time, bytes and memory of a parcel from machine to machine, beside git clone; one commit beside git push',
  run: async ({ smoke, settings }) => {
    const mib = Number(settings['mib'] ?? (smoke ? 20 : 1_000));
    await using postgres = await openBenchPostgres();
    const yard = await openYard(postgres.directory, mib);
    await using carrier = await openCarrier(yard.host, postgres.server.connectionString, postgres.directory);
    const isBounded = await whole(yard, carrier, { mib, url: postgres.server.connectionString });
    const isSoon = await oneCommit(yard, carrier, smoke ? 3 : 20);
    const isCalm = await beside(postgres, carrier, { mib: Math.min(mib, 100), observations: smoke ? 60 : 600 });
    return isBounded && (smoke || (isSoon && isCalm));
  },
};

type Git = (...args: string[]) => Promise<string>;

/** The repository that is carried, the one that gets it, and one that git itself is measured with. */
interface Yard {
  readonly host: ReturnType<typeof createLocalHost>;
  readonly git: Git;
  readonly source: string;
  readonly receiver: string;
  readonly clone: string;
  readonly commit: string;
  readonly cloneMs: number;
}

async function openYard(directory: string, mib: number): Promise<Yard> {
  const host = createLocalHost({ env: process.env });
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const outcome = await host.run('git', [...identity, ...args], { timeoutMs: 900_000 });
    if (outcome.status !== 0) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}`);
    return outcome.stdout.trim();
  };
  const [source, receiver, clone] = ['source', 'receiver', 'clone'].map((name) => path.join(directory, name)) as [
    string,
    string,
    string,
  ];
  const commit = await makeRepository(source, { mib, git });
  await git('init', '-q', '-b', 'main', receiver);
  const [, cloneMs] = await timed(() => git('clone', '-q', '--bare', '--no-local', `file://${source}`, clone));
  return { host, git, source, receiver, clone, commit, cloneMs };
}

/** All of the repository. @returns whether memory stayed within its limits. */
async function whole(yard: Yard, carrier: Carrier, { mib, url }: { mib: number; url: string }): Promise<boolean> {
  const { source, receiver, commit, cloneMs } = yard;
  const growth = watchMemory();
  const walBefore = await walBytes(url);
  const took = await carrier.carry({ source, receiver, commit, not: [], into: 'refs/heads/carried' });
  const memory = growth();
  const growthMib = memory.grown / MIB;
  const wal = (await walBytes(url)) - walBefore;
  const seconds = (ms: number): string[] => [`${(ms / 1_000).toFixed(2)} s`, `${(ms / cloneMs).toFixed(2)} ×`];
  const share = (value: number): string[] => [mibOf(value), `${(value / took.bytes).toFixed(3)} × parcel`];
  const rows = [
    ['repository', `${mib} MiB`, ''],
    ['git clone file://', ...seconds(cloneMs)],
    ['pack', ...seconds(took.pack)],
    ['send', ...seconds(took.send)],
    ['fetch', ...seconds(took.fetch)],
    ['unpack', ...seconds(took.unpack)],
    ['in all', ...seconds(inAll(took))],
    ['over the wire, up and down', ...share(carrier.sentBytes())],
    ['log of the database', ...share(wal)],
    ['memory grew by at most', `${growthMib.toFixed(1)} MiB`, `limit ${GROWTH_MIB_MAX}`],
    ['its heap, and what lies outside', `${mibOf(memory.heap)}, ${mibOf(memory.outside)}`, ''],
    ['git beside it, at most', mibOf(memory.git), `limit ${GIT_MIB_MAX}`],
  ];
  console.log(table(['', 'result', 'beside git clone'], rows));
  return growthMib <= GROWTH_MIB_MAX && memory.git / MIB <= GIT_MIB_MAX;
}

/** Commits one by one: each is carried, and pushed. @returns whether the aim is kept. */
async function oneCommit(
  { git, source, receiver, clone, commit }: Yard,
  carrier: Carrier,
  rounds: number,
): Promise<boolean> {
  const carried: number[] = [];
  const pushed: number[] = [];
  let before = commit;
  for (let round = 0; round < rounds; round += 1) {
    const next = await commitNotes(git, source, round);
    const cargo = { source, receiver, commit: next, not: [before], into: `refs/heads/round-${round}` };
    carried.push(inAll(await carrier.carry(cargo)));
    const [, pushMs] = await timed(() => git('-C', source, 'push', '-q', `file://${clone}`, 'HEAD:main'));
    pushed.push(pushMs);
    before = next;
  }
  const times = median(carried) / median(pushed);
  console.log(
    table(
      ['one commit', 'median', 'aim'],
      [
        ['from machine to machine', ms(median(carried)), ''],
        ['git push to file://', ms(median(pushed)), ''],
        ['times', times.toFixed(2), `at most ${TIMES_PUSH_MAX}`],
      ],
    ),
  );
  return times <= TIMES_PUSH_MAX;
}

/** Decisions of a fleet on the same Postgres, without and with a parcel on its way again and again. @returns whether the aim is kept. */
async function beside(
  { directory, server }: BenchPostgres,
  carrier: Carrier,
  { mib, observations }: { mib: number; observations: number },
): Promise<boolean> {
  const { git, source, receiver } = await openYard(path.join(directory, 'beside'), mib);
  const plan = { workers: 100, observations, warmUp: Math.ceil(observations / 5), together: 1 };
  const idle = p99(await measureSaved(server, { ...plan, seed: 1 }));
  const measured = new AbortController();
  let parcels = 0;
  const carrying = (async () => {
    while (!measured.signal.aborted) {
      parcels += 1;
      // Carries another parcel each time: one that is there already would not be sent.
      const commit = await commitNotes(git, source, parcels);
      await carrier.carry({ source, receiver, commit, not: [], into: `refs/heads/again-${parcels}` });
    }
  })();
  const meanwhile = p99(await measureSaved(server, { ...plan, seed: 2 }));
  measured.abort();
  await carrying;
  console.log(
    table(
      ['99 of 100 decisions are saved within', 'alone', 'while parcels are carried', 'times', 'aim'],
      [
        [
          `${observations} decisions`,
          ms(idle),
          ms(meanwhile),
          (meanwhile / idle).toFixed(2),
          `at most ${TIMES_IDLE_MAX}`,
        ],
      ],
    ),
  );
  return meanwhile <= idle * TIMES_IDLE_MAX;
}

/** @returns the new commit. */
async function commitNotes(git: Git, source: string, round: number): Promise<string> {
  await appendFile(path.join(source, 'notes.txt'), `round ${round}\n`);
  await git('-C', source, 'add', 'notes.txt');
  await git('-C', source, 'commit', '-q', '-m', `round ${round}`);
  return git('-C', source, 'rev-parse', 'HEAD');
}

function p99(pairs: readonly { readonly ours: number }[]): number {
  return percentile(
    pairs.map(({ ours }) => ours),
    0.99,
  );
}

function inAll({ pack, send, fetch, unpack }: Carried): number {
  return pack + send + fetch + unpack;
}

/** Files that cannot be compressed, in commits of 50 MiB. @returns the last one. */
async function makeRepository(at: string, { mib, git }: { mib: number; git: Git }): Promise<string> {
  await git('init', '-q', '-b', 'main', at);
  // Uses one buffer for all: what waits to be collected would count as taken before the measurement begins.
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

async function walBytes(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
    );
    return Number(rows[0]?.bytes ?? 0);
  });
}
