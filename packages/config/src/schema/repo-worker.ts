// The table `[repo.worker]`: set-up and variables of each worker.
import { envNameProblem, envValueProblem } from '@drover/core';
import { z } from 'zod';
import { command } from './profile.ts';

const env = z.record(z.string(), z.string()).superRefine((variables, context) => {
  for (const [name, value] of Object.entries(variables)) {
    const message = envNameProblem(name) ?? envValueProblem(value);
    if (message !== null) context.addIssue({ code: 'custom', path: [name], message });
  }
});

/** The options of `[repo.worker]`. */
export const repoWorker = z
  .strictObject({
    setup: z
      .array(command)
      .default([])
      .describe(
        'Commands that make a worktree ready for its agent: `[["npm", "ci"]]`. They run before the agent\'s first start, and before a task if lock files (`package-lock.json`, `Cargo.lock`, `uv.lock` and others) have changed, and have the source and time limit of the validation commands. If one fails, Drover asks a person.',
      ),
    env: env
      .default({})
      .describe(
        'Environment variables of each worker\'s agent, set-up and checks: `{ PORT = "{{3000 + index}}", COMPOSE_PROJECT_NAME = "{{worker}}" }`. `{{worker}}` and `{{project}}` are names; `{{index}}` is the worker\'s own number in the project, from 0; `{{3000 + index * 10}}` leaves room between two workers. `[profiles.<name>.env]` wins, and is the place for secrets, because Drover shows these variables. A change reaches an agent at its next start.',
      ),
  })
  .prefault({})
  .describe('Set-up and variables, such as ports, of each worker.');
