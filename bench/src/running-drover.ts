// A Drover that serves, for measuring from outside: everything in one directory, gone afterwards.
import { Sandbox } from '../../tools/fleet/sandbox.ts';
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
  /** Settings of its Postgres. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts `drover up` on a Postgres with the durability of production, and adds workers on the simulated agent. */
export async function startDrover(
  workers: number,
  { toml = '', env = {}, settings = {} }: DroverChanges = {},
): Promise<RunningDrover> {
  await using stack = new AsyncDisposableStack();
  const { server } = stack.use(await openBenchPostgres(settings));
  const user = stack.use(await Sandbox.withRoot());
  await user.configure(`[defaults]\nprofile = "sim"\n[coordinator]\nport = 0\n${toml}`);
  await user.up([], { env: { DATABASE_URL: server.connectionString, ...env } });
  for (let worker = 1; worker <= workers; worker += 1) await user.done('add', `bench-${worker}`, '--wait');
  const kept = stack.move();
  return {
    cwd: user.root,
    env: { ...user.env, DATABASE_URL: server.connectionString, ...env },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
