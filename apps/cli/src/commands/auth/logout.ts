/** `drover auth logout`: forgets the token for a coordinator. The token stays valid until it is revoked. */
import { forgetToken, loginUrl } from '../../client/logins.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'forget the token for a coordinator',
  example: 'drover auth logout https://drover.example.com',
  args: { url: required('the address of the coordinator') },
  async run(surroundings, { args }) {
    const url = loginUrl(args.url);
    if (!(await forgetToken(surroundings.environment, url)))
      throw new CommandError('not-found', `There is no login for ${url}`);
    answer(
      surroundings,
      { url },
      () => `Forgot the token for ${url}. It stays valid until an admin revokes it: "drover auth token revoke NAME".`,
    );
  },
});
