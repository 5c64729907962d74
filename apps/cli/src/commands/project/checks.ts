/** Values of `--checks`. */
import { CommandError } from '../../exit-codes.ts';

export const CHECKS_HELP = '"none", or "repository": those of .drover/checks.toml on the branch';

/** @throws {CommandError} `usage` for other values. */
export function checksOf(given: string): 'none' | 'repository' {
  if (given === 'none' || given === 'repository') return given;
  throw new CommandError('usage', `"${given}" is no answer to --checks: say "none" or "repository"`);
}
