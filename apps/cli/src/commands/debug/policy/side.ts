/** Finds the policy that a person names: a file, a version, `default`, or `current`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import type { PolicySide } from '@drover/api';
import type { PolicyFileOutcome } from '@drover/config';
import { CommandError } from '../../../exit-codes.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Reads a policy file. @throws {CommandError} when it cannot be read. */
export async function readPolicyFile(file: string): Promise<PolicyFileOutcome> {
  const { parsePolicy } = await import('@drover/config');
  try {
    return parsePolicy(await readFile(file, 'utf8'), file);
  } catch (error) {
    throw new CommandError('usage', `Cannot read ${file}: ${messageOf(error)}`);
  }
}

/** Finds the policy for a worker, with the file's values for the worker's name. @throws {CommandError} with all errors of a file. */
export async function policySideOf({ cwd }: Surroundings, name: string, worker?: string): Promise<PolicySide> {
  if (name === 'default') return { kind: 'default' };
  if (name === 'current') return worker === undefined ? { kind: 'current' } : { kind: 'current', worker };
  // A version is 4 to 12 digits; a file has a dot in its name, or a slash before it.
  if (/^[0-9a-f]{4,12}$/u.test(name)) return { kind: 'version', version: name };
  const outcome = await readPolicyFile(path.resolve(cwd, name));
  if (outcome.kind === 'invalid') throw new CommandError('usage', await problemLines(outcome.problems));
  const { project, workers } = outcome.documents;
  const own = worker !== undefined && Object.hasOwn(workers, worker) ? workers[worker] : undefined;
  return { kind: 'changes', documents: own === undefined ? [{ ...project }] : [{ ...project }, { ...own }] };
}

type Invalid = Extract<PolicyFileOutcome, { readonly kind: 'invalid' }>;

/** Lists errors of a file, a line each. */
export async function problemLines(problems: Invalid['problems']): Promise<string> {
  const { formatProblem } = await import('@drover/config');
  return problems.map(formatProblem).join('\n');
}
