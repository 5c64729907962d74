// `npm run soak -- --hours 8 [--state DIR]`: does Drover keep its promises through a night of work and chaos?
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { randomBytes, randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@drover/store';
import { z } from 'zod';
import { Api } from './api.ts';
import { unleash, type Mishap } from './chaos.ts';
import { count, ledgerLine, type Given, type LedgerLine, type Witnessed } from './count.ts';
import { growthOf, type Weight } from './leaks.ts';
import { Network } from './network.ts';
import { Part, processesOf, weigh } from './parts.ts';
import { git, openPlace, recall, remember, type Memory, type Place } from './place.ts';
import { lineOf, verdict, type Row } from './report.ts';
import { work } from './work.ts';

const HELP = `npm run soak -- [--hours 8] [--workers 6] [--state DIR] [--every MINUTES]

Works with simulated agents while the machine agent, the coordinator, the database, the tmux server and the agents
are killed and the network is cut; counts every 5 minutes; ends with a verdict. Stopped (Ctrl-C) and started again with
the same --state it goes on. Exit status: 0 promises kept, 1 broken, 2 it could not run, 130 stopped before its time.
`;

const HOUR_MS = 3_600_000;
const WEIGH_EVERY_MS = 10_000;
/** Of each hour the second half spares the processes whose memory is judged. */
const CYCLE_MS = HOUR_MS;
/** Exit status of a program that a person ended. */
const STOPPED = 130;
/** Milliseconds that the last tasks have to come to their end when the time is over. */
const FINISH_MS = 600_000;

interface Options {
  readonly hours: number;
  readonly workers: number;
  readonly state: string;
  readonly everyMs: number;
}

async function main(options: Options): Promise<number> {
  mkdirSync(options.state, { recursive: true });
  const place = openPlace(options.state, process.env);
  const memory: Memory = recall(place) ?? {
    ranMs: 0,
    token: randomBytes(24).toString('base64url'),
    joined: false,
    nextTask: 1,
    port: await freePort(),
  };
  remember(place, memory);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  try {
    return await soak(place, { memory, options, stop: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  console.log(`Stopped; the same command with --state ${place.dir} goes on`);
  return STOPPED;
}

async function soak(
  place: Place,
  { memory, options, stop }: { memory: Memory; options: Options; stop: AbortSignal },
): Promise<number> {
  const ending = new AbortController();
  stop.addEventListener('abort', () => ending.abort());
  const [startedAt, ranBefore, totalMs] = [Date.now(), memory.ranMs, options.hours * HOUR_MS];
  const ranMs = (): number => ranBefore + Date.now() - startedAt;

  await using stack = new AsyncDisposableStack();
  const log = (_: unknown, words: string): void => appendFileSync(join(place.dir, 'database.log'), `${words}\n`);
  const database = stack.use(
    await startEmbeddedPostgres({ dataDir: join(place.dir, 'postgres'), log, durability: 'full' }),
  );
  const env = { ...place.env, DATABASE_URL: database.connectionString, DROVER_TOKEN: memory.token };
  const near = await freePort();
  const network = stack.use(await Network.open(near, memory.port));
  stack.defer(() => void killAll(place));
  const coordinator = stack.use(
    new Part(place, 'coordinator', { args: ['coordinator', '--port', String(memory.port)], env }),
  );
  const api = new Api(`http://127.0.0.1:${memory.port}`, memory.token, stop);
  const joining = memory.joined ? [] : ['--join', await api.invite()];
  const agent = stack.use(
    new Part(place, 'agent', { args: ['agent', '--url', `http://127.0.0.1:${near}`, ...joining], env: place.env }),
  );
  while (!(await api.isConnected())) await delay(500);
  let now: Memory = { ...memory, joined: true };
  const keep = (): void => remember(place, (now = { ...now, ranMs: ranMs() }));
  keep();
  console.log(
    `Soaking in ${place.dir}: ${options.workers} workers, ${options.hours} h, of which ${(ranBefore / HOUR_MS).toFixed(2)} h are done`,
  );

  const write = (line: LedgerLine): void => appendFileSync(place.ledger, `${JSON.stringify(line)}\n`);
  const nextTask = (): number => {
    remember(place, (now = { ...now, nextTask: now.nextTask + 1 }));
    return now.nextTask - 1;
  };
  const shift = { api, ending: ending.signal, nextTask, write };
  const open = openTasks(ledgerOf(place));
  const names = Array.from({ length: options.workers }, (_, at) => `w${at + 1}`);
  const lives = new Map<string, Weight[]>();
  const mishaps: Record<string, number> = {};

  const row = async (): Promise<Row> => {
    const subjects = git(place, 'log', '--format=%s', 'main').split('\n');
    const growth = [...lives].map(([name, weights]) => growthOf(name, weights));
    const longest = ['agent', 'coordinator', 'database', 'tmux'].flatMap((name) =>
      growth
        .filter((each) => each.name.startsWith(name))
        .toSorted((a, b) => b.livedMs - a.livedMs)
        .slice(0, 1),
    );
    const codes = await api.codes(Math.max(60_000, ranMs()));
    const { length: runs } = { length: coordinator.ownEnds + agent.ownEnds };
    const all = runs === 0 ? mishaps : { ...mishaps, 'ended by itself': runs };
    return {
      at: new Date().toISOString(),
      ranMs: ranMs(),
      counts: count(ledgerOf(place), witnessOf(place), subjects),
      mishaps: { ...all },
      codes,
      growth: longest,
    };
  };
  const tell = async (): Promise<Row> => {
    const counted = await row();
    keep();
    appendFileSync(place.rows, `${JSON.stringify(counted)}\n`);
    console.log(lineOf(counted));
    return counted;
  };
  const weighAll = (): void => {
    const parts: (readonly [string, number])[] = [
      ['agent', agent.pid],
      ['coordinator', coordinator.pid],
      ['database', database.pid ?? 0],
      ...processesOf(place, 'tmux').map(({ pid }) => ['tmux', pid] as const),
    ];
    for (const [name, pid] of parts) {
      const weight = weigh(pid);
      const life = `${name} (${pid})`;
      if (weight !== null) lives.set(life, [...(lives.get(life) ?? []), { at: Date.now(), ...weight }]);
    }
  };

  const strike: Readonly<Record<Mishap, () => Promise<void> | void>> = {
    agent: () => agent.kill(),
    coordinator: () => coordinator.kill(),
    database: () => killOne(database.pid),
    tmux: () => killOne(processesOf(place, 'tmux')[0]?.pid),
    program: () => {
      const found = processesOf(place, 'sim-agent');
      killOne(found[randomInt(Math.max(1, found.length))]?.pid);
    },
    network: async () => {
      network.cut();
      await delay(randomInt(1_000, 20_000), undefined, { signal: ending.signal }).catch(() => {});
      network.mend();
    },
  };
  const isCalm = (): boolean => ranMs() % Math.min(CYCLE_MS, totalMs) > Math.min(CYCLE_MS, totalMs) / 2;
  const chaos = unleash(strike, {
    ending: ending.signal,
    isCalm,
    tell: (mishap) => (mishaps[mishap] = (mishaps[mishap] ?? 0) + 1),
  });
  const workers = names.map((name) =>
    work(
      shift,
      name,
      open.find(({ worker }) => worker === name),
    ),
  );
  const broken = Promise.all(workers).then(
    () => null,
    (error: unknown) => error,
  );

  let lastTold = Date.now();
  while (ranMs() < totalMs && !stop.aborted) {
    const failed = await Promise.race([
      broken,
      delay(WEIGH_EVERY_MS, undefined, { signal: stop }).catch(() => undefined),
    ]);
    if (failed instanceof Error && !stop.aborted) throw failed;
    weighAll();
    if (Date.now() - lastTold < options.everyMs) continue;
    lastTold = Date.now();
    await tell();
  }
  ending.abort();
  await chaos;
  keep();
  stop.throwIfAborted();
  const late = await Promise.race([broken, delay(FINISH_MS, 'late', { ref: false })]);
  if (late instanceof Error) throw late;
  const wrong = verdict(await tell());
  console.log(wrong.length === 0 ? 'Every promise was kept.' : `Not as promised:\n${wrong.join('\n')}`);
  return wrong.length === 0 ? 0 : 1;
}

function ledgerOf({ ledger }: Place): readonly LedgerLine[] {
  return existsSync(ledger) ? linesOf(ledger).map((line) => ledgerLine.parse(JSON.parse(line))) : [];
}

function openTasks(ledger: readonly LedgerLine[]): readonly Given[] {
  const ended = new Set(ledger.filter(({ kind }) => kind !== 'given').map(({ task }) => task));
  return ledger.flatMap((line) => (line.kind === 'given' && !ended.has(line.task) ? [line] : []));
}

const witnessLine = z.object({ event: z.string(), prompt: z.string().optional() });

function witnessOf({ witness }: Place): readonly Witnessed[] {
  // Of a program that was killed while it wrote, a line may be cut.
  const taken = existsSync(witness)
    ? linesOf(witness).filter((line) => line.includes('"taken"') && line.endsWith('}'))
    : [];
  return taken.map((line) => witnessLine.parse(JSON.parse(line)));
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function killOne(pid: number | null | undefined): void {
  if (pid == null || pid === 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended meanwhile
  }
}

/** Sessions outlive their machine agent, and would outlive the soak. */
function killAll(place: Place): void {
  for (const { pid } of [...processesOf(place, 'tmux'), ...processesOf(place, 'sim-agent')]) killOne(pid);
}

async function freePort(): Promise<number> {
  const { promise, resolve: found } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => found(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '8' },
    workers: { type: 'string', default: '6' },
    every: { type: 'string', default: '5' },
    state: { type: 'string', default: '/tmp/drover-soak' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else
  try {
    const [hours, workers, minutes] = [Number(values.hours), Number(values.workers), Number(values.every)];
    if (!(hours > 0) || !(workers >= 1) || !(minutes > 0))
      throw new Error('--hours, --workers and --every are numbers above 0');
    process.exitCode = await main({ hours, workers, state: resolve(values.state), everyMs: minutes * 60_000 });
  } catch (error) {
    console.error(`soak: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 2;
  }
