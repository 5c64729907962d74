/** `drover escalations resolve`: answers a question. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { optional, text } from '../../program/options.ts';
import { answerText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText } from '../../terminal/texts.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [id = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd, uuid } = surroundings;
  const option = text(options, 'option');
  if (option === undefined)
    throw new CommandError('usage', `Say which answer: --option OPTION; "drover escalations show ${id}" lists them`);
  const [given, file] = [text(options, 'text'), text(options, 'file')];
  const words =
    given === undefined && file === undefined
      ? undefined
      : await readText({ text: given, file, cwd, what: 'text', given: '--text', option: '--file' });
  const input = { orderId: uuid(), id, option, ...optional('text', words) };
  const escalation = await ask(surroundings, (client) => client.escalations.resolve.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(escalation) : answerText(escalation));
}
