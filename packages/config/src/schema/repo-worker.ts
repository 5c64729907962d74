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
        'Commands, each a list of words, that make a place ready for its agent: `[["npm", "ci"]]`. They run in the place of each worker before its agent starts for the first time, and before a task begins where lock files (`package-lock.json`, `Cargo.lock`, `uv.lock` and others) have changed. They come from where the validation commands come from, and each may take as long. If one fails, a person is asked.',
      ),
    env: env
      .default({})
      .describe(
        'Environment variables of each worker, for its agent, `repo.worker.setup` and the checks of its work: `{ PORT = "{{3000 + index}}", COMPOSE_PROJECT_NAME = "{{worker}}" }`. `{{worker}}` and `{{project}}` are names; `{{index}}` is a number from 0 that no other worker of the project has, and that stays with the worker. `{{3000 + index * 10}}` leaves room between two workers. What `[profiles.<name>.env]` says wins, and is the place for secrets: pages show these variables. A change reaches an agent at its next start.',
      ),
  })
  .prefault({})
  .describe('What each worker has of its own: how its place is made ready, and variables such as ports.');
