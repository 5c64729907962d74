/** `drover tell`: called by the agent of a run's task; gives a message to another agent of the same run, between its turns. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, rest } from '../../program/spec.ts';
import { receiptText } from './receipt.ts';

export const command = defineCommand({
  about: 'called by agents: tell another agent of the same run something',
  example: `drover tell @author "The list in src/a.ts may be empty"
drover tell berta "I have renamed parse() to readFlow()"`,
  more: `It is called in the pane of a worker whose task belongs to a run: at most three
messages for each task, 2 KiB each. The other agent gets it between its turns,
quoted, with a note that it grants nothing. What a task has to say belongs into
its result.`,
  args: { to: required('@author, @reviewer, or the name of a worker of the run'), text: rest('the text') },
  async run(surroundings, { args: { to, text } }) {
    const input = { requestId: surroundings.uuid(), to, text: text.join(' ') };
    const told = await ask(surroundings, (client) => client.runs.tell.mutate(input));
    answer(surroundings, told, receiptText);
  },
});
