/** `drover worker checkpoint create`: keeps a worker's work as it is now, and waits until that is done. */
import { ask } from '../../../client/client.ts';
import { answer, defined } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { optional, text } from '../../../program/spec.ts';
import { checkpointLine } from './text.ts';

export const command = defineCommand({
  about: "save a checkpoint of a worker's work",
  example: 'drover worker checkpoint create adam --why "before the big change"',
  args: { worker: optional('the worker (default: the only one)') },
  options: { why: text('text', 'a note that the list shows') },
  async run(surroundings, { args, options }) {
    const input = { requestId: surroundings.uuid(), ...defined({ ...args, ...options }) };
    const made = await ask(surroundings, (client) => client.checkpoints.create.mutate(input));
    answer(surroundings, made, checkpointLine);
  },
});
