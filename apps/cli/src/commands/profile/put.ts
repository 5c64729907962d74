/** `drover profile put`: sends a profile document to every machine of the fleet, without a release or a restart. */
import path from 'node:path';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'install a profile on every machine of the fleet, without a restart',
  example: 'drover profile put copilot.toml',
  args: { file: required('the profile document, as TOML or JSON') },
  async run(surroundings, { args: { file } }) {
    const { readProfileFile } = await import('../../profiles/document.ts');
    const read = await readProfileFile(path.resolve(surroundings.cwd, file));
    if (read.kind !== 'read') throw new CommandError(read.kind === 'missing' ? 'not-found' : 'usage', read.problem);
    const { document } = read;
    const profile = await ask(surroundings, (client) => client.profiles.put.mutate({ document }));
    answer(
      surroundings,
      profile,
      ({ name, revision }) => `The profile "${name}" now has revision ${revision}; machines get it within seconds.`,
    );
  },
});
