/** Finds a gateway by its name. */
import type { GatewayView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';

export const GATEWAY_NAME = { name: required('its name, as "drover gateway" shows it') } as const;

/** @throws {CommandError} `not-found`, with the known names. */
export async function findGateway(surroundings: Surroundings, name: string): Promise<GatewayView> {
  const gateways = await ask(surroundings, (client) => client.machines.gateways.query());
  const gateway = gateways.find((one) => one.name === name);
  if (gateway !== undefined) return gateway;
  const names = gateways.map((one) => plain(one.name)).join(', ');
  const known = names === '' ? 'none has joined yet' : `there are: ${names}`;
  throw new CommandError('not-found', `There is no gateway "${plain(name)}"; ${known}`);
}
