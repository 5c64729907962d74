// Measures how soon after a pane shows a new state the observation is committed in Postgres. Everything on the way is real.
import { randomUUID } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { call, replica, workers } from '../../apps/coordinator/tests/support/coordinator.ts';
import { TestMachine } from '../../apps/machine-agent/tests/support/machine.ts';
import { makeFifos, readLines, startAnimator, stopAnimator } from './animated-panes.ts';
import type { StateShown } from './animator.ts';
import { treeCpuMs } from '../src/cpu.ts';
import { type Figure, percent, spread } from '../src/figures.ts';
import { median, percentile } from '../src/table.ts';
import { KINDS, SHOWN, SIZE } from './recorded-screens.ts';
import { COMMIT_TIMES, openBenchPostgres } from '../src/postgres.ts';
import { now, sleep, until } from '../src/wait.ts';

const AGENT = join(import.meta.dirname, '../../apps/machine-agent/tests/support/agent-process.ts');
/** Shortest and longest life of a state, in milliseconds: 200 panes make 20 changes a second. */
const STATE_MS: readonly [number, number] = [5_000, 15_000];
/** Milliseconds until a machine is connected, on a loaded one. */
const CONNECTED_MS = 150_000;
/** Milliseconds for opening one pane with its worktree on a loaded machine. */
const OPEN_MS = 3_000;
/** Changes in the last so many milliseconds of a measurement are left out: they had no time to be stored. */
const LATE_MS = 3_000;
const SETTLE_MS = 2_000;
const POLL_EVERY_MS = 300;

interface Stored {
  readonly name: string;
  readonly kind: string;
  /** Epoch milliseconds of the commit. */
  readonly at: number;
}

/** A coordinator with Postgres, a machine agent, and a worker for each animated pane. */
export async function measureStored({ count, forMs }: { count: number; forMs: number }): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const machine = stack.use(await TestMachine.start());
  const { server: postgres } = stack.use(await openBenchPostgres(COMMIT_TIMES));
  const coordinator = stack.use(await startCoordinatorOn(machine, postgres.connectionString));
  const agent = startAgent(machine, { url: coordinator.url, joinToken: await coordinator.invite() });
  stack.defer(() => stopped(agent));
  const fifoDir = join(machine.dir, 'fifos');
  mkdirSync(fifoDir);
  const log = join(machine.dir, 'states.jsonl');
  const animator = startAnimator({ ...SHOWN, fifos: makeFifos(fifoDir, count), log, stateMs: STATE_MS });
  stack.defer(() => stopAnimator(animator));
  await addWorkers(coordinator.url, count);
  await sleep(SETTLE_MS);
  const spentBefore = treeCpuMs(agent.pid ?? 0);
  const from = now();
  await sleep(forMs);
  const to = now();
  const agentCpu = (treeCpuMs(agent.pid ?? 0) - spentBefore) / (to - from);
  const stored = await readStored(postgres.connectionString);
  const shown = readLines<StateShown>(log);
  const { latenciesMs, missed } = matched(shown, stored, { from, to: to - LATE_MS });
  return [
    {
      what: `change on screen → observation stored, ${count} panes, Postgres, fsync on`,
      measured: `${spread(latenciesMs)}; ${missed} missed`,
      aim: {
        is: 'p50 200 ms, p99 600 ms',
        isKept: median(latenciesMs) <= 200 && percentile(latenciesMs, 0.99) <= 600,
      },
    },
    {
      what: '  beside it: the whole machine agent (look, judge, keep, send)',
      measured: percent(agentCpu),
    },
  ];
}

/** Returns for each change in the time when its observation was committed, and how many never were. */
function matched(
  shown: readonly StateShown[],
  stored: readonly Stored[],
  { from, to }: { from: number; to: number },
): { latenciesMs: readonly number[]; missed: number } {
  const byName = Map.groupBy(stored, ({ name }) => name);
  const nextOf = new Map(shown.map((change) => [`${change.pane} ${change.state}`, change.at]));
  const inTime = shown.filter(({ at }) => at >= from && at < to);
  const latenciesMs = inTime.flatMap(({ pane, state, at }) => {
    const until = (nextOf.get(`${pane} ${state + 1}`) ?? to + LATE_MS) + LATE_MS;
    const kind = KINDS[state % KINDS.length];
    const found = byName.get(`pane-${pane}`)?.find((one) => one.kind === kind && one.at > at && one.at < until);
    return found === undefined ? [] : [found.at - at];
  });
  return { latenciesMs, missed: inTime.length - latenciesMs.length };
}

function startCoordinatorOn(machine: TestMachine, databaseUrl: string): ReturnType<typeof replica> {
  return replica(databaseUrl, {
    project: {
      id: randomUUID(),
      name: 'bench',
      source: machine.source,
      root: machine.root,
      defaultBranch: 'main',
      config: {
        home: machine.plainOptions.machineName,
        copyFiles: [],
        validate: [],
        validateTimeoutMs: 60_000,
        runHooks: false,
        preamble: '',
      },
    },
    defaults: () => ({
      profile: 'sim',
      profiles: ['sim'],
      model: null,
      rolePrompt: '',
      skipPermissions: true,
      allowedTools: [],
      excludedFromPool: true,
      sessionWidth: SIZE.width,
      sessionHeight: SIZE.height,
    }),
  });
}

function startAgent(machine: TestMachine, { url, joinToken }: { url: string; joinToken: string }): ChildProcess {
  const program = ['/bin/sh', '-c', `exec cat "${machine.dir}/fifos/$DROVER_WORKER"`];
  const profiles = { sim: { program, args: [], env: {} } };
  const options = JSON.stringify({ ...machine.plainOptions, coordinatorUrl: url, joinToken, profiles });
  return spawn(process.execPath, [AGENT, options], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function stopped(agent: ChildProcess): Promise<void> {
  const gone = once(agent, 'exit');
  agent.kill('SIGTERM');
  await gone;
}

async function addWorkers(url: string, count: number): Promise<void> {
  await until('the machine to be connected', CONNECTED_MS, async () => {
    const machines = (await call(url, 'machines.list')) as readonly { readonly state: string }[];
    return machines.find(({ state }) => state === 'connected');
  });
  const names = Array.from({ length: count }, (_, index) => `pane-${index}`);
  // The first makes the depot from which the others borrow.
  for (const [index, name] of names.entries()) {
    await call(url, 'workers.add', { requestId: randomUUID(), name });
    if (index === 0) await untilUp(url, 1);
  }
  await untilUp(url, count);
}

/** A worker is up once it has been seen ready, even if it works again by now. */
async function untilUp(url: string, count: number): Promise<void> {
  await until(`${count} workers to be up`, CONNECTED_MS + OPEN_MS * count, async () => {
    const all = await workers(url);
    const failed = all.find(({ status }) => status === 'error');
    if (failed !== undefined) throw new Error(`"${failed.name}" did not come up: ${failed.note}`);
    const up = all.filter(({ status }) => status === 'idle' || status === 'working');
    await sleep(POLL_EVERY_MS);
    return up.length === count ? true : undefined;
  });
}
async function readStored(databaseUrl: string): Promise<readonly Stored[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; kind: string; at: string }>(`
      select w.name, o.body->'reading'->'state'->>'kind' as kind,
        extract(epoch from pg_xact_commit_timestamp(o.xmin)) * 1000 as at
      from observations o join workers w on w.id = o.worker_id
      where o.kind = 'screen' order by o.seq`);
    return rows.map(({ name, kind, at }) => ({ name, kind, at: Number(at) }));
  } finally {
    await client.end();
  }
}
