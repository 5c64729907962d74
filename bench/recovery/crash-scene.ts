// A coordinator on Postgres, a machine agent in a process of its own, and workers with simulated agents on real tmux.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { call, replica, until as untilStatus } from '../../apps/coordinator/tests/support/coordinator.ts';
import { TestMachine } from '../../apps/machine-agent/tests/support/machine.ts';
import { until } from '../eyes-hands/wait.ts';
import { COMMIT_TIMES, openBenchPostgres } from '../src/postgres.ts';

const AGENT = fileURLToPath(new URL('../../apps/machine-agent/tests/support/agent-process.ts', import.meta.url));
/** A turn that outlasts the measurement. */
const PROMPT = 'SLOW 3600000';
/** Milliseconds that a slow, loaded machine may take to connect. */
const CONNECT_MS = 150_000;

/** Everything runs; each worker is at work on its task. */
export interface CrashScene extends AsyncDisposable {
  readonly machine: TestMachine;
  readonly url: string;
  readonly databaseUrl: string;
  readonly names: readonly string[];
}

/** Starts all of it, with the policy of production. */
export async function openScene(workers: number): Promise<CrashScene> {
  await using stack = new AsyncDisposableStack();
  const machine = stack.use(await TestMachine.start());
  const { server: postgres } = stack.use(await openBenchPostgres(COMMIT_TIMES));
  const coordinator = stack.use(await startCoordinator(machine, postgres.superuserConnectionString));
  const { url } = coordinator;
  const options = { ...machine.plainOptions, coordinatorUrl: url, joinToken: await coordinator.invite() };
  const agent = spawn(process.execPath, [AGENT, JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit'] });
  stack.defer(() => stopped(agent));
  await until('the machine to be connected', CONNECT_MS, async () => {
    const machines = (await call(url, 'machines.list')) as readonly { readonly state: string }[];
    return machines.find(({ state }) => state === 'connected');
  });
  const names = Array.from({ length: workers }, (_, index) => `bench-${index + 1}`);
  for (const name of names) {
    await call(url, 'workers.add', { requestId: randomUUID(), name });
    await untilStatus(url, name, 'idle');
    await call(url, 'workers.start', { requestId: randomUUID(), name, prompt: PROMPT });
    await untilStatus(url, name, 'working');
  }
  const kept = stack.move();
  return {
    machine,
    url,
    databaseUrl: postgres.superuserConnectionString,
    names,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The version of the tmux that is measured with. */
export function tmuxVersion(): string {
  return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim().replace('tmux ', '');
}

function startCoordinator(machine: TestMachine, url: string): ReturnType<typeof replica> {
  const { source, root, plainOptions } = machine;
  const checks = { validate: [], validateTimeoutMs: 60_000, runHooks: false };
  const config = { ...checks, home: plainOptions.machineName, copyFiles: [], preamble: '' };
  return replica(url, {
    project: { id: randomUUID(), name: 'bench', source, root, defaultBranch: 'main', config },
    defaults: () => ({
      profile: 'sim',
      profiles: ['sim'],
      model: null,
      rolePrompt: '',
      skipPermissions: false,
      allowedTools: [],
      excludedFromPool: true,
      sessionWidth: 200,
      sessionHeight: 50,
    }),
  });
}

async function stopped(agent: ChildProcess): Promise<void> {
  const gone = once(agent, 'exit');
  agent.kill('SIGTERM');
  await gone;
}
