// Starts the processes of the demo's Drover on a laptop, and what the demo of a team needs beside them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
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
  /** Closes the sessions and ends the processes in order. */
  down(): Promise<void>;
}

const endpointFile = z.object({ url: z.string(), token: z.string() });

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
    down: async () => {
      page.command('drover down');
      up.expectEnd();
      await drover('down');
      await up.ended();
      page.happened('drover', 'is down; its sessions are closed');
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
