/** `drover machines`: who is in the fleet. */
import { ask } from '../../client/client.ts';
import { machinesText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings): Promise<void> {
  const { terminal, now } = surroundings;
  const machines = await ask(surroundings, (client) => client.machines.list.query());
  terminal.out(terminal.json ? JSON.stringify(machines) : machinesText(machines, { now: now(), terminal }));
}
