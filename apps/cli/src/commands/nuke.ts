/** `drover nuke`: removes workers. What is not merged stays unless a person insists, and even then it is kept for a while. */
import { ask } from '../client.ts';
import { CommandError } from '../exit-codes.ts';
import { flag } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';

/** How long to wait for the removal, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const all = flag(options, 'all');
  if (all === (name !== undefined)) throw new CommandError('usage', 'Name one worker, or say --all');
  const names = name === undefined ? await namesOfAll(surroundings) : [name];
  const force = flag(options, 'force');
  const failures: string[] = [];
  for (const each of names) {
    await nuke(surroundings, each, force).catch((error: unknown) => {
      if (!all || !(error instanceof CommandError)) throw error;
      failures.push(error.message);
    });
  }
  if (failures.length > 0) throw new CommandError('refused', failures.join('\n'));
}

async function namesOfAll(surroundings: Surroundings): Promise<readonly string[]> {
  return (await ask(surroundings, (client) => client.workers.list.query())).map(({ name }) => name);
}

async function nuke(surroundings: Surroundings, name: string, force: boolean): Promise<void> {
  const { terminal } = surroundings;
  const orderId = surroundings.uuid();
  const { worker } = await ask(surroundings, (client) => client.workers.nuke.mutate({ orderId, name, force }));
  const end = surroundings.now() + PATIENCE_MS;
  for (;;) {
    const still = (await ask(surroundings, (client) => client.workers.list.query())).find(({ id }) => id === worker.id);
    if (still === undefined) break;
    if (still.note.startsWith('not removed')) throw new CommandError('refused', `${name}: ${still.note}`);
    if (surroundings.now() > end)
      throw new CommandError('refused', `${name} is not removed yet (${still.note}): see "drover why ${name}"`);
    await surroundings.sleep(100);
  }
  terminal.out(terminal.json ? JSON.stringify({ removed: name }) : `Removed ${name}`);
}
