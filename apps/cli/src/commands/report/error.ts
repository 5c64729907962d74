/** `drover report error`: prints one error with all known facts. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import { errorText } from './error-text.ts';

export const command = defineCommand({
  about: 'show an error with the last lines of the terminal, git, the actions taken, and advice',
  example: 'drover report error 3f9a1c2e',
  args: { id: required('its id, or the part of it that is shown') },
  async run(surroundings, { args }) {
    const error = await ask(surroundings, (client) => client.error.query(args));
    answer(surroundings, error, errorText);
  },
});
