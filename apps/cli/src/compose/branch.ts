/** Which branch does an address name? Asked with the login of the person here. */
import { examineSource, isAddress } from '@drover/machine-agent';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/** @param how To say it, where nothing names it. @throws {CommandError} `usage` for a directory, which is on a machine that is perhaps another one, and for an address that names none. */
export async function branchOf({ environment }: Surroundings, source: string, how: string): Promise<string> {
  if (!isAddress(source))
    throw new CommandError('usage', `Say which branch of the directory work starts from and goes to: ${how}`);
  const check = await examineSource(environment.variables, source, undefined);
  if (check.kind === 'ok') return check.defaultBranch;
  throw new CommandError('usage', `${'message' in check ? check.message : 'It has no branch'} (or ${how})`);
}
