/** `drover logout`: forgets the token for a coordinator. It stays good until it is revoked. */
import { CommandError } from '../../exit-codes.ts';
import { forgetToken, loginUrl } from '../../client/logins.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run({ terminal, environment }: Surroundings, [given = '']: readonly string[]): Promise<void> {
  const url = loginUrl(given);
  if (!(await forgetToken(environment, url))) throw new CommandError('not-found', `There is no login for ${url}`);
  if (terminal.json) terminal.out(JSON.stringify({ url }));
  else terminal.out(`Forgot the token for ${url}. It is good until an admin revokes it: "drover tokens revoke NAME".`);
}
