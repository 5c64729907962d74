/** `drover tokens revoke`: calls with this token are refused from then on, and open ones end within seconds. */
import { ask } from '../../../client/client.ts';
import { confirm } from '../../../terminal/confirm.ts';
import { CommandError } from '../../../exit-codes.ts';
import { flag } from '../../../program/options.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const tokens = await ask(surroundings, (client) => client.tokens.list.query());
  const token = tokens.find((one) => one.name === name && one.worker === null);
  if (token === undefined) {
    const names = tokens.filter(({ worker }) => worker === null).map((one) => one.name);
    throw new CommandError('not-found', `There is no token "${name}"; there are: ${names.join(', ')}`);
  }
  if (token.own)
    await confirm(`"${name}" is the token that you are using: you will be out at once.`, {
      yes: flag(options, 'yes'),
      terminal,
    });
  const input = { name, own: token.own, force: flag(options, 'force') };
  const revoked = await ask(surroundings, (client) => client.tokens.revoke.mutate(input));
  if (terminal.json) terminal.out(JSON.stringify(revoked));
  else terminal.out(`The token "${revoked.name}" is revoked. Its open calls end within 5 seconds.`);
}
