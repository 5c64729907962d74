/** Settings of workers: what clients send and see, and the use cases. */
import { PROMPT_BYTES_MAX, shownName } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { roleName, tooLong, workerRef } from '../texts.ts';
import { workerView } from '../workers.ts';

/** Asks what a worker runs with. */
export const workerSettingsInput = z.object({ name: workerRef });

/** Changes settings of one worker: what is named holds from then on, and what is to `follow` the configuration does so again. */
export const editWorkerInput = z.object({
  name: workerRef,
  model: shownName('a model').nullable().optional(),
  rolePrompt: z.string().max(PROMPT_BYTES_MAX, tooLong('role prompt')).optional(),
  role: roleName.optional(),
  excludedFromPool: z.boolean().optional(),
  follow: z.array(z.enum(['model', 'rolePrompt', 'role', 'excludedFromPool'])).max(4),
});

const settingValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

/** What a worker runs with. */
export const workerSettingsView = z.object({
  worker: workerView,
  profile: z.string(),
  /** Labels that its machine must have. */
  labels: z.array(z.string()),
  /** `running`: its agent runs, and it is known with what; `unknown`: it runs, and with what is not known; `down`: it does not run. */
  agent: z.enum(['running', 'unknown', 'down']),
  /** A small number that no other living worker of the project has. */
  index: z.number().int(),
  /** Variables that it has of its own, by `repo.worker.env`. */
  env: z.record(z.string(), z.string()),
  /** A sentence about the set-up of its place; null: the project has none, or its machine has not said. */
  setUp: z.string().nullable(),
  settings: z.array(
    z.object({
      name: z.string(),
      value: settingValue,
      /** `worker`: a person said it of this worker; else it follows the configuration. */
      from: z.enum(['worker', 'configuration']),
      /** When a change of it reaches the worker. */
      reaches: z.enum(['next start', 'next task', 'at once']),
      /** What the agent that runs was started with; null: it does not run, it is not known, or it is nothing that a start decides. */
      runs: z.object({ value: settingValue }).nullable(),
    }),
  ),
});
/** A checked `workerSettingsView`. */
export type WorkerSettingsView = z.infer<typeof workerSettingsView>;

/** The use cases of settings. */
export interface SettingsFleet {
  showWorker(input: z.infer<typeof workerSettingsInput>, by: Actor): Promise<Outcome<WorkerSettingsView>>;
  /** What is changed reaches the worker when its kind of setting does. */
  editWorker(input: z.infer<typeof editWorkerInput>, by: Actor): Promise<Outcome<WorkerSettingsView>>;
}
