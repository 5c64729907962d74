/** `drover flow`: lists the flows that a run can follow. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { plain, table } from '../../terminal/style.ts';

export const command = defineCommand({
  about: 'list the flows that a run can follow',
  example: 'drover flow\ndrover flow show split > flows/split.toml',
  async run(surroundings) {
    const flows = await ask(surroundings, (client) => client.flows.list.query());
    answer(surroundings, flows, (all, { terminal }) =>
      table(
        all.map(({ name, about, stages }) => [name, plain(about), stages.join(' → ')]),
        terminal.columns,
      ),
    );
  },
});
