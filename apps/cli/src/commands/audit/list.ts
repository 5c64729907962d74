/** `drover audit`: lists changes and the people who requested them. */
import { ask } from '../../client/client.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, span, text } from '../../program/spec.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { AUDIT } from './text.ts';

export const command = defineCommand({
  about: 'show who requested what: people, machines and the policy',
  example: 'drover audit --since 2h\ndrover audit --actor ann --json',
  options: {
    actor: text('actor', 'only of this person, machine or worker, or "policy"'),
    since: span('only of the last 30m, 2h or 7d'),
    limit: count('count', 'maximum number of rows, newest first', { min: 1, max: 10_000, default: 100, short: 'n' }),
  },
  isList: true,
  async run(surroundings, { options: { actor, since, limit } }) {
    const input = { limit, ...defined({ actor, sinceMs: since }) };
    const rows = await ask(surroundings, (client) => client.audit.list.query(input));
    answerList(surroundings, surroundings.terminal.json ? rows : rows.toReversed(), AUDIT);
  },
});
