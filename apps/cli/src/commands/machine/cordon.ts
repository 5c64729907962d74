/** `drover machine cordon`: gives a machine no new work. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { plain } from '../../terminal/style.ts';
import { MACHINE_NAME } from './change.ts';

/** Cordons the machine; present work of its workers goes on. */
export const command = defineCommand({
  about: 'give a machine no new work; its workers finish their tasks',
  example: 'drover machine cordon laptop\ndrover machine uncordon laptop',
  args: MACHINE_NAME,
  options: {},
  async run(surroundings, { args: { name } }) {
    const { terminal } = surroundings;
    const done = await ask(surroundings, (client) => client.machines.cordon.mutate({ name }));
    if (terminal.json) return terminal.out(JSON.stringify(done));
    const { cordon } = done.machine;
    if (cordon?.drain != null) {
      terminal.out(
        `${plain(name)} already gets no new work: ${plain(cordon.by)} is draining it, so its workers leave it`,
      );
      terminal.err(`To keep its workers there: drover machine uncordon ${plain(name)}, then cordon it again`);
      return undefined;
    }
    terminal.out(`${plain(name)} gets no new work. Its workers stay and finish their tasks`);
    terminal.err(`To move them away: drover machine drain ${plain(name)}`);
    return undefined;
  },
});
