/** Finds a machine by its name, before a person is asked, so that a wrong name is reported first. */
import type { MachineView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** @throws {CommandError} `not-found`, with the known names. */
export async function findMachine(surroundings: Surroundings, name: string): Promise<MachineView> {
  const machines = await ask(surroundings, (client) => client.machines.list.query());
  const machine = machines.find((one) => one.name === name);
  if (machine !== undefined) return machine;
  const gateways = await ask(surroundings, (client) => client.machines.gateways.query());
  if (gateways.some((one) => one.name === name))
    throw new CommandError(
      'refused',
      `"${plain(name)}" is a gateway, not a machine with workers: see "drover gateway", and "drover gateway --help" for what can be done with it`,
    );
  const names = machines.map((one) => plain(one.name));
  const known = names.length === 0 ? 'none has joined yet' : `there are: ${names.join(', ')}`;
  throw new CommandError('not-found', `There is no machine "${plain(name)}"; ${known}`);
}

/** Counts workers for a sentence: `its worker` or `its 3 workers`. */
export function workersOf({ workers }: MachineView): string {
  return workers === 1 ? 'its worker' : `its ${workers} workers`;
}
