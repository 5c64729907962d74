/** `drover machine`: lists the machines of the fleet. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { machinesText } from './text.ts';

/** `drover machine` and `drover machine list`. */
export const command = defineCommand({
  about: 'show the machines of the fleet',
  example: 'drover machine\ndrover machine invite\ndrover machine revoke laptop',
  async run(surroundings) {
    answer(surroundings, await ask(surroundings, (client) => client.machines.list.query()), machinesText);
  },
});
