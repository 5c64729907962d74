/** Where was the command typed, and what does it find around it? */
import { findRoot, paths as pathsOf, readEnvironment } from '@drover/config';
import type { Environment, Paths } from '@drover/config';
import { v7 } from 'uuid';
import { CommandError } from './exit-codes.ts';
import { systemNow, systemSleep } from './system-clock.ts';
import { systemTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';

export interface Surroundings {
  readonly environment: Environment;
  /** Of the root around the current directory; null if there is none. */
  readonly paths: Paths | null;
  readonly rootProblem: string;
  readonly cwd: string;
  readonly terminal: Terminal;
  /** Epoch milliseconds. */
  now(): number;
  /** Waits; rejects when the signal aborts. */
  sleep(ms: number): Promise<void>;
  uuid(): string;
}

/** Reads what every command needs to know. */
export async function lookAround({ json }: { json: boolean }): Promise<Surroundings> {
  const environment = readEnvironment();
  const cwd = process.cwd();
  const root = await findRoot({ env: environment, from: cwd });
  return {
    environment,
    cwd,
    paths: root.kind === 'found' ? pathsOf({ env: environment, platform: process.platform, root: root.root }) : null,
    rootProblem: root.kind === 'missing' ? root.message : '',
    terminal: systemTerminal(environment, { json }),
    now: systemNow,
    sleep: systemSleep,
    uuid: () => v7(),
  };
}

/** @throws {CommandError} where there is no root. */
export function needRoot({ paths, rootProblem }: Surroundings): Paths {
  if (paths === null) throw new CommandError('usage', rootProblem);
  return paths;
}
