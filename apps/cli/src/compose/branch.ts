/** Finds the branch that an address names, with the login of the person here. */
import { examineSource, isAddress } from '@drover/machine-agent';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * @param how Advice for naming the branch, if nothing names it. @throws {CommandError} `usage` for a directory, which
 * may be on another machine, and for an address that names none; `environment` if git cannot ask.
 */
export async function branchOf({ environment }: Surroundings, source: string, how: string): Promise<string> {
  if (!isAddress(source))
    throw new CommandError(
      'usage',
      `"${source}" is a directory, perhaps on another machine: name the branch that work starts from and goes to (${how}), or give an address as its source`,
    );
  const check = await examineSource(environment.variables, source, undefined).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message.trim() : String(cause);
    // The address may be unreachable from here: only the machines need to reach it.
    const message = `${why}\nIf it cannot be reached from here, give its branch: ${how}`;
    throw new CommandError('environment', message, { cause });
  });
  if (check.kind === 'ok') return check.defaultBranch;
  throw new CommandError('usage', `${'message' in check ? check.message : 'It has no branch'} (or ${how})`);
}
