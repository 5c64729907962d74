/** `drover machine invite`: makes a single-use token for another machine. */
import { isLoopback } from '@drover/protocol/loopback';
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';

export const command = defineCommand({
  about: 'make a single-use token for a new machine, or for a revoked one',
  example: 'drover machine invite --ttl 60\ndrover machine invite --gateway',
  options: {
    ttl: count('minutes', 'how long it is valid', { min: 1, max: 1_440, default: 10 }),
    gateway: flag('let a gateway join, which serves machines over SSH'),
  },
  async run(surroundings, { options: { ttl: minutes, gateway } }) {
    const { terminal } = surroundings;
    const invitation = await ask(surroundings, (client) =>
      client.machines.invite.mutate({ ttlMs: minutes * 60_000, gateway }),
    );
    if (terminal.json) {
      terminal.out(JSON.stringify(invitation));
      return;
    }
    terminal.err(
      `Valid for ${minutes} minutes and one ${gateway ? 'gateway' : 'machine'}; shown only now. Fleet: ${invitation.coordinator}`,
    );
    terminal.err(
      gateway
        ? 'On the computer of the gateway, then "drover server gateway":'
        : 'On the other machine, then "drover machine service install":',
    );
    const address = addressFor(surroundings, invitation.url);
    if (address === PLACEHOLDER)
      terminal.err(
        'Replace the address with the one by which that machine reaches this coordinator. Set coordinator.public_url in drover.toml to have it printed here.',
      );
    // The token goes through a pipe: every user of that machine can read the arguments of a process.
    terminal.out(
      `printf %s ${invitation.token} | drover ${gateway ? 'gateway' : 'machine'} join ${address} --token-file -`,
    );
  },
});

const PLACEHOLDER = 'COORDINATOR_URL';

/**
 * Returns the address by which other machines reach the coordinator: this person's address, unless it works on this
 * machine alone; else the configured address.
 */
export function addressFor(
  { environment: { url } }: Pick<Surroundings, 'environment'>,
  configured: string | null,
): string {
  return [url ?? null, configured].find(isFar) ?? PLACEHOLDER;
}

function isFar(url: string | null): boolean {
  return url !== null && !url.split(',').some(isNear) && !/[^\w.,:/[\]-]/u.test(url);
}

function isNear(url: string): boolean {
  return isLoopback(URL.parse(url.trim())?.hostname ?? 'localhost');
}
