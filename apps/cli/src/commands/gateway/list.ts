/** `drover gateway`: lists gateways, and the machines that each serves. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { ago, paint, plain, table } from '../../terminal/style.ts';

export const command = defineCommand({
  about: 'show the gateways of the fleet, and the machines over SSH that each serves',
  example: 'drover gateway',
  async run(surroundings) {
    const gateways = await ask(surroundings, (client) => client.machines.gateways.query());
    answer(surroundings, gateways, (all, { now, terminal }) =>
      all.length === 0
        ? 'No gateway has joined: run "drover up", which includes one, or "drover machine invite --gateway".'
        : table(
            all.map(({ name, state, lastSeenAt, machines }) => [
              plain(name),
              paint(state, state === 'connected' ? 'green' : 'red', terminal.colours),
              lastSeenAt === null ? 'never seen' : ago(now - lastSeenAt),
              machines.length === 0 ? 'serves none' : `serves ${machines.map(plain).join(', ')}`,
            ]),
            terminal.columns,
          ),
    );
  },
});
