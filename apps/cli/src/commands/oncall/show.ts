/** `drover oncall`: prints the people who are asked about questions, and the times. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { oncallText } from './text.ts';

/** `drover oncall`, also as `drover oncall show`. */
export const command = defineCommand({
  about: 'show who is notified about questions, when, and what is silenced',
  example: 'drover oncall\ndrover oncall silence --machine laptop --for 2h --reason "new disk"',
  async run(surroundings) {
    answer(surroundings, await ask(surroundings, (client) => client.oncall.show.query()), oncallText);
  },
});
