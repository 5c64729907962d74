/** `drover machines`: lists the machines of the fleet. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { machinesText } from './text.ts';

/** `drover machines` and `drover machines list`. */
export const command = defineCommand({
  about: 'show the machines of the fleet',
  example: 'drover machines\ndrover machines invite\ndrover machines revoke laptop',
  listExample: "drover machines list --json | jq -r '.[].name'",
  async run(surroundings) {
    answer(surroundings, await ask(surroundings, (client) => client.machines.list.query()), machinesText);
  },
});
