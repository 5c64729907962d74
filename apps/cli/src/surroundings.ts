/** Surroundings of a command: its directory, environment, terminal and root. */
import { randomUUID } from 'node:crypto';
import { findRoot, paths as pathsOf, readEnvironment } from '@drover/config/surroundings';
import type { Environment, Paths, RootOutcome } from '@drover/config/surroundings';
import { CommandError } from './exit-codes.ts';
import { askOverHttp } from './client/http-adapter.ts';
import type { Ask } from './client/http-adapter.ts';
import { systemNow, systemSleep } from './system-clock.ts';
import { systemTerminal } from './terminal/terminal.ts';
import type { Terminal, Wanted } from './terminal/terminal.ts';
import { findWorkerPane } from './worker-pane.ts';
import type { WorkerPane } from './worker-pane.ts';

/** Inputs of a command instead of the process's globals. */
export interface Surroundings {
  readonly environment: Environment;
  /** Paths of the root around the current directory; null if there is none. */
  readonly paths: Paths | null;
  /** Reason why there is no root, with advice; empty if there is one. */
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

/** Reads the surroundings that every command needs. */
export async function readSurroundings(wanted: Wanted): Promise<Surroundings> {
  const environment = readEnvironment();
  const cwd = process.cwd();
  const worker = findWorkerPane(environment.variables, { pid: process.pid });
  const root: RootOutcome =
    worker === null
      ? await findRoot({ env: environment, from: cwd })
      : { kind: 'missing', message: `You are in the pane of the worker "${worker.worker}".` };
  return {
    environment,
    worker,
    cwd,
    paths: root.kind === 'found' ? pathsOf({ env: environment, platform: process.platform, root: root.root }) : null,
    rootProblem: root.kind === 'missing' ? root.message : '',
    terminal: systemTerminal(environment, wanted),
    http: askOverHttp,
    now: systemNow,
    sleep: systemSleep,
    uuid: randomUUID,
  };
}

/** @throws {CommandError} if there is no root. */
export function needRoot({ paths, rootProblem }: Surroundings): Paths {
  if (paths === null) throw new CommandError('usage', rootProblem);
  return paths;
}
