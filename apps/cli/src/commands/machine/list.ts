/** `drover machine`: lists the machines of the fleet. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { MACHINES } from './text.ts';

/** `drover machine` and `drover machine list`. */
export const command = defineCommand({
  about: 'show the machines of the fleet',
  example: 'drover machine\ndrover machine invite\ndrover machine revoke laptop',
  isList: true,
  async run(surroundings) {
    answerList(surroundings, await ask(surroundings, (client) => client.machines.list.query()), MACHINES);
  },
});
