/** `drover add`: a new worker. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { flag, optional, text } from '../../program/options.ts';
import { workerLine } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { follow } from './by-name.ts';

/** How long `--wait` waits, in milliseconds: a large worktree and a slow agent program both need their time. */
const PATIENCE_MS = 5 * 60_000;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const input = {
    orderId: surroundings.uuid(),
    name,
    ...optional('model', text(options, 'model')),
    ...optional('rolePrompt', text(options, 'rolePrompt')),
    ...optional('profile', text(options, 'profile')),
    ...optional('machine', text(options, 'machine')),
  };
  const { worker } = await ask(surroundings, (client) => client.workers.add.mutate(input));
  const waits = flag(options, 'wait');
  const added = waits ? await untilReady(surroundings, worker) : worker;
  if (terminal.json) terminal.out(JSON.stringify(added));
  else if (waits) terminal.out(`Added ${workerLine(added, terminal)}`);
  else
    terminal.out(`Added ${name} on ${worker.machine}: its ${worker.profile} is starting ("drover status" shows when)`);
}

async function untilReady(surroundings: Surroundings, worker: WorkerView): Promise<WorkerView> {
  const now = await follow(surroundings, worker, { isDone: isOpen, patienceMs: PATIENCE_MS });
  if (now === undefined) throw new CommandError('not-found', `${worker.name} was removed while it started`);
  if (now.status === 'idle') return now;
  const note = now.note === '' ? '' : ` (${now.note})`;
  throw new CommandError(
    'refused',
    `${now.name} was added but is ${now.status}${note}: "drover why ${now.name}" explains it`,
  );
}

function isOpen({ status }: WorkerView): boolean {
  return status !== 'offline';
}
