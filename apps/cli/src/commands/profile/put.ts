/** `drover profile put`: sends a profile document to every machine of the fleet, without a release or a restart. */
import path from 'node:path';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, text } from '../../program/spec.ts';
import { stagedText } from '../../profiles/staged.ts';

export const command = defineCommand({
  about: 'install a profile on every machine of the fleet, without a restart',
  example: 'drover profile put copilot.toml\ndrover profile put claude.json --label canary',
  args: { file: required('the profile document, as TOML or JSON') },
  options: { label: text('label', 'only on machines with this label, until it is adopted or rolled back') },
  async run(surroundings, { args: { file }, options: { label } }) {
    const { readProfileFile } = await import('../../profiles/document.ts');
    const read = await readProfileFile(path.resolve(surroundings.cwd, file));
    if (read.kind !== 'read') throw new CommandError(read.kind === 'missing' ? 'not-found' : 'usage', read.problem);
    const { document } = read;
    const profile = await ask(surroundings, (client) => client.profiles.put.mutate({ document, label }));
    answer(surroundings, profile, stagedText);
  },
});
