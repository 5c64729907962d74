/** Runs Drover on one laptop in two ways, with their processes and the process that people talk to. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDatabase } from '@drover/store/testing';
import { Network } from '@drover/testkit/network';
import { Fleet } from './fleet.ts';
import type { Endpoint } from './fleet.ts';
import { DroverProcess } from './process.ts';
import { freePort } from './place.ts';
import { Site, type SiteOptions } from './site.ts';

export interface RunningDrover extends AsyncDisposable {
  readonly site: Site;
  readonly fleet: Fleet;
  readonly processes: Readonly<Record<'coordinator' | 'agent', DroverProcess>>;
}

const TOKEN = 'kill-test-token-of-more-than-twenty-characters';

/** Differences from how most tests start it. */
export interface Apart {
  /** A database that is there; usual: one of the tests. */
  readonly databaseUrl?: string;
  /** Tells whether processes that end are started again. */
  readonly restarts?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly site?: SiteOptions;
}

/** Differences of `drover up` from how tests start it. */
export interface Together extends Pick<Apart, 'env' | 'site'> {
  /** Command of a package that is installed; usual: the tested program. */
  readonly program?: readonly [string];
}

/** Coordinator and machine agent in processes of their own, with the network between them, on a database that outlives them. */
export interface DroverApart extends RunningDrover {
  readonly network: Network;
}

/** Starts coordinator and machine agent in processes of their own. */
export async function startApart({ restarts = false, env = {}, ...apart }: Apart = {}): Promise<DroverApart> {
  await using stack = new AsyncDisposableStack();
  const databaseUrl = apart.databaseUrl ?? stack.use(await openTestDatabase()).connectionString;
  const site = stack.use(new Site({ DATABASE_URL: databaseUrl, DROVER_TOKEN: TOKEN, ...env }, apart.site));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const network = stack.use(await Network.to(port));
  const started: DroverProcess[] = [];
  const start = async (...args: readonly string[]): Promise<DroverProcess> => {
    const process = stack.use(new DroverProcess(site.place, ['server', ...args], { restarts }));
    started.push(process);
    process.start();
    await process.ready();
    return process;
  };
  const coordinator = await start('coordinator', '--port', String(port));
  const fleet = new Fleet(
    () => ({ url, token: TOKEN }),
    () => started.forEach((process) => process.expectAlive()),
  );
  const { token } = await fleet.invite();
  const agent = await start('agent', '--url', network.url, '--join', token);
  await fleet.connected();
  const owned = stack.move();
  return {
    site,
    fleet,
    network,
    processes: { coordinator, agent },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Starts `drover up`: both in one process, with an embedded database that dies with it. */
export async function startTogether({ env, site: options, ...started }: Together = {}): Promise<RunningDrover> {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(new Site(env, options));
  const up = stack.use(new DroverProcess(site.place, ['up', '--port', '0'], started));
  up.start();
  await up.ready();
  const fleet = new Fleet(
    () => endpointIn(site.dataDir),
    () => up.expectAlive(),
  );
  const owned = stack.move();
  return {
    site,
    fleet,
    processes: { coordinator: up, agent: up },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Reads the endpoint of the last process; the next process may be about to replace it. */
function endpointIn(dataDir: string): Endpoint | null {
  const file = join(dataDir, 'endpoint.json');
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Endpoint;
  } catch {
    return null;
  }
}
