/** Finds the checks that a worker's work must pass before it is merged: the command's, or the repository's own. */
import { createHash } from 'node:crypto';
import { CHECKS_FILE, parseChecks } from '@drover/config';
import { readOnMain } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { depotPlaceOf } from '../depot-of.ts';
import { openPlaceOf, type PlaceContext } from '../worktree-of.ts';

/** Required programs with their arguments, and milliseconds that each may take. */
export interface RequiredChecks {
  readonly commands: readonly (readonly string[])[];
  /** Commands that make a fresh checkout ready for the checks. */
  readonly setup: readonly (readonly string[])[];
  readonly timeoutMs: number;
}

/** Bytes of a checks file: far above 50 commands. */
const CHECKS_BYTES_MAX = 64 * 1024;

/**
 * Checks of a worker. The repository's own are read at the newest commit of the default branch: a change that a worker made to them counts
 * when a person has accepted it, and not before.
 *
 * @throws CommandError `checks-missing` or `checks-unreadable`: work must not pass because its checks cannot be found.
 */
export async function checksOf(context: PlaceContext): Promise<RequiredChecks> {
  const { validate, setup, validateFrom, validateTimeoutMs } = context.settings.project;
  if (validateFrom === 'config') return { commands: validate, setup, timeoutMs: validateTimeoutMs };
  const where = `${CHECKS_FILE} of "${openPlaceOf(context).defaultBranch}"`;
  const text = await readFile(context);
  if (text === undefined) {
    const message = `The checks of this project come from ${where}, but that file does not exist: commit one, such as validate = [["npm", "test"]]`;
    throw new CommandError('checks-missing', message);
  }
  const read = parseChecks(text);
  if (read.kind === 'invalid') throw new CommandError('checks-unreadable', `${where} is wrong: ${read.problem}`);
  const { checks } = read;
  return { commands: checks.commands, setup: checks.setup, timeoutMs: checks.timeoutMs ?? validateTimeoutMs };
}

/** Reads the commands that make the place of a worker ready for its agent. The worker's checks report a file that is missing or wrong. */
export async function workerSetupOf(context: PlaceContext): Promise<Omit<RequiredChecks, 'setup'>> {
  const { workerSetup, validateFrom, validateTimeoutMs } = context.settings.project;
  if (validateFrom === 'config') return { commands: workerSetup, timeoutMs: validateTimeoutMs };
  const read = parseChecks((await readFile(context)) ?? '');
  if (read.kind === 'invalid') return { commands: [], timeoutMs: validateTimeoutMs };
  const { checks } = read;
  return { commands: checks.workerSetup, timeoutMs: checks.timeoutMs ?? validateTimeoutMs };
}

function readFile(context: PlaceContext): Promise<string | undefined> {
  const file = { path: CHECKS_FILE, maxBytes: CHECKS_BYTES_MAX };
  return readOnMain(openPlaceOf(context).git, depotPlaceOf(context), file);
}

/** Names the checks by a digest: work that passed them need not pass them again. Empty: there are none. */
export function digestOf({ commands }: RequiredChecks): string {
  return commands.length === 0 ? '' : createHash('sha256').update(JSON.stringify(commands)).digest('hex');
}
