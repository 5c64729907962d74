/** `drover worker checkpoint show`: prints the content of a checkpoint, and its damage. */
import { ask } from '../../../client/client.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { required } from '../../../program/spec.ts';
import { checkpointText } from './text.ts';

export const command = defineCommand({
  about: 'show the content of a checkpoint, and whether it is complete',
  example: 'drover worker checkpoint show 3f9a1c2e',
  args: { id: required('its id, or the part of it that is shown') },
  async run(surroundings, { args }) {
    const checkpoint = await ask(surroundings, (client) => client.checkpoints.show.mutate(args));
    answer(surroundings, checkpoint, checkpointText);
  },
});
