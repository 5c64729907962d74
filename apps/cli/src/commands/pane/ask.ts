/** `drover ask`: called by the agent of a run's task; asks a person, whose answer comes as a message. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { rest } from '../../program/spec.ts';
import { receiptText } from './receipt.ts';

export const command = defineCommand({
  about: 'called by agents: ask a person a question',
  example: 'drover ask "ESM or CommonJS for the new package?"',
  more: `It is called in the pane of a worker whose task belongs to a run: at most three
questions for each task, one at a time, 2 KiB each. The answer arrives as a
message between turns, so carry on with other work. If there is none, give the
result with the verdict "blocked": the next turn begins with the answer, and no
try is spent.`,
  args: { text: rest('the question') },
  async run(surroundings, { args: { text } }) {
    const input = { requestId: surroundings.uuid(), text: text.join(' ') };
    answer(surroundings, await ask(surroundings, (client) => client.runs.ask.mutate(input)), receiptText);
  },
});
