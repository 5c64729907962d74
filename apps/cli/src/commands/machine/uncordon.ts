/** `drover machine uncordon`: gives a machine work again. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { plain } from '../../terminal/style.ts';
import { MACHINE_NAME } from './change.ts';

/** Uncordons the machine; also ends a drain. */
export const command = defineCommand({
  about: 'give a machine new work again and end its drain; workers that have moved stay on their new machines',
  example: 'drover machine uncordon laptop',
  args: MACHINE_NAME,
  options: {},
  async run(surroundings, { args: { name } }) {
    const { terminal } = surroundings;
    const done = await ask(surroundings, (client) => client.machines.uncordon.mutate({ name }));
    terminal.out(terminal.json ? JSON.stringify(done) : `${plain(name)} gets work again`);
  },
});
