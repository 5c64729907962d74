/** `drover profile rollback`: takes back a staged profile, or the last change of the fleet's. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import { stagedText } from '../../profiles/staged.ts';

export const command = defineCommand({
  about: 'take back a staged profile, or else the last change of the profile',
  example: 'drover profile rollback claude',
  args: { name: required('which profile') },
  async run(surroundings, { args }) {
    answer(surroundings, await ask(surroundings, (client) => client.profiles.rollback.mutate(args)), stagedText);
  },
});
