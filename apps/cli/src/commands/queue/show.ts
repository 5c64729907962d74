/** `drover queue show`: one item with its words. */
import { ask } from '../../client/client.ts';
import { queueItemText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [id = '']: readonly string[]): Promise<void> {
  const { terminal, now } = surroundings;
  const item = await ask(surroundings, (client) => client.queue.show.query({ id }));
  terminal.out(terminal.json ? JSON.stringify(item) : queueItemText(item, { now: now(), terminal }));
}
