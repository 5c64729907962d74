/** `drover queue retry`: an item is open again, with a fresh count of failures. */
import { ask } from '../../client/client.ts';
import { queueItemText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [id = '']: readonly string[]): Promise<void> {
  const { terminal, now } = surroundings;
  const item = await ask(surroundings, (client) => client.queue.retry.mutate({ id }));
  terminal.out(terminal.json ? JSON.stringify(item) : queueItemText(item, { now: now(), terminal }));
}
