/** `drover gateway`: lists gateways, and the machines that each serves. */
import { ask } from '../../client/client.ts';
import type { GatewayView } from '@drover/api';
import { defineCommand } from '../../program/define.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import { ago, paint, plain } from '../../terminal/style.ts';

const GATEWAYS: Listing<GatewayView> = {
  empty: 'No gateway has joined: run "drover up", which includes one, or "drover machine invite --gateway".',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name }) => plain(name) },
    {
      name: 'STATE',
      of: ({ state }, { terminal }) => paint(state, state === 'connected' ? 'green' : 'red', terminal.colours),
    },
    { name: 'SEEN', of: ({ lastSeenAt }, { now }) => (lastSeenAt === null ? 'never' : ago(now - lastSeenAt)) },
    { name: 'MACHINES', of: ({ machines }) => machines.map(plain).join(', ') || 'none' },
  ],
};

export const command = defineCommand({
  about: 'show the gateways of the fleet, and the machines over SSH that each serves',
  example: 'drover gateway',
  isList: true,
  async run(surroundings) {
    answerList(surroundings, await ask(surroundings, (client) => client.machines.gateways.query()), GATEWAYS);
  },
});
