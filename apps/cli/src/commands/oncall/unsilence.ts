/** `drover oncall unsilence`: ends a silence before its time. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'end a silence early and send the notifications that it held back',
  example: 'drover oncall unsilence 3f9a1c2e',
  args: { id: required('its id, or the part of it that is shown') },
  async run(surroundings, { args }) {
    const silence = await ask(surroundings, (client) => client.oncall.unsilence.mutate(args));
    answer(surroundings, silence, ({ shortId }) => `The silence ${shortId} has ended: Drover notifies people again`);
  },
});
