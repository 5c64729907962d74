/** `drover start`: gives a task to an idle worker. */
import { ask } from '../../client/client.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { text } from '../../program/spec.ts';
import { lackLines, workerLine } from '../worker/text.ts';
import { PROMPT_OPTIONS, readPrompt } from './prompt.ts';

export const command = defineCommand({
  about: 'give a task to an idle worker',
  example:
    'drover start --prompt "Add a --version flag"\ndrover start --worker adam --prompt-file task.md\ngit diff | drover start --prompt-file -\ndrover start --from origin/feat/login --prompt "Add tests"\ndrover start --from "#12" --prompt "Answer the review"',
  more: `To give one task to several agents: drover run study "Why is CI slow?" --times 3`,
  options: {
    worker: text('name', 'the worker (default: the best idle one of the pool)'),
    project: text('name', 'the project of the worker, if there are several'),
    role: text('role', 'only a worker with this role'),
    from: text(
      'branch|pr',
      'start from existing work: a branch of the repository or of its remote (origin/feat/x), or a pull request (#12, or its address)',
    ),
    ...PROMPT_OPTIONS,
  },
  async run(surroundings, { options }) {
    const prompt = await readPrompt(surroundings, options);
    const input = {
      requestId: surroundings.uuid(),
      prompt,
      ...defined({ name: options.worker, project: options.project, role: options.role, from: options.from }),
    };
    const { worker } = await ask(surroundings, (client) => client.workers.start.mutate(input));
    answer(surroundings, worker, (view, page) => [workerLine(view, page), ...lackLines(view, page)].join('\n'));
  },
});
