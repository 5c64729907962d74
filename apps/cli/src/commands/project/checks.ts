/** Values of `--checks`. */
import { CommandError } from '../../exit-codes.ts';

export const CHECKS_HELP = '"none", or "repository": those of .drover/checks.toml on the branch';

/** @throws {CommandError} `usage` for other values. */
export function checksOf(given: string): 'none' | 'repository' {
  if (given === 'none' || given === 'repository') return given;
  throw new CommandError('usage', `--checks takes "none" or "repository", not "${given}"`);
}
