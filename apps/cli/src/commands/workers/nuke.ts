/** `drover nuke`: removes workers. Unmerged work needs --force, and is then kept under refs/drover/trash for a while. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, optional } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';
import { follow, listWorkers, refIn } from './by-name.ts';

/** How long to wait for the removal, in milliseconds. */
const PATIENCE_MS = 30_000;

/** `drover nuke`: `refused` when a worker stayed; it still removes the others. */
export const command = defineCommand({
  about: 'remove a worker, its session, worktree and branch',
  example: 'drover nuke adam\ndrover nuke --all',
  args: { name: optional('which worker') },
  options: {
    all: flag('remove all workers'),
    force: flag('also if work is not merged; it is kept under refs/drover/trash for 14 days'),
  },
  async run(surroundings, { args: { name }, options: { all, force } }) {
    const { terminal } = surroundings;
    if (all === (name !== undefined)) throw new CommandError('usage', 'Name one worker, or say --all');
    const names = name === undefined ? await allOf(surroundings) : [name];
    const removed: string[] = [];
    const kept: CommandError[] = [];
    for (const each of names) {
      try {
        await nuke(surroundings, each, force);
        removed.push(each);
        if (!terminal.json) terminal.out(`Removed ${each}`);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        kept.push(error);
      }
    }
    if (terminal.json && removed.length > 0) terminal.out(JSON.stringify({ removed }));
    else if (names.length === 0) terminal.out(terminal.json ? JSON.stringify({ removed }) : 'There are no workers.');
    const [first] = kept;
    if (first !== undefined) throw new CommandError(first.code, kept.map(({ message }) => message).join('\n'));
  },
});

async function allOf(surroundings: Surroundings): Promise<readonly string[]> {
  const workers = await listWorkers(surroundings);
  return workers.map((worker) => refIn(workers, worker));
}

async function nuke(surroundings: Surroundings, name: string, force: boolean): Promise<void> {
  const orderId = surroundings.uuid();
  const { worker } = await ask(surroundings, (client) => client.workers.nuke.mutate({ orderId, name, force }));
  const still = await follow(surroundings, worker, { isDone: isRefused, patienceMs: PATIENCE_MS });
  if (still === undefined) return;
  if (isRefused(still)) throw new CommandError('refused', `${name}: ${plain(still.note)}`);
  throw new CommandError(
    'refused',
    `${name} is not removed yet (${plain(still.note || still.status)}): see "drover why ${name}"`,
  );
}

function isRefused({ note }: WorkerView): boolean {
  return note.startsWith('not removed');
}
