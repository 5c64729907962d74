/** Which branch does an address name? Asked with the login of the person here. */
import { examineSource, isAddress } from '@drover/machine-agent';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/** @throws {CommandError} `usage` for a directory, which is on a machine that is perhaps another one, and for an address that names none. */
export async function branchOf({ environment }: Surroundings, source: string): Promise<string> {
  if (!isAddress(source))
    throw new CommandError('usage', 'Say with --branch which branch of the directory work starts from and goes to');
  const check = await examineSource(environment.variables, source, undefined);
  if (check.kind === 'ok') return check.defaultBranch;
  throw new CommandError('usage', `${'message' in check ? check.message : 'It has no branch'} (or say --branch)`);
}
