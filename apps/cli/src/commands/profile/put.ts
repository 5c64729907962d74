/** `drover profile put`: sends a profile document to every machine of the fleet, without a release or a restart. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'install a profile on every machine of the fleet, without a restart',
  example: 'drover profile put claude.json',
  args: { file: required('the profile document, as JSON') },
  async run(surroundings, { args: { file } }) {
    const document = await readDocument(path.resolve(surroundings.cwd, file));
    const profile = await ask(surroundings, (client) => client.profiles.put.mutate({ document }));
    answer(
      surroundings,
      profile,
      ({ name, revision }) => `The profile "${name}" now has revision ${revision}; machines get it within seconds.`,
    );
  },
});

async function readDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(
      'not-found',
      `Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError('usage', `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
