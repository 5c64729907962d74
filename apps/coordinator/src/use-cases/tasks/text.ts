/** What is a worker told when it is given a task? Its project's words around the person's. */
import { taskText } from '@drover/core';
import type { Project, WorkerRow } from '@drover/store';
import { worktreeOf } from '../workers/settings.ts';

/** The whole text of a task for a worker. */
export function taskTextFor(project: Project, row: WorkerRow, prompt: string): string {
  const { preamble, validate, validateFrom } = project.config;
  const { rolePrompt } = row.options;
  return taskText({
    worktree: worktreeOf(project, row.name),
    root: project.root,
    preamble,
    rolePrompt,
    validate:
      validateFrom === 'repository'
        ? ['the commands of .drover/checks.toml']
        : validate.map((words) => words.join(' ')),
    prompt,
  });
}
