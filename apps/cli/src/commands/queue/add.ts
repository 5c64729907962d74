/** `drover queue add`: adds a task for the next idle worker of the pool. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { text } from '../../program/spec.ts';
import { PROMPT_OPTIONS, readPrompt } from '../task/prompt.ts';
import { listingText } from '../../terminal/lists/listing.ts';
import { QUEUE } from './text.ts';

const PRIORITIES = ['S0', 'S1', 'S2', 'S3'] as const;

export const command = defineCommand({
  about: 'queue a task for the next idle worker of the pool',
  example: 'drover queue add --prompt "Add a --version flag"\ndrover queue add --priority S0 --prompt-file fix.md',
  options: {
    priority: text('priority', 'S0 (most urgent) to S3', { default: 'S2' }),
    project: text('name', 'the project, if there are several'),
    role: text('role', 'only for a worker with this role'),
    ...PROMPT_OPTIONS,
  },
  async run(surroundings, { options }) {
    const prompt = await readPrompt(surroundings, options);
    const input = {
      requestId: surroundings.uuid(),
      priority: priorityOf(options.priority),
      prompt,
      ...defined({ project: options.project, role: options.role }),
    };
    const item = await ask(surroundings, (client) => client.queue.add.mutate(input));
    answer(surroundings, item, (added, page) => listingText([added], QUEUE, page));
  },
});

function priorityOf(given: string): (typeof PRIORITIES)[number] {
  const known = PRIORITIES.find((priority) => priority === given.toUpperCase());
  if (known === undefined)
    throw new CommandError('usage', `"${given}" is not a priority: give S0 (most urgent) to S3 (least urgent)`);
  return known;
}
