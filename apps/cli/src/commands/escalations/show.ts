/** `drover escalations show`: everything that is known about one question. */
import { ask } from '../../client/client.ts';
import { escalationText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [id = '']: readonly string[]): Promise<void> {
  const { terminal, now } = surroundings;
  const escalation = await ask(surroundings, (client) => client.escalations.show.query({ id }));
  terminal.out(terminal.json ? JSON.stringify(escalation) : escalationText(escalation, { now: now(), terminal }));
}
