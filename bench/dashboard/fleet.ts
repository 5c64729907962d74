// A fleet of workers in Postgres whose rows change all the time, a coordinator that serves the built pages, and a browser.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@drover/base';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Client } from 'pg';
import { replica, SECRET } from '../../apps/coordinator/src/testing/replica.ts';
import { startBrowser } from '../../tools/dashboard/browser.ts';
import { fillScene } from '../load/scene.ts';
import { databaseUrl, withClient } from '../src/client.ts';
import { openBenchPostgres } from '../src/postgres.ts';

/** Milliseconds for what is awaited, but not measured, on a loaded machine. */
const PATIENCE_MS = 300_000;

const ROOM = path.resolve(import.meta.dirname, '../../apps/dashboard');

/** Fleet that a page shows. */
export interface ShownFleet extends AsyncDisposable {
  readonly url: string;
  /** Another replica on the same database. */
  readonly otherUrl: string;
  readonly browser: Browser;
  /** Connection for changes. */
  readonly client: Client;
}

/** Starts it with 50 machines. */
export async function startShownFleet(workers: number): Promise<ShownFleet> {
  await using stack = new AsyncDisposableStack();
  await promisify(execFile)(process.execPath, [path.join(ROOM, 'build.ts')]);
  const { server } = stack.use(await openBenchPostgres());
  await withClient(server.superuserConnectionString, (client) => client.query('create database dashboard'));
  const database = databaseUrl(server.superuserConnectionString, 'dashboard');
  await fillScene(database, { machines: 50, workersEach: workers / 50, oneOf: 2 });
  const options = { project: null, dashboardDir: path.join(ROOM, 'dist') };
  const { url } = stack.use(await replica(database, options));
  const { url: otherUrl } = stack.use(await replica(database, options));
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  stack.defer(() => client.end());
  const browser = await startBrowser();
  stack.defer(() => browser.close());
  const kept = stack.move();
  return { url, otherUrl, browser, client, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Opens a page that is signed in. `slower`: how many times slower its processor is. */
export async function openPage(
  { browser }: ShownFleet,
  url: string,
  { slower = 1, width = 1_280 }: { readonly slower?: number; readonly width?: number } = {},
): Promise<{ readonly page: Page; readonly cdp: CDPSession }> {
  const context = await browser.newContext({ viewport: { width, height: 860 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Or paste a token').fill(SECRET);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await cdp.send('Performance.enable');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower });
  return { page, cdp };
}

/** Words of a worker, which its row shows. */
export async function say(client: Client, worker: number, words: string): Promise<void> {
  await client.query(
    `update workers set state = jsonb_set(state, '{lifecycle,note}', to_jsonb($2::text)), version = version + 1,
       updated_at = now() where name = $1`,
    [`w${worker}`, words],
  );
  await client.query("select pg_notify('drover_events', '*')");
}

/** Changes rows, so many a second, until it is disposed. */
export function keepChanging(
  client: Client,
  { workers, perSecond }: { workers: number; perSecond: number },
): AsyncDisposable {
  const end = new AbortController();
  const next = async (): Promise<void> => {
    for (let count = 1; !end.signal.aborted; count += 1) {
      const at = performance.now();
      await say(client, ((count * 7) % workers) + 1, `step ${count}`);
      await wait(1_000 / perSecond - (performance.now() - at));
    }
  };
  const over = next();
  return {
    [Symbol.asyncDispose]: () => {
      end.abort();
      return over;
    },
  };
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(Math.max(1, ms), resolve));
}
