/** `drover profiles`: which agent profiles there are. */
import { ask } from '../../client/client.ts';
import { table } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings): Promise<void> {
  const { terminal } = surroundings;
  const profiles = await ask(surroundings, (client) => client.profiles.list.query());
  if (terminal.json) {
    terminal.out(JSON.stringify(profiles));
    return;
  }
  const rows = profiles.map(({ name, origin, revision }) => [
    name,
    origin === 'build' ? 'comes with Drover' : `of this fleet, revision ${revision}`,
  ]);
  terminal.out(table(rows, terminal.columns));
}
