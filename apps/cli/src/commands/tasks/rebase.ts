/** `drover rebase`: puts work that waits for review on the newest default branch, in its worktree. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, optional } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { listWorkers } from '../workers/by-name.ts';
import { workerLine } from '../workers/text.ts';

/** `drover rebase`. Drover keeps what would be merged up to date by itself: this moves the worktree too. */
export const command = defineCommand({
  about: 'put work that waits for review on the newest default branch, in its worktree',
  example: 'drover rebase adam\ndrover rebase --all',
  args: { worker: optional('whose work (default: the one that you reviewed last)') },
  options: { all: flag('all work that waits for review') },
  async run(surroundings, { args: { worker }, options: { all } }) {
    if (!all) {
      answer(surroundings, await rebase(surroundings, worker), workerLine);
      return;
    }
    if (worker !== undefined) throw new CommandError('usage', 'Name a worker or give --all, not both');
    const waiting = (await listWorkers(surroundings)).filter(({ status }) => status === 'needs_review');
    const moved: WorkerView[] = [];
    for (const { name } of waiting) moved.push(await rebase(surroundings, name));
    answer(surroundings, moved, lines);
  },
});

function lines(views: readonly WorkerView[], page: Parameters<typeof workerLine>[1]): string {
  return views.length === 0 ? 'No work waits for review.' : views.map((view) => workerLine(view, page)).join('\n');
}

async function rebase(surroundings: Surroundings, name: string | undefined): Promise<WorkerView> {
  const input = { orderId: surroundings.uuid(), ...defined({ name }) };
  const { worker } = await ask(surroundings, (client) => client.workers.rebase.mutate(input));
  return worker;
}
