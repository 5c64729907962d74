/** `drover machine remove`: forgets a machine. */
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';
import { plain } from '../../terminal/style.ts';
import { findMachine } from './by-name.ts';
import { change, MACHINE_NAME, YES } from './change.ts';

/** Exits with `refused` if the machine has workers, and --force was not given. */
export const command = defineCommand({
  about: 'forget a machine that has no workers',
  example: 'drover machine remove laptop\ndrover machine remove laptop --force --yes',
  args: MACHINE_NAME,
  options: {
    force: flag('also with workers: Drover forgets them and their tasks; their sessions and work stay on the machine'),
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
            ? `Drover forgets ${its}.`
            : `Drover forgets ${its} and its ${workers} worker(s) with their tasks; their sessions, worktrees and branches stay on it as they are.`,
        make: (client) => client.machines.remove.mutate({ name, force }),
        tell: ({ workers }, shown) => {
          terminal.out(`${shown} is removed.`);
          if (workers.length === 0) return;
          terminal.out(`Forgotten: ${workers.map(plain).join(', ')}. Their work is on the machine as it was.`);
          terminal.err('When the machine has joined again, "drover doctor --rebuild" finds them.');
        },
      },
    );
  },
});
