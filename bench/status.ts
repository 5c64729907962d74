// Measures how long `drover status` takes beyond Node's own start. Real processes against a real `drover up`, and against a fleet of 500
// workers.
//
// npm run bench -- status [--smoke] [--set program=FILE]   FILE: another drover, such as that of a package
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fillScene } from './load/scene.ts';
import { databaseUrl, withClient } from './src/client.ts';
import type { Benchmark } from './src/benchmark.ts';
import { openBenchPostgres } from './src/postgres.ts';
import { startDrover } from './src/running-drover.ts';
import type { RunningDrover } from './src/running-drover.ts';
import { smokeLimit } from './src/smoke-limit.ts';
import { median, ms, percentile, table } from './src/table.ts';

/**
 * Milliseconds that `drover status` may take at most beyond Node's start, of wall time: with it the answer is there before a person wonders whether
 * something is wrong.
 */
const LIMIT_MS = 100;
const ROUNDS = 40;
const SMOKE_ROUNDS = 15;
/** The first runs fill the compile cache. */
const WARM_UP = 2;
const WORKERS = { whole: 10, smoke: 3 };
/** A fleet, and the limit of its `drover status` in milliseconds: more is sent, read and printed. */
const FLEET = { machines: 50, workersEach: 10, limitMs: 150 };

const BIN = path.resolve(import.meta.dirname, '../bin/drover');

/** Round: milliseconds of `node -e 0`, of `drover status`, and their difference. */
interface Round {
  readonly node: number;
  readonly status: number;
  readonly beyond: number;
}

/** Takes the difference within each round, so that a load that comes and goes falls out. */
export const benchmark: Benchmark = {
  about: `\`drover status\` takes at most ${LIMIT_MS} ms longer than \`node -e 0\`, of ${FLEET.machines * FLEET.workersEach} workers on ${FLEET.machines} machines ${FLEET.limitMs}`,
  async run({ smoke, settings }) {
    const bin = settings['program'] ?? BIN;
    const count = smoke ? SMOKE_ROUNDS : ROUNDS;
    const few = smoke ? WORKERS.smoke : WORKERS.whole;
    const kept: boolean[] = [];
    {
      await using drover = await startDrover(few);
      kept.push(told(`${few} workers of "drover up"`, measured(bin, drover, count), { smoke, limitMs: LIMIT_MS }));
    }
    await using fleet = await startFleet(bin);
    const what = `${FLEET.machines * FLEET.workersEach} workers on ${FLEET.machines} machines`;
    kept.push(told(what, measured(bin, fleet, count), { smoke, limitMs: FLEET.limitMs }));
    const load = loadavg().map((one) => one.toFixed(1));
    console.log(`${cpus().length} processors, load ${load.join(', ')}`);
    return kept.every(Boolean);
  },
};

function measured(bin: string, { cwd, env }: Pick<RunningDrover, 'cwd' | 'env'>, count: number): readonly Round[] {
  const time = (program: string, args: readonly string[]): number => {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - startedAt;
  };
  for (let round = 0; round < WARM_UP; round += 1) time(bin, ['status']);
  return Array.from({ length: count }, () => {
    const node = time(process.execPath, ['-e', '0']);
    const status = time(bin, ['status']);
    return { node, status, beyond: status - node };
  });
}

/** Prints the table. @returns whether the limit was kept. */
function told(
  what: string,
  rounds: readonly Round[],
  { smoke, limitMs: whole }: { readonly smoke: boolean; readonly limitMs: number },
): boolean {
  const columns = { 'node -e 0': 'node', 'drover status': 'status', difference: 'beyond' } as const;
  const rows = Object.entries(columns).map(([name, column]) => {
    const values = rounds.map((round) => round[column]);
    return [name, ms(Math.min(...values)), ms(median(values)), ms(percentile(values, 0.95))];
  });
  const differences = rounds.map(({ beyond }) => beyond);
  const limitMs = smoke ? smokeLimit(whole, Math.min(...rounds.map(({ node }) => node))) : whole;
  // A few rounds on a machine that does other things say only whether it can be kept at all.
  const beyond = smoke ? Math.min(...differences) : median(differences);
  console.log(table([what, 'least', 'median', 'p95'], rows));
  console.log(
    `${rounds.length} rounds; ${smoke ? 'least' : 'median'} difference at most ${ms(limitMs)}: ${verdict(beyond, limitMs)}`,
  );
  return beyond <= limitMs;
}

/** A coordinator whose database says that the machines are there, and a person who has a token for it. */
async function startFleet(bin: string): Promise<RunningDrover> {
  await using stack = new AsyncDisposableStack();
  const { directory, server } = stack.use(await openBenchPostgres());
  await withClient(server.superuserConnectionString, (client) => client.query('create database status'));
  const url = databaseUrl(server.superuserConnectionString, 'status');
  const { machines, workersEach } = FLEET;
  await fillScene(url, { machines, workersEach, oneOf: workersEach });
  const cwd = path.join(directory, 'person');
  mkdirSync(cwd);
  const places = {
    PATH: process.env['PATH'],
    HOME: cwd,
    XDG_RUNTIME_DIR: path.join(directory, 'run'),
    DROVER_DATA_DIR: path.join(directory, 'data'),
  };
  mkdirSync(places.XDG_RUNTIME_DIR, { mode: 0o700 });
  const made = spawnSync(bin, ['server', 'migrate', '--admin', 'ada', '--json'], {
    cwd,
    env: { ...places, DATABASE_URL: url },
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`"drover server migrate" ended with ${made.status}: ${made.stderr}`);
  const { token } = JSON.parse(made.stdout) as { token: { secret: string } };
  const child = fork(path.join(import.meta.dirname, 'load/coordinator.ts'), {
    env: { ...process.env, DATABASE_URL: url },
  });
  stack.defer(async () => {
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  });
  const [address] = (await once(child, 'message')) as [string];
  const kept = stack.move();
  const env = { ...places, DROVER_URL: address, DROVER_TOKEN: token.secret };
  return { cwd, env, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function verdict(beyond: number, limitMs: number): string {
  return beyond <= limitMs ? 'kept' : `exceeded by ${ms(beyond - limitMs)}`;
}
