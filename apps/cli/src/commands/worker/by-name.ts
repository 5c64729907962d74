/** Finds a worker by its name, and waits until it has a wanted state. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import type { Surroundings } from '../../surroundings.ts';
import { openProgress } from '../../terminal/progress.ts';

/** Milliseconds between two polls of a worker. */
const ASK_EVERY_MS = 100;

/** Lists all workers of the coordinator. @throws {CommandError} */
export function listWorkers(surroundings: Surroundings): Promise<readonly WorkerView[]> {
  return ask(surroundings, (client) => client.workers.list.query());
}

/** Returns the unique name of a worker among these: its name, with its project if another worker has that name. */
export function refIn(
  workers: readonly Pick<WorkerView, 'project' | 'name'>[],
  worker: Pick<WorkerView, 'project' | 'name'>,
): string {
  const { project, name } = worker;
  return workers.filter((one) => one.name === name).length > 1 ? `${project}/${name}` : name;
}

/**
 * Finds a worker by its name, or by `project/name`. @throws {CommandError} `not-found`, with the known names; `usage`
 * if several workers have the name.
 */
export async function workerByName(surroundings: Surroundings, name: string): Promise<WorkerView> {
  const workers = await listWorkers(surroundings);
  const [worker, ...namesakes] = workers.filter((one) => one.name === name || `${one.project}/${one.name}` === name);
  if (worker !== undefined && namesakes.length === 0) return worker;
  if (worker !== undefined) {
    const refs = [worker, ...namesakes]
      .map((one) => `${one.project}/${one.name}`)
      .toSorted()
      .join(', ');
    throw new CommandError('usage', `There are several workers "${name}": choose one of ${refs}`);
  }
  const others = workers.map((one) => one.name).join(', ');
  const known = others === '' ? 'there are none yet: run "drover add NAME"' : `there are: ${others}`;
  throw new CommandError('not-found', `There is no worker "${name}"; ${known}`);
}

/**
 * Polls a worker after a request, until `isDone`, or for `patienceMs` milliseconds.
 *
 * @returns the worker's last state; undefined if the worker is gone.
 * @throws {CommandError} `unreachable` with the message that the request continues.
 */
export async function follow(
  surroundings: Surroundings,
  worker: WorkerView,
  {
    isDone,
    patienceMs,
  }: {
    readonly isDone: (worker: WorkerView) => boolean;
    readonly patienceMs: number;
  },
): Promise<WorkerView | undefined> {
  const end = surroundings.now() + patienceMs;
  let { note } = worker;
  using _ = openProgress(surroundings, () => `${worker.name}: ${note === '' ? 'starting' : note}`);
  for (;;) {
    const workers = await listWorkers(surroundings).catch((error: unknown) => {
      throw goingOn(error, worker);
    });
    const now = workers.find(({ id }) => id === worker.id);
    if (now === undefined || isDone(now) || surroundings.now() > end) return now;
    note = now.note;
    await surroundings.sleep(ASK_EVERY_MS);
  }
}

/** Adds to an error that the request continues: a person who loses the coordinator during a wait may think that the request is lost too. */
export function goingOn(error: unknown, { name }: WorkerView): unknown {
  if (!(error instanceof CommandError) || error.code !== 'unreachable') return error;
  const then = `Drover has saved your request for "${name}" and continues it when the coordinator runs: see "drover why ${name}"`;
  return new CommandError('unreachable', `${error.message}\n${then}`, { cause: error });
}
