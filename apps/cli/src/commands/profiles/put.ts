/** `drover profiles put`: gives every machine of the fleet a profile document, without a release or a restart. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} when the file is none, or the document is not a profile. */
export async function run(surroundings: Surroundings, [file = '']: readonly string[]): Promise<void> {
  const { terminal, cwd } = surroundings;
  const document = await readDocument(path.resolve(cwd, file));
  const profile = await ask(surroundings, (client) => client.profiles.put.mutate({ document }));
  terminal.out(
    terminal.json
      ? JSON.stringify(profile)
      : `The profile "${profile.name}" has revision ${profile.revision} now; machines have it within seconds.`,
  );
}

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
