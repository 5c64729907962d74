/** `drover audit verify`: is everything there as it was written? */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuditHeadView } from '@drover/api';
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { text } from '../../../program/options.ts';
import { verdictText } from './text.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Runs the command. @throws {CommandError} `problems` when a chain is broken. */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd } = surroundings;
  const file = text(options, 'kept');
  const kept = file === undefined ? [] : await readKept(path.resolve(cwd, file));
  const verdict = await ask(surroundings, (client) => client.audit.verify.mutate({ kept }));
  terminal.out(terminal.json ? JSON.stringify(verdict) : verdictText(verdict, terminal));
  if (verdict.wrong !== null)
    throw new CommandError(
      'problems',
      'The audit is not as Drover wrote it: compare with a backup before anybody changes more',
    );
}

/** The heads in what `--json` printed at another time. */
async function readKept(file: string): Promise<AuditHeadView[]> {
  const read = await readFile(file, 'utf8').catch(() => null);
  if (read === null) throw new CommandError('not-found', `There is no file ${file} that can be read`);
  try {
    const { heads } = JSON.parse(read) as { heads?: unknown };
    if (Array.isArray(heads)) return heads as AuditHeadView[];
  } catch {
    // Told below.
  }
  throw new CommandError('usage', `${file} does not hold what "drover audit verify --json" printed`);
}
