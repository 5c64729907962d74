/** `drover auth token create`: makes a token for a person or a program; its secret is shown once. */
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { defined } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { validityOf } from './text.ts';
import { required, spanOrNever, text } from '../../../program/spec.ts';

const CHANNELS = ['telegram', 'slack', 'discord', 'ntfy'] as const;

const ROLES = ['viewer', 'responder', 'operator', 'admin'] as const;

export const command = defineCommand({
  about: 'make a token; its secret goes to stdout, once',
  example: 'drover auth token create ann --role operator --expires 30d > token',
  args: { name: required('its owner: a person or a program') },
  options: {
    role: text('role', 'viewer, responder, operator or admin'),
    project: text('name', 'the only project that it may access (default: all)'),
    channels: text('names', 'make it a bot token for these channels: telegram,slack,discord,ntfy'),
    expires: spanOrNever('how long it is valid: 90m, 12h, 30d or never (default: 90d)'),
  },
  async run(surroundings, { args: { name }, options: { role, project, expires, channels } }) {
    const { terminal } = surroundings;
    const input = {
      name,
      role: roleOf(role),
      ...defined({ project, expiresInMs: expires, channels: channelsOf(channels) }),
    };
    const { secret, token } = await ask(surroundings, (client) => client.tokens.create.mutate(input));
    if (terminal.json) {
      terminal.out(JSON.stringify({ ...token, secret }));
      return;
    }
    terminal.err(
      `The token "${token.name}": ${token.role}, for ${token.project ?? 'all projects'}, valid ${validityOf(token)}. It is shown only now:`,
    );
    terminal.out(secret);
  },
});

function channelsOf(given: string | undefined): (typeof CHANNELS)[number][] | undefined {
  return given?.split(',').map((name) => {
    const channel = CHANNELS.find((one) => one === name.trim());
    if (channel !== undefined) return channel;
    throw new CommandError(
      'usage',
      `"${name}" is not a channel: give --channels one or more of ${CHANNELS.join(', ')}`,
    );
  });
}

function roleOf(given: string | undefined): (typeof ROLES)[number] {
  const role = ROLES.find((one) => one === given);
  if (role !== undefined) return role;
  const what = given === undefined ? 'The role is missing' : `"${given}" is not a role`;
  throw new CommandError('usage', `${what}: give --role with one of ${ROLES.join(', ')}`);
}
