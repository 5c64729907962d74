/** `drover debug policy check`: finds errors in a policy file, before Drover decides by it. */
import path from 'node:path';
import { CommandError } from '../../../exit-codes.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { optional } from '../../../program/spec.ts';
import { needRoot } from '../../../surroundings.ts';
import { problemLines, readPolicyFile } from './side.ts';

/** Exits with `problems` if there are any. */
export const command = defineCommand({
  about: 'check a policy file',
  example: 'drover debug policy check\ndrover debug policy check patient.toml',
  args: { file: optional('a policy as TOML or JSON, or a whole drover.toml (default: the one here)') },
  async run(surroundings, { args: { file: name } }) {
    const { terminal, cwd } = surroundings;
    const file = name === undefined ? path.join(needRoot(surroundings).root, 'drover.toml') : path.resolve(cwd, name);
    const outcome = await readPolicyFile(file);
    if (outcome.kind === 'invalid') {
      if (terminal.json) terminal.out(JSON.stringify({ ok: false, problems: outcome.problems }));
      throw new CommandError('problems', await problemLines(outcome.problems));
    }
    answer(surroundings, { ok: true, ...outcome.documents }, () => `${file} is a valid policy.`);
  },
});
