/** `drover escalations ack`: tells the others that somebody looks at it. */
import { ask } from '../../client/client.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [id = '']: readonly string[]): Promise<void> {
  const { terminal } = surroundings;
  const escalation = await ask(surroundings, (client) => client.escalations.ack.mutate({ id }));
  const { shortId, ackedBy } = escalation;
  const said = `${shortId} is seen by ${ackedBy ?? 'somebody'} and waits for an answer: drover escalations show ${shortId}`;
  terminal.out(terminal.json ? JSON.stringify(escalation) : said);
}
