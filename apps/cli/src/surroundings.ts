/** What a command finds around it: its directory, environment, terminal and root. */
import { randomUUID } from 'node:crypto';
import { findRoot, paths as pathsOf, readEnvironment } from '@drover/config/surroundings';
import type { Environment, Paths, RootOutcome } from '@drover/config/surroundings';
import { CommandError } from './exit-codes.ts';
import { askOverHttp } from './client/http-adapter.ts';
import type { Ask } from './client/http-adapter.ts';
import { systemNow, systemSleep } from './system-clock.ts';
import { systemTerminal } from './terminal/terminal.ts';
import type { Terminal } from './terminal/terminal.ts';
import { findWorkerPane } from './worker-pane.ts';
import type { WorkerPane } from './worker-pane.ts';

/** What a command is given instead of the process's globals. */
export interface Surroundings {
  readonly environment: Environment;
  /** Of the root around the current directory; null if there is none. */
  readonly paths: Paths | null;
  /** Why there is no root, and what to do; empty if there is one. */
  readonly rootProblem: string;
  /** The worker in whose pane the command was typed: its rights hold, and nothing of the root is read. */
  readonly worker: WorkerPane | null;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly http: Ask;
  /** Epoch milliseconds. */
  now(): number;
  /** Waits so many milliseconds, or until the signal fires. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  uuid(): string;
}

/** Reads what every command needs to know. */
export async function readSurroundings({ json }: { json: boolean }): Promise<Surroundings> {
  const environment = readEnvironment();
  const cwd = process.cwd();
  const worker = findWorkerPane(environment.variables, { pid: process.pid });
  const root: RootOutcome =
    worker === null
      ? await findRoot({ env: environment, from: cwd })
      : { kind: 'missing', message: `This is the pane of the worker "${worker.worker}".` };
  return {
    environment,
    worker,
    cwd,
    paths: root.kind === 'found' ? pathsOf({ env: environment, platform: process.platform, root: root.root }) : null,
    rootProblem: root.kind === 'missing' ? root.message : '',
    terminal: systemTerminal(environment, { json }),
    http: askOverHttp,
    now: systemNow,
    sleep: systemSleep,
    uuid: randomUUID,
  };
}

/** @throws {CommandError} where there is no root. */
export function needRoot({ paths, rootProblem }: Surroundings): Paths {
  if (paths === null) throw new CommandError('usage', rootProblem);
  return paths;
}
