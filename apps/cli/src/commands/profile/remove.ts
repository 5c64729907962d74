/** `drover profile remove`: removes a profile of the fleet, so that the one that comes with Drover is used again. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'remove a profile of the fleet; the built-in one applies again',
  example: 'drover profile remove claude',
  args: { name: required('which profile') },
  async run(surroundings, { args }) {
    const profile = await ask(surroundings, (client) => client.profiles.remove.mutate(args));
    answer(surroundings, profile, () => `Removed the profile "${args.name}".`);
  },
});
