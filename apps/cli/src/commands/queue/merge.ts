/** `drover queue merge`: prints work that is accepted and not merged yet, work that is being checked, and work that a train left without. */
import type { WorkerView } from '@drover/api';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { optional } from '../../program/spec.ts';
import { listWorkers } from '../worker/by-name.ts';
import { trainText } from './merge-text.ts';

export const command = defineCommand({
  about: 'show the merge queue',
  example: 'drover queue merge\ndrover queue merge shop',
  args: { project: optional('the project (default: all)') },
  async run(surroundings, { args: { project } }) {
    const workers = await listWorkers(surroundings);
    const projects = [...new Set(workers.map((worker) => worker.project))].toSorted();
    if (project !== undefined && !projects.includes(project))
      throw new CommandError(
        'not-found',
        `There is no project "${project}" with workers; there are: ${projects.join(', ') || 'none'}`,
      );
    const shown: readonly WorkerView[] = workers.filter(
      (worker) =>
        (project === undefined || worker.project === project) &&
        (worker.accepting !== null || worker.sentBack !== null),
    );
    answer(surroundings, shown, (views) => trainText(views, surroundings.now()));
  },
});
