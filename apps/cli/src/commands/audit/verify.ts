/** `drover audit verify`: verifies that the audit is complete and unchanged. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuditHeadView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { text } from '../../program/spec.ts';
import { verdictText } from './text.ts';

/** Exits with `problems` if a chain is broken. */
export const command = defineCommand({
  about: 'check that every row is there as it was written; keep what it prints elsewhere',
  example: 'drover audit verify\ndrover audit verify --json > heads.json\ndrover audit verify --kept heads.json',
  options: { kept: text('file', 'what "drover audit verify --json" printed earlier: all of it must still be there') },
  async run(surroundings, { options: { kept: file } }) {
    const kept = file === undefined ? [] : await readKept(path.resolve(surroundings.cwd, file));
    const verdict = await ask(surroundings, (client) => client.audit.verify.mutate({ kept }));
    answer(surroundings, verdict, verdictText);
    if (verdict.wrong !== null)
      throw new CommandError(
        'problems',
        'The audit is not as Drover wrote it: compare with a backup before anybody changes more',
      );
  },
});

/** Reads the heads in an earlier output of `--json`. */
async function readKept(file: string): Promise<AuditHeadView[]> {
  const read = await readFile(file, 'utf8').catch(() => null);
  if (read === null) throw new CommandError('not-found', `There is no file ${file} that can be read`);
  try {
    const { heads } = JSON.parse(read) as { heads?: unknown };
    if (Array.isArray(heads)) return heads as AuditHeadView[];
  } catch {
    // Reported below.
  }
  throw new CommandError('usage', `${file} does not hold what "drover audit verify --json" printed`);
}
