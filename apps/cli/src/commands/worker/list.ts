/** `drover worker`: lists all workers. */
import { defineCommand } from '../../program/define.ts';
import { listWorkers } from './by-name.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { workerList } from './text.ts';

export const command = defineCommand({
  about: 'show all workers',
  example: 'drover worker\ndrover worker --quiet\ndrover worker --json=name,status',
  more: '"drover status" also shows what needs you.',
  isList: true,
  async run(surroundings) {
    const workers = await listWorkers(surroundings);
    answerList(surroundings, workers, workerList(workers));
  },
});
