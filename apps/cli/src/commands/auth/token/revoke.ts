/** `drover auth token revoke`: refuses calls with this token from then on; open calls end within seconds. */
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { flag, required } from '../../../program/spec.ts';
import { confirm } from '../../../terminal/confirm.ts';

export const command = defineCommand({
  about: 'revoke a token: its open calls end within 5 seconds',
  example: 'drover auth token revoke ann',
  args: { name: required('which token') },
  options: {
    yes: flag('also the token that this command uses, without confirmation'),
    force: flag('also the last token of an admin'),
  },
  async run(surroundings, { args: { name }, options: { yes, force } }) {
    const tokens = await ask(surroundings, (client) => client.tokens.list.query());
    const token = tokens.find((one) => one.name === name && one.worker === null);
    if (token === undefined) {
      const names = tokens.filter(({ worker }) => worker === null).map((one) => one.name);
      throw new CommandError('not-found', `There is no token "${name}"; there are: ${names.join(', ')}`);
    }
    if (token.own) {
      const question = `"${name}" is the token that you are using: you lose access at once.`;
      await confirm(question, { yes, terminal: surroundings.terminal });
    }
    const input = { name, own: token.own, force };
    const revoked = await ask(surroundings, (client) => client.tokens.revoke.mutate(input));
    answer(surroundings, revoked, (one) => `The token "${one.name}" is revoked. Its open calls end within 5 seconds.`);
  },
});
