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
  about: 'verify that no row was changed or removed; keep its output on another computer',
  example: 'drover audit verify\ndrover audit verify --json > heads.json\ndrover audit verify --kept heads.json',
  options: { kept: text('file', 'earlier output of "drover audit verify --json", which the audit must still contain') },
  async run(surroundings, { options: { kept: file } }) {
    const kept = file === undefined ? [] : await readKept(path.resolve(surroundings.cwd, file));
    const verdict = await ask(surroundings, (client) => client.audit.verify.mutate({ kept }));
    answer(surroundings, verdict, verdictText);
    if (verdict.wrong !== null)
      throw new CommandError(
        'problems',
        'Somebody changed the audit outside of Drover: compare it with a backup before you change anything else',
      );
  },
});

/** Reads the heads in an earlier output of `--json`. */
async function readKept(file: string): Promise<AuditHeadView[]> {
  const read = await readFile(file, 'utf8').catch(() => null);
  if (read === null) throw new CommandError('not-found', `Cannot read the file ${file}`);
  try {
    const { heads } = JSON.parse(read) as { heads?: unknown };
    if (Array.isArray(heads)) return heads as AuditHeadView[];
  } catch {
    // Reported below.
  }
  throw new CommandError('usage', `${file} is not output of "drover audit verify --json"`);
}
