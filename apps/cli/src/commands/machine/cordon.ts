/** `drover machine cordon`: gives a machine no new work. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { plain } from '../../terminal/style.ts';
import { MACHINE_NAME } from './change.ts';

/** Cordons the machine; present work of its workers goes on. */
export const command = defineCommand({
  about: 'give a machine no new work; what its workers have in hand goes on',
  example: 'drover machine cordon laptop\ndrover machine uncordon laptop',
  args: MACHINE_NAME,
  options: {},
  async run(surroundings, { args: { name } }) {
    const { terminal } = surroundings;
    const done = await ask(surroundings, (client) => client.machines.cordon.mutate({ name }));
    if (terminal.json) return terminal.out(JSON.stringify(done));
    const { cordon } = done.machine;
    if (cordon?.drain != null) {
      terminal.out(`${plain(name)} gets no new work already: ${plain(cordon.by)} drains it, so its workers leave it`);
      terminal.err(`To have them stay: drover machine uncordon ${plain(name)}, then cordon it again`);
      return undefined;
    }
    terminal.out(`${plain(name)} gets no new work. Its workers stay and go on`);
    terminal.err(`To have them leave it: drover machine drain ${plain(name)}`);
    return undefined;
  },
});
