/** Checks that tmux and git are here, and can work in Drover's directories, before anything is started or made. */
import { directoryProblem, examineMachine } from '@drover/machine-agent';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/** @throws {CommandError} `environment` if tmux or git is missing or too old, with the command that installs it. */
export async function needPrograms({ environment }: Surroundings): Promise<void> {
  const problems = (await examineMachine(environment.variables)).filter(({ ok }) => !ok);
  if (problems.length > 0) throw new CommandError('environment', problems.map(({ says }) => says).join('\n'));
}

/** @throws {CommandError} `usage` if git cannot work in one of these directories, with its path and advice. */
export function needDirectories(directories: readonly string[]): void {
  const problems = directories.map((path) => directoryProblem(path)).filter((problem) => problem !== null);
  if (problems.length > 0) throw new CommandError('usage', [...new Set(problems)].join('\n'));
}
