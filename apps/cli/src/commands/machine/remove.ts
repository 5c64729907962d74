/** `drover machine remove`: forgets a machine. */
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';
import { plain } from '../../terminal/style.ts';
import { findMachine } from './by-name.ts';
import { change, MACHINE_NAME, YES } from './change.ts';

/** Exits with `refused` if the machine has workers, and --force was not given. */
export const command = defineCommand({
  about: 'remove a machine that has no workers',
  example: 'drover machine remove laptop\ndrover machine remove laptop --force --yes',
  args: MACHINE_NAME,
  options: {
    force: flag(
      'also with workers: Drover removes them and their tasks from the fleet; their sessions and work stay on the machine',
    ),
    ...YES,
  },
  async run(surroundings, { args: { name }, options: { force, yes } }) {
    const { terminal } = surroundings;
    await change(
      surroundings,
      { name, yes },
      {
        find: findMachine,
        question: ({ workers }, its) =>
          workers === 0 || !force
            ? `Drover removes ${its}.`
            : `Drover removes ${its} and its ${workers} worker(s) with their tasks from the fleet; their sessions, worktrees and branches stay on it.`,
        make: (client) => client.machines.remove.mutate({ name, force }),
        tell: ({ workers }, shown) => {
          terminal.out(`${shown} is removed.`);
          if (workers.length === 0) return;
          terminal.out(`Also removed: ${workers.map(plain).join(', ')}. Their work stays on the machine.`);
          terminal.err('If the machine joins again, "drover doctor --rebuild" restores them.');
        },
      },
    );
  },
});
