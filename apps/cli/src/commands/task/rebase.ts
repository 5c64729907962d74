/** `drover rebase`: puts work that waits for review on the newest default branch, in its worktree. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, optional } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { listWorkers, refIn } from '../worker/by-name.ts';

/** Rebases the worktree too; Drover keeps the merge candidate up to date by itself. */
export const command = defineCommand({
  about: 'rebase work onto the newest default branch',
  more: `It takes work that waits for review. The checks run on it again. If it conflicts,
Drover asks its agent to resolve the conflicts.`,
  example: 'drover rebase adam\ndrover rebase --all',
  args: { worker: optional('whose work (default: the one that you reviewed last)') },
  options: { all: flag('all work that waits for review') },
  async run(surroundings, { args: { worker }, options: { all } }) {
    if (!all) {
      answer(surroundings, await rebase(surroundings, worker), line);
      return;
    }
    if (worker !== undefined) throw new CommandError('usage', 'Name a worker or give --all, not both');
    const { moved, failures } = await rebaseAll(surroundings, await listWorkers(surroundings));
    if (moved.length > 0 || failures.length === 0) answer(surroundings, moved, lines);
    const [first] = failures;
    if (first !== undefined) throw new CommandError(first.code, failures.map(({ message }) => message).join('\n'));
  },
});

/** Rebases several workers; a refused one does not hold up the others. */
async function rebaseAll(
  surroundings: Surroundings,
  workers: readonly WorkerView[],
): Promise<{ readonly moved: WorkerView[]; readonly failures: CommandError[] }> {
  const moved: WorkerView[] = [];
  const failures: CommandError[] = [];
  for (const worker of workers.filter(({ status }) => status === 'needs_review')) {
    try {
      moved.push(await rebase(surroundings, refIn(workers, worker)));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (error.code === 'unreachable' || error.code === 'unauthorized') throw error;
      failures.push(error);
    }
  }
  return { moved, failures };
}

function lines(views: readonly WorkerView[]): string {
  return views.length === 0 ? 'No work waits for review.' : views.map(line).join('\n');
}

/** Formats a line: the rebase was only requested, so the worker's present state is from before. */
function line({ name }: WorkerView): string {
  return `${name}: Drover rebases its work onto the newest default branch; "drover status" shows the result`;
}

async function rebase(surroundings: Surroundings, name: string | undefined): Promise<WorkerView> {
  const input = { requestId: surroundings.uuid(), ...defined({ name }) };
  const { worker } = await ask(surroundings, (client) => client.workers.rebase.mutate(input));
  return worker;
}
