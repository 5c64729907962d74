/** Runs Drover on one laptop in two ways, with their processes and the process that people talk to. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDatabase } from '@drover/store/testing';
import { Fleet } from './fleet.ts';
import type { Endpoint } from './fleet.ts';
import { DroverProcess } from './process.ts';
import { freePort, Site } from './site.ts';

export interface RunningDrover extends AsyncDisposable {
  readonly site: Site;
  readonly fleet: Fleet;
  readonly processes: Readonly<Record<'coordinator' | 'agent', DroverProcess>>;
}

const TOKEN = 'kill-test-token-of-more-than-twenty-characters';

/** Starts coordinator and machine agent in processes of their own, on a database that outlives them. */
export async function startApart(): Promise<RunningDrover> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openTestDatabase());
  const site = stack.use(new Site({ DATABASE_URL: database.connectionString, DROVER_TOKEN: TOKEN }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const coordinator = stack.use(new DroverProcess(site.place, ['server', 'coordinator', '--port', String(port)]));
  coordinator.start();
  await coordinator.ready();
  const starting = new Fleet(
    () => ({ url, token: TOKEN }),
    () => coordinator.expectAlive(),
  );
  const { token } = await starting.invite();
  const agent = stack.use(new DroverProcess(site.place, ['server', 'agent', '--url', url, '--join', token]));
  agent.start();
  await agent.ready();
  const fleet = new Fleet(
    () => ({ url, token: TOKEN }),
    () => {
      coordinator.expectAlive();
      agent.expectAlive();
    },
  );
  const owned = stack.move();
  return {
    site,
    fleet,
    processes: { coordinator, agent },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Starts `drover up`: both in one process, with an embedded database that dies with it. */
export async function startTogether(): Promise<RunningDrover> {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(new Site());
  const up = stack.use(new DroverProcess(site.place, ['up', '--port', '0']));
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
