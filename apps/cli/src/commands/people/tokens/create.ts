/** `drover tokens create`: a token for a person or a program; its secret is shown once. */
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { optional, span, text } from '../../../program/options.ts';
import type { Surroundings } from '../../../surroundings.ts';

const ROLES = ['viewer', 'responder', 'operator', 'admin'] as const;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const input = {
    name,
    role: roleOf(text(options, 'role')),
    ...optional('project', text(options, 'project')),
    ...optional('expiresInMs', span(options, 'expires')),
  };
  const { secret, token } = await ask(surroundings, (client) => client.tokens.create.mutate(input));
  if (terminal.json) {
    terminal.out(JSON.stringify({ ...token, secret }));
    return;
  }
  const end = token.expiresAt === null ? 'until it is revoked' : `until ${new Date(token.expiresAt).toISOString()}`;
  terminal.err(
    `The token "${token.name}": ${token.role}, for ${token.project ?? 'all projects'}, good ${end}. It is shown only now:`,
  );
  terminal.out(secret);
}

function roleOf(given: string | undefined): (typeof ROLES)[number] {
  const role = ROLES.find((one) => one === given);
  if (role !== undefined) return role;
  const what = given === undefined ? 'The role is missing' : `"${given}" is no role`;
  throw new CommandError('usage', `${what}: give --role with one of ${ROLES.join(', ')}`);
}
