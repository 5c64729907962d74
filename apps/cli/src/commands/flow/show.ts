/** `drover flow show`: prints the text of a flow, to save and change. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'print a flow, to save it and change it',
  example: 'drover flow show split > flows/split.toml',
  args: { name: required('the flow') },
  async run(surroundings, { args }) {
    const flow = await ask(surroundings, (client) => client.flows.show.query(args));
    answer(surroundings, flow, ({ text }) => text.trimEnd());
  },
});
