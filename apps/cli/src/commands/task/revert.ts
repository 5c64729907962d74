/** `drover revert`: gives an idle worker the task to undo a commit; its work then waits for review like any other. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, text } from '../../program/spec.ts';
import { lackLines, workerLine } from '../worker/text.ts';

/** Names of commits: as short as git abbreviates them, up to whole ones. */
const COMMIT = /^[0-9a-f]{7,64}$/iu;

export const command = defineCommand({
  about: 'undo an accepted commit by a new one',
  example: 'git -C ../shop log --oneline -n 5\ndrover revert 1a2b3c4\ndrover revert 1a2b3c4 --worker adam',
  more: 'An idle worker reverts the commit and keeps what came later; the reverting commit waits for your review.',
  args: { commit: required('the commit on the default branch, such as 1a2b3c4') },
  options: {
    worker: text('name', 'the worker (default: the best idle one of the pool)'),
    project: text('name', 'the project of the worker, if there are several'),
  },
  async run(surroundings, { args: { commit }, options: { worker: name, project } }) {
    const input = { requestId: surroundings.uuid(), prompt: promptOf(commit), ...defined({ name, project }) };
    const { worker } = await ask(surroundings, (client) => client.workers.start.mutate(input));
    answer(surroundings, worker, (view, page) => [workerLine(view, page), ...lackLines(view, page)].join('\n'));
  },
});

/** @throws {CommandError} `usage` if the word is no name of a commit. */
export function promptOf(commit: string): string {
  if (!COMMIT.test(commit))
    throw new CommandError(
      'usage',
      `"${commit}" is not a commit: name it by at least its first 7 characters, as "git log --oneline" prints them`,
    );
  const id = commit.toLowerCase();
  return [
    `Undo commit ${id}, which is on this branch: run "git revert --no-edit ${id}".`,
    `If that conflicts, resolve it so that only the changes of ${id} are undone and all later work stays.`,
    'Then run the tests. If the commit does not exist here, or is undone already, change nothing and say so.',
  ].join('\n');
}
