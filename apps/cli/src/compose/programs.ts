/** Checks that tmux and git are here, before anything is started or made. */
import { examineMachine } from '@drover/machine-agent';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/** @throws {CommandError} `environment` when tmux or git is missing or too old, with how to install it. */
export async function needPrograms({ environment }: Surroundings): Promise<void> {
  const problems = (await examineMachine(environment.variables)).filter(({ ok }) => !ok);
  if (problems.length > 0) throw new CommandError('environment', problems.map(({ says }) => says).join('\n'));
}
