// The host of the tests of packages/worktree, over SSH.
import { filesOn, type GitFiles, type RunCommand, runOn } from '@drover/worktree';
import { openHost } from './host.ts';

const sshHost = await openHost();

/** Runs programs for the tests; `environment` replaces the one inherited. */
export function nodeRunner(environment: NodeJS.ProcessEnv = process.env): RunCommand {
  const run = runOn(sshHost);
  return async (program, args, options) => {
    const inherited = Object.keys(await sshHost.environment()).map((name) => [name, undefined] as const);
    return run(program, args, {
      ...options,
      env: { ...Object.fromEntries(inherited), ...environment, ...options.env },
    });
  };
}

export const nodeFiles: GitFiles = filesOn(sshHost);
