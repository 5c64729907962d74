/** The host of the tests. `npm run test:ssh` has another in its place. */
import { createLocalHost } from '@drover/host';
import { filesOn, type GitFiles, type RunCommand, runOn } from '../../src/index.ts';

/** Runs programs for the tests; `environment` replaces the one inherited. */
export function nodeRunner(environment: NodeJS.ProcessEnv = process.env): RunCommand {
  return runOn(createLocalHost({ env: environment }));
}

export const nodeFiles: GitFiles = filesOn(createLocalHost({ env: process.env }));
