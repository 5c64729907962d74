/** Which checks must a worker's work pass before it is merged: those of the command, or those of the repository itself? */
import { CHECKS_FILE, parseChecks } from '@drover/config';
import { fetchDefaultBranch, readFileAt } from '@drover/worktree';
import { CommandError } from '../failure.ts';
import { placeOf, type PlaceContext } from './worktree-of.ts';

/** What must pass: programs with their arguments, and milliseconds that each may take. */
interface RequiredChecks {
  readonly commands: readonly (readonly string[])[];
  readonly timeoutMs: number;
}

/** Bytes of a checks file: far above 50 commands. */
const CHECKS_BYTES_MAX = 64 * 1024;

/**
 * The checks of a worker. The repository's own are read at the newest commit of the default branch: a change that a worker made
 * to them counts when a person has accepted it, and not before.
 *
 * @throws CommandError `checks-missing` or `checks-unreadable`: work must not pass because its checks cannot be found.
 */
export async function checksOf(context: PlaceContext): Promise<RequiredChecks> {
  const { validate, validateFrom, validateTimeoutMs } = context.seat.project;
  if (validateFrom === 'order') return { commands: validate, timeoutMs: validateTimeoutMs };
  const { git, worktree, defaultBranch } = placeOf(context);
  const commit = await fetchDefaultBranch(git, worktree, defaultBranch);
  const text = await readFileAt(git, { at: worktree, commit, path: CHECKS_FILE, maxBytes: CHECKS_BYTES_MAX });
  const where = `${CHECKS_FILE} of "${defaultBranch}"`;
  if (text === undefined) {
    const message = `The checks of this project come from ${where}, and there is no such file: commit one, such as validate = [["npm", "test"]]`;
    throw new CommandError('checks-missing', message);
  }
  const read = parseChecks(text);
  if (read.kind === 'invalid') throw new CommandError('checks-unreadable', `${where} is wrong: ${read.problem}`);
  const { checks } = read;
  return { commands: checks.commands, timeoutMs: checks.timeoutMs ?? validateTimeoutMs };
}
