/** `drover nuke`: removes workers. Unmerged work needs --force, and is then kept under refs/drover/trash for a while. */
import type { RequestView, WorkerView } from '@drover/api';
import { ask, reasonOf } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, optional, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { choose } from '../../terminal/confirm.ts';
import { plain } from '../../terminal/style.ts';
import { follow, listWorkers, refIn } from './by-name.ts';

/** Milliseconds to wait for the removal. */
const PATIENCE_MS = 30_000;

/** Exits with `refused` if a worker stayed; still removes the others. */
export const command = defineCommand({
  about: 'remove a worker with its session and branch',
  example: 'drover nuke adam\ndrover nuke adam --force --task requeue\ndrover nuke --all',
  args: { name: optional('which worker') },
  options: {
    all: flag('remove all workers'),
    force: flag('also with unmerged work; Drover keeps it under refs/drover/trash for 14 days'),
    task: text('drop|requeue', 'what happens to an unfinished task (default: ask in a terminal)'),
  },
  async run(surroundings, { args: { name }, options: { all, force, task: said } }) {
    const { terminal } = surroundings;
    const task = said === undefined ? undefined : taskEnd(said);
    if (all === (name !== undefined)) throw new CommandError('usage', 'Name one worker, or give --all');
    const names = name === undefined ? await allOf(surroundings) : [name];
    const removed: string[] = [];
    const kept: CommandError[] = [];
    for (const each of names) {
      try {
        const note = await nuke(surroundings, each, { force, task });
        removed.push(each);
        if (!terminal.json) terminal.out(`Removed ${each}${note === undefined ? '' : `; ${plain(note)}`}`);
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

/** Possible ends of a task, with their meanings. */
const TASK_ENDS = {
  requeue: 'its prompt goes back to the work queue, for another worker',
  drop: 'it ends without a result',
} as const;

type TaskEnd = keyof typeof TASK_ENDS;

function taskEnd(said: string): TaskEnd {
  if (said === 'drop' || said === 'requeue') return said;
  throw new CommandError('usage', `--task takes requeue or drop, not "${said}"`);
}

interface How {
  readonly force: boolean;
  readonly task: TaskEnd | undefined;
}

/** @returns the end of its task; undefined if it had none. */
async function nuke(surroundings: Surroundings, name: string, how: How): Promise<string | undefined> {
  const { worker, note } = await request(surroundings, name, how);
  const still = await follow(surroundings, worker, { isDone: isRefused, patienceMs: PATIENCE_MS });
  if (still === undefined) return note;
  if (isRefused(still)) throw new CommandError('refused', `${name}: ${plain(still.note)}`);
  throw new CommandError(
    'refused',
    `${name} is not removed yet (${plain(still.note || still.status)}): see "drover why ${name}"`,
  );
}

/** Requests the removal; asks a person at a terminal about an unfinished task. */
async function request(surroundings: Surroundings, name: string, how: How): Promise<RequestView> {
  const requestId = surroundings.uuid();
  try {
    return await ask(surroundings, (client) => client.workers.nuke.mutate({ requestId, name, ...how }));
  } catch (error) {
    if (reasonOf(error) !== 'task-unfinished' || !(error instanceof CommandError)) throw error;
    const task = await choose(error, { among: TASK_ENDS, terminal: surroundings.terminal });
    return request(surroundings, name, { ...how, task });
  }
}

function isRefused({ note }: WorkerView): boolean {
  return note.startsWith('not removed');
}
