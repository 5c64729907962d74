/** `drover profiles remove`: takes a profile of the fleet back; the one that comes with Drover holds again. */
import { ask } from '../../client/client.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [name = '']: readonly string[]): Promise<void> {
  const { terminal } = surroundings;
  const profile = await ask(surroundings, (client) => client.profiles.remove.mutate({ name }));
  terminal.out(terminal.json ? JSON.stringify(profile) : `Took the profile "${name}" back.`);
}
