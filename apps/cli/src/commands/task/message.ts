/** `drover message`: sends a text to a worker at its task. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, rest, text } from '../../program/spec.ts';
import { plain } from '../../terminal/style.ts';
import { readText } from '../../terminal/texts.ts';
import { workerLine } from '../worker/text.ts';

export const command = defineCommand({
  about: 'send a message to a worker',
  example:
    'drover message adam "Use the library that is there"\ndrover message adam 1\ndrover message adam --file notes.md',
  args: { worker: required('its name'), text: rest('the text') },
  options: { file: text('file', 'a file with the text; "-" reads stdin') },
  more: `While its agent shows a dialog, the text is the answer: the number or the label
of an option. Other words are refused with the options. The number counts for
the dialog that is on the screen then; "drover answer" answers one asking alone.`,
  async run(surroundings, { args, options: { file } }) {
    const message = await readText({
      text: args.text.length === 0 ? undefined : args.text.join(' '),
      file,
      cwd: surroundings.cwd,
      what: 'message',
      given: 'writing it after the worker',
      option: '--file',
    });
    const input = { requestId: surroundings.uuid(), name: args.worker, text: message };
    const { worker, note } = await ask(surroundings, (client) => client.workers.message.mutate(input));
    answer(surroundings, worker, (shown, page) =>
      note === undefined ? workerLine(shown, page) : `${shown.name}: ${plain(note)}`,
    );
  },
});
