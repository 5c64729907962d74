/** `drover answer`: answers a question. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, optional, required, text } from '../../program/spec.ts';
import { readText } from '../../terminal/texts.ts';
import { answerRun } from '../run/answer.ts';
import { answerText } from './text.ts';

export const command = defineCommand({
  about: 'answer an open question',
  more: `The first valid answer wins.`,
  example:
    'drover answer 3f9a1c2e --option retry\ndrover answer 3f9a1c2e --option retry-with-changes --text "Keep the tests"\ndrover answer 1a2b3c4d start\ndrover answer 1a2b3c4d revise "Keep the tests apart"\ndrover answer 1a2b3c4d edit',
  args: {
    id: required('the id of a question or a run, or the part of it that is shown'),
    choice: optional('of a run: start, edit, revise, reply, stop, or another option that it names'),
    words: optional('the words of "revise" and "reply"'),
  },
  options: {
    option: text('option', 'the option to choose'),
    asked: count('number', 'the number of the asking that it answers, as "show" prints it', {
      min: 1,
      max: 1_000_000,
      default: 1,
    }),
    text: text('text', 'the text, for options that need one'),
    file: text('file', 'a file with the text, or with an edited plan; "-" reads stdin'),
    question: text('id', 'the question of the run, if it asks several'),
  },
  async run(surroundings, { args: { id, choice, words }, options: { option, asked, text: given, file, question } }) {
    const { cwd, uuid } = surroundings;
    if (choice !== undefined) {
      await answerRun(surroundings, { id, choice, words, file, question });
      return;
    }
    if (option === undefined)
      throw new CommandError(
        'usage',
        `The option is missing: give --option OPTION; "drover escalation show ${id}" lists the options`,
      );
    const content =
      given === undefined && file === undefined
        ? undefined
        : await readText({ text: given, file, cwd, what: 'text', given: '--text', option: '--file' });
    const input = { requestId: uuid(), id, option, asked, ...defined({ text: content }) };
    const escalation = await ask(surroundings, (client) => client.escalations.resolve.mutate(input));
    answer(surroundings, escalation, answerText);
  },
});
