/** `drover auth token edit`: sets another end for a token, counted from now; its secret stays. */
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { required, spanOrNever } from '../../../program/spec.ts';
import { validityOf } from './text.ts';

export const command = defineCommand({
  about: 'change when a token expires; its secret stays the same',
  example: 'drover auth token edit ann --expires 90d',
  args: { name: required('which token') },
  options: { expires: spanOrNever('how long it is valid from now on: 12h, 30d or never') },
  async run(surroundings, { args: { name }, options: { expires } }) {
    if (expires === undefined)
      throw new CommandError('usage', 'The new expiry is missing: give --expires with a span such as 90d, or "never"');
    const token = await ask(surroundings, (client) => client.tokens.edit.mutate({ name, expiresInMs: expires }));
    answer(surroundings, token, (one) => `The token "${one.name}" is valid ${validityOf(one)}.`);
  },
});
