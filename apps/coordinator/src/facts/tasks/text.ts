/** Builds the text of a task for a worker: the person's prompt inside the text of its project. */
import { branchOfWorker, taskText } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import type { Placed } from '../projects/place.ts';
import { worktreeOf } from '../workers/settings.ts';

export function taskTextFor(project: Placed, row: WorkerRow, prompt: string): string {
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
