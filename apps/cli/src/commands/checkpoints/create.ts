/** `drover checkpoints create`: keeps a worker's work as it is now, and waits until that is done. */
import { ask } from '../../client/client.ts';
import { optional, text } from '../../program/options.ts';
import { checkpointLine } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [worker]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const why = text(options, 'why');
  const input = { orderId: surroundings.uuid(), ...optional('worker', worker), ...optional('why', why) };
  const made = await ask(surroundings, (client) => client.checkpoints.create.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(made) : checkpointLine(made));
}
