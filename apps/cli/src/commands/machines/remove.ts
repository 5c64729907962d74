/** `drover machines remove`: a machine is forgotten. */
import { ask } from '../../client/client.ts';
import { confirm } from '../../terminal/confirm.ts';
import { findMachine } from './by-name.ts';
import { flag } from '../../program/options.ts';
import { plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} `refused` when the machine has workers, and --force was not given. */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const force = flag(options, 'force');
  const { workers } = await findMachine(surroundings, name);
  const shown = plain(name);
  const question =
    workers === 0 || !force
      ? `${shown} is forgotten.`
      : `${shown} is forgotten with its ${workers} worker(s); their sessions, worktrees and branches stay on it as they are.`;
  await confirm(question, { yes: flag(options, 'yes'), terminal });
  const answer = await ask(surroundings, (client) => client.machines.remove.mutate({ name, force }));
  if (terminal.json) {
    terminal.out(JSON.stringify(answer));
    return;
  }
  terminal.out(`${shown} is removed.`);
  if (answer.workers.length === 0) return;
  terminal.out(`Forgotten: ${answer.workers.map(plain).join(', ')}. Their work is on the machine as it was.`);
  terminal.err('When the machine has joined again, "drover doctor --rebuild" finds them.');
}
