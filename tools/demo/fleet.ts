// Starts the processes of the demo's Drover: one on a laptop; two coordinators and an agent on a server's database.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drover/base';
import { z } from 'zod';
import { createLocalHost } from '@drover/host';
import { endServers } from '@drover/tmux';
import { DemoFailure, until } from './failure.ts';
import type { Endpoint } from './happenings.ts';
import type { Page } from './page.ts';
import { Running, run } from './programs.ts';
import { DROVER, type Place } from './place.ts';

export interface Stage {
  readonly place: Place;
  readonly page: Page;
  /** Fires when the demo must end before its end. */
  readonly signal: AbortSignal;
  /** Ends the demo. */
  readonly fail: (failure: Error) => void;
}

/** A Drover that runs. */
export interface Fleet {
  readonly endpoints: readonly Endpoint[];
  /** Types a `drover` command. @returns what it printed. @throws {DemoFailure} when it fails. */
  drover(...args: string[]): Promise<string>;
  /** Kills the coordinator that the machine talks to, if there is another one. @returns when, and when the machine was at the other. */
  killCoordinator: (() => Promise<{ pid: number; replicaKilledAt: number; movedAt: number }>) | null;
  /** Closes the sessions and ends the processes in order. */
  down(): Promise<void>;
}

const endpointFile = z.object({ url: z.string(), token: z.string() });
const invitation = z.object({ token: z.string() });

/** `drover up`: everything in one process, with a Postgres of its own. */
export async function laptop(stage: Stage): Promise<Fleet> {
  const { place, page, signal } = stage;
  page.command('drover up');
  const up = background(stage, 'up', { args: ['up', '--port', '0', '--json'], env: place.env });
  const { url, pid } = await up.ready(signal);
  const { token } = endpointFile.parse(JSON.parse(await readFile(join(place.dataDir, 'endpoint.json'), 'utf8')));
  page.happened('drover', `is up at ${url ?? ''} (process ${pid}), with a Postgres of its own`, { tone: 'good' });
  const drover = commands(stage, () => place.env);
  return {
    endpoints: [{ url: url ?? '', token }],
    drover,
    killCoordinator: null,
    down: async () => {
      page.command('drover down');
      up.expectEnd();
      await drover('down');
      await up.ended();
      page.happened('drover', 'is down; its sessions are closed');
    },
  };
}

/** Starts two coordinators on one database, and a machine agent that knows both. */
export async function replicas(stage: Stage, databaseUrl: string): Promise<Fleet> {
  const { place, page, signal } = stage;
  const token = randomBytes(24).toString('base64url');
  const env = { ...place.env, DATABASE_URL: databaseUrl, DROVER_TOKEN: token };
  const started: Running[] = [];
  const endpoints: Endpoint[] = [];
  for (const name of ['coordinator-1', 'coordinator-2']) {
    page.command('drover server coordinator');
    const coordinator = background(stage, name, { args: ['server', 'coordinator', '--port', '0', '--json'], env });
    const { url = '', pid } = await coordinator.ready(signal);
    page.happened('drover', `${name} listens at ${url} (process ${pid})`);
    started.push(coordinator);
    endpoints.push({ url, token });
  }
  let current = 0;
  const drover = commands(stage, () => ({ ...env, DROVER_URL: endpoints[current]?.url ?? '' }));
  const joinToken = invitation.parse(JSON.parse(await drover('machine', 'invite', '--json'))).token;
  const urls = endpoints.map(({ url }) => url).join(',');
  page.command(`drover server agent --url ${urls} --join …`);
  const agent = background(stage, 'agent', {
    args: ['server', 'agent', '--url', urls, '--join', joinToken, '--json'],
    env: place.env,
  });
  await agent.ready(signal);
  await saidHello(started[0], signal);
  page.happened('machine', 'has joined and talks to coordinator-1', { tone: 'good' });
  return {
    endpoints,
    drover,
    killCoordinator: async () => {
      const [first, second] = started;
      const pid = first?.pid ?? 0;
      const replicaKilledAt = Date.now();
      await first?.end('SIGKILL');
      current = 1;
      return { pid, replicaKilledAt, movedAt: await saidHello(second, signal) };
    },
    down: async () => {
      page.command('drover nuke --all');
      await drover('nuke', '--all');
      page.happened('drover', 'has closed the sessions and removed the workers, whose work is merged');
      for (const each of [agent, ...started]) await each.end('SIGTERM');
      await closeTmux(place);
      page.happened('drover', 'is down: the machine agent and the coordinator have ended');
    },
  };
}

/** Returns the time at which a coordinator received the machine's hello, epoch milliseconds. */
export async function saidHello(coordinator: Running | undefined, signal: AbortSignal): Promise<number> {
  const hello = z.object({ at: z.number(), message: z.string().regex(/^The machine ".*" connected$/u) });
  const ask = async (): Promise<number | undefined> => {
    for (const line of (await coordinator?.log()) ?? []) {
      const read = hello.safeParse(line.startsWith('{') ? JSON.parse(line) : null);
      if (read.success) return read.data.at;
    }
    return undefined;
  };
  return until(ask, { what: `the machine says hello to ${coordinator?.name ?? ''}`, withinMs: 30_000, signal });
}

/** Ends the tmux servers of the demo's machine, with whatever runs in them. */
export async function closeTmux({ env, base }: Pick<Place, 'env' | 'base'>): Promise<void> {
  const directory = join(base, 'run', 'fleets');
  const tools = { host: createLocalHost({ env }), clock: systemClock };
  for (const key of await readdir(directory).catch(() => [])) await endServers(tools, join(directory, key));
}

/** Starts a process of Drover that goes on; that it ends by itself ends the demo. */
export function background(
  { place, fail }: Stage,
  name: string,
  { args, env }: { readonly args: readonly string[]; readonly env: Place['env'] },
): Running {
  return new Running(name, { args, place, env, onDeath: fail });
}

/** Exit statuses of `drover` that leave it unknown whether the request arrived: no answer, or a database that was away. */
const UNANSWERED: ReadonlySet<number> = new Set([3, 70]);

/** Times that an unanswered command is typed again. A person would not be slower than a restart of the database. */
const ATTEMPTS = 10;

/** Types `drover` commands, again where an answer did not come. `env`: with which variables, by now. */
export function commands({ place, signal }: Stage, env: () => Place['env']): Fleet['drover'] {
  return async (...args) => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, stdout, stderr } = await run(DROVER, args, { env: env(), cwd: place.base, signal });
      // The command was refused after an unanswered attempt: that attempt had arrived, as the histories must show.
      if (status === 0 || (attempt > 1 && !UNANSWERED.has(status))) return stdout.trimEnd();
      if (UNANSWERED.has(status) && attempt < ATTEMPTS) continue;
      throw new DemoFailure(`"drover ${args.join(' ')}" ended with status ${status}: ${stderr.trim()}`);
    }
  };
}
