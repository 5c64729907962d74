/** `drover flow check`: says what is wrong with a flow of one's own. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import { flowOf } from '../run/run.ts';

export const command = defineCommand({
  about: 'check a flow of your own',
  example: 'drover flow check flows/split.toml',
  args: { file: required('the file, which ends with ".toml"') },
  async run(surroundings, { args: { file } }) {
    const { flow: name, text } = await flowOf(surroundings, file);
    if (text === undefined)
      throw new CommandError('usage', `"${file}" is no file of a flow: its name ends with ".toml"`);
    const flow = await ask(surroundings, (client) => client.flows.check.mutate({ name, text }));
    answer(surroundings, flow, ({ stages }) => `The flow "${name}" is right: ${stages.join(' → ')}`);
  },
});
