/** `drover profiles show`: prints a profile document that comes with Drover, as a start for one of your own. */
import { escapeHidden } from '@drover/core/hidden-characters';
import { BUILT_IN_DOCUMENTS } from '@drover/screen';
import { CommandError } from '../../exit-codes.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} `not-found`. */
export async function run({ terminal }: Surroundings, [name = '']: readonly string[]): Promise<void> {
  const document = BUILT_IN_DOCUMENTS.find(({ id }) => id === name);
  const names = BUILT_IN_DOCUMENTS.map(({ id }) => id).join(', ');
  if (document === undefined)
    throw new CommandError('not-found', `No profile "${name}" comes with Drover; there are: ${names}`);
  terminal.out(escapeHidden(JSON.stringify(document, null, 2)));
  return Promise.resolve();
}
