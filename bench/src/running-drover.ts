// A Drover that serves, for measuring from outside: everything in one directory, gone afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openBenchPostgres } from './postgres.ts';

/** Directory to run commands in, and their environment. */
export interface RunningDrover extends AsyncDisposable {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Changes to a plain Drover. */
export interface DroverChanges {
  /** Sections of `drover.toml` beside those that are needed. */
  readonly toml?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `drover up` on a Postgres of its own and adds workers on the simulated agent. Disposing ends and removes all. */
export async function startDrover(
  bin: string,
  workers: number,
  { toml: more = '', env: others = {} }: DroverChanges = {},
): Promise<RunningDrover> {
  await using stack = new AsyncDisposableStack();
  const { directory, server } = stack.use(await openBenchPostgres());
  const source = path.join(directory, 'demo');
  const cwd = path.join(directory, 'demo-drover');
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    DATABASE_URL: server.connectionString,
    HOME: path.join(directory, 'home'),
    XDG_RUNTIME_DIR: path.join(directory, 'run'),
    DROVER_DATA_DIR: path.join(directory, 'data'),
    GIT_CONFIG_GLOBAL: path.join(directory, 'gitconfig'),
    ...others,
  };
  for (const name of ['home', 'run', 'demo']) await mkdir(path.join(directory, name), { mode: 0o700 });
  await writeFile(env.GIT_CONFIG_GLOBAL, '[user]\nname = Bench\nemail = bench@example.com\n');
  const run = (program: string, args: readonly string[], at: string): void => {
    const { status, stderr } = spawnSync(program, args, { cwd: at, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  };
  run('git', ['init', '--quiet', '--initial-branch', 'main'], source);
  run('git', ['commit', '--quiet', '--allow-empty', '--message', 'first'], source);
  run(bin, ['init'], source);
  const toml = `[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n[repo]\nsource = ${JSON.stringify(source)}\n${more}`;
  await writeFile(path.join(cwd, 'drover.toml'), toml);
  const up = spawn(bin, ['up'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  stack.defer(() => ended(up));
  stack.defer(() => void spawnSync(bin, ['down', '--force'], { cwd, env, stdio: 'ignore' }));
  for await (const chunk of up.stdout.setEncoding('utf8')) if (String(chunk).includes('Drover is up')) break;
  if (up.exitCode !== null) throw new Error(`"drover up" ended with ${up.exitCode}`);
  for (let worker = 1; worker <= workers; worker += 1) run(bin, ['add', `bench-${worker}`, '--wait'], cwd);
  const kept = stack.move();
  return { cwd, env, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}
