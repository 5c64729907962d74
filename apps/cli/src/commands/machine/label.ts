/** `drover machine label`: changes the labels of a machine, which say what work it is for. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { list, text } from '../../program/spec.ts';
import { plain } from '../../terminal/style.ts';
import { MACHINE_NAME } from './change.ts';

export const command = defineCommand({
  about: 'set the labels of a machine, its number of workers and its ssh address',
  example:
    'drover machine label big --add gpu,linux\ndrover machine label big --remove gpu\ndrover machine label laptop --capacity 3\ndrover machine label laptop --capacity none\ndrover machine label big --address ada@big.example.com',
  args: MACHINE_NAME,
  options: {
    add: list('label,…', 'labels to add'),
    remove: list('label,…', 'labels to remove'),
    address: text(
      'user@host',
      'its ssh address for "drover attach": user@host or host, with :port if needed; none: no address',
    ),
    capacity: text('number', 'the maximum number of workers on it; none: no limit. Workers that are there stay'),
  },
  async run(surroundings, { args: { name }, options: { add, remove, capacity, address } }) {
    const { terminal } = surroundings;
    const limit = capacity === undefined ? undefined : capacityOf(capacity);
    if (add === undefined && remove === undefined && limit === undefined && address === undefined)
      throw new CommandError('usage', 'Nothing to change: give --add, --remove, --capacity or --address');
    if (add?.length === 0 || remove?.length === 0)
      throw new CommandError('usage', 'Name labels after --add and --remove, such as --add gpu,linux');
    const both = (add ?? []).filter((label) => remove?.includes(label));
    if (both.length > 0)
      throw new CommandError('usage', `Give ${both.map(plain).join(', ')} to --add or to --remove, not to both`);
    const change = defined({ add, remove, capacity: limit, address: address === 'none' ? null : address });
    const done = await ask(surroundings, (client) => client.machines.label.mutate({ name, ...change }));
    if (terminal.json) return terminal.out(JSON.stringify(done));
    const { machine, workers } = done;
    const shown = machine.labels.length === 0 ? 'no labels' : `the labels ${machine.labels.map(plain).join(', ')}`;
    const takes = machine.capacity === null ? 'any number of workers' : `at most ${machine.capacity} worker(s)`;
    const ssh = machine.address === null ? '' : `; ssh reaches it at ${plain(machine.address)}`;
    terminal.out(`${plain(name)} has ${shown} and takes ${takes}; ${workers.length} are on it${ssh}`);
    return undefined;
  },
});

function capacityOf(given: string): number | null {
  if (given === 'none') return null;
  const number = Number(given);
  if (/^\d{1,5}$/u.test(given) && number <= 10_000) return number;
  throw new CommandError('usage', `--capacity takes a whole number from 0 to 10000, or none; not "${given}"`);
}
