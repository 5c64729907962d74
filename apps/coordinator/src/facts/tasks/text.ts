/** Builds the text of a task for a worker: the person's prompt inside the text of its project. */
import { branchOfWorker, runPreamble, taskText } from '@drover/core';
import type { RunItem } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import type { Placed } from '../projects/place.ts';
import { DEFAULT_ROLE } from '../workers/role.ts';
import { worktreeOf } from '../workers/settings.ts';

export function taskTextFor(project: Placed, row: Pick<WorkerRow, 'name' | 'options'>, prompt: string): string {
  const { preamble, validate, validateFrom } = project.config;
  const { rolePrompt } = row.options;
  return taskText({
    worktree: worktreeOf(project, row.name),
    branch: branchOfWorker(row.name, project.config.branchPrefix),
    preamble,
    rolePrompt,
    validate:
      validateFrom === 'repository'
        ? ['the commands of .drover/checks.toml']
        : validate.map((words) => words.join(' ')),
    prompt,
  });
}

/** A task of a run: its item, and the goal of the run. */
interface RunTask {
  readonly item: RunItem;
  readonly goal: string;
  readonly prompt: string;
}

/** Builds the text of a run's task: what it must return comes before the prompt. Only a task that owes a commit is told to make one. */
export function runTaskText(
  project: Placed,
  row: Pick<WorkerRow, 'name' | 'options'>,
  { item, goal, prompt }: RunTask,
): string {
  const { rolePrompt, role = null } = row.options;
  // A worker whose person chose no role does the tasks of any: a reviewer is not told that it is a developer.
  const own = runPreamble({ item: item.item, role: role === DEFAULT_ROLE ? null : role, goal, owed: item });
  const preamble = [project.config.preamble.trim(), own].filter((part) => part !== '').join('\n\n');
  if (item.returns === 'commit') {
    const config = { ...project.config, preamble };
    return taskTextFor({ ...project, config }, row, prompt);
  }
  return [preamble, rolePrompt.trim(), prompt.trim()].filter((part) => part !== '').join('\n\n');
}
