/** `drover checkpoints show`: what one holds, and whether it is whole. */
import { ask } from '../../client/client.ts';
import { checkpointText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [id = '']: readonly string[]): Promise<void> {
  const { terminal, now } = surroundings;
  const checkpoint = await ask(surroundings, (client) => client.checkpoints.show.mutate({ id }));
  terminal.out(terminal.json ? JSON.stringify(checkpoint) : checkpointText(checkpoint, { now: now(), terminal }));
}
