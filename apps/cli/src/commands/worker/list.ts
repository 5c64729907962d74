/** `drover worker`: lists all workers. */
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { listWorkers } from './by-name.ts';
import { statusText } from './text.ts';

export const command = defineCommand({
  about: 'show all workers',
  example: "drover worker\ndrover worker --json | jq -r '.[].name'",
  more: '"drover status" also shows what needs you.',
  async run(surroundings) {
    answer(surroundings, await listWorkers(surroundings), statusText);
  },
});
