/** Settings of workers: what clients send and see, and the use cases. */
import { PROMPT_BYTES_MAX, shownName } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';
import { roleName, tooLong, workerRef } from '../texts.ts';
import { workerView } from '../workers/workers.ts';

export const workerSettingsInput = z.object({ name: workerRef });

/** Changes settings of one worker: a given setting holds from then on; a setting in `follow` follows the configuration again. */
export const editWorkerInput = z.object({
  name: workerRef,
  model: shownName('a model').nullable().optional(),
  rolePrompt: z.string().max(PROMPT_BYTES_MAX, tooLong('role prompt')).optional(),
  role: roleName.optional(),
  excludedFromPool: z.boolean().optional(),
  follow: z.array(z.enum(['model', 'rolePrompt', 'role', 'excludedFromPool'])).max(4),
});

const settingValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

/** The settings of a worker. */
export const workerSettingsView = z.object({
  worker: workerView,
  profile: z.string(),
  /** Labels that the worker's machine must have. */
  labels: z.array(z.string()),
  /** `running`: the agent runs with known settings; `unknown`: the agent runs with unknown settings; `down`: the agent does not run. */
  agent: z.enum(['running', 'unknown', 'down']),
  /** A small number that no other living worker of the project has. */
  index: z.number().int(),
  /** Variables of this worker alone, by `repo.worker.env`. */
  env: z.record(z.string(), z.string()),
  /** Account that pays for its agent, in words that follow "pays"; null: its machine does not tell. */
  pays: z.string().nullable(),
  /** Ways by which Drover reaches its agent, in words that follow "by"; null: its machine does not tell. */
  hears: z.string().nullable(),
  /** A sentence about the set-up of its place; null: the project has no set-up, or the machine has not reported it. */
  setUp: z.string().nullable(),
  settings: z.array(
    z.object({
      name: z.string(),
      value: settingValue,
      /** `worker`: a person set the value for this worker; else the value follows the configuration. */
      from: z.enum(['worker', 'configuration']),
      /** Time when a change of the setting reaches the worker. */
      reaches: z.enum(['next start', 'next task', 'at once']),
      /** The value that the running agent was started with; null: no agent runs, the value is unknown, or a start does not decide it. */
      runs: z.object({ value: settingValue }).nullable(),
    }),
  ),
});
export type WorkerSettingsView = z.infer<typeof workerSettingsView>;

/** The use cases of settings. */
export interface SettingsFleet {
  showWorker(input: z.infer<typeof workerSettingsInput>, by: Actor): Promise<Outcome<WorkerSettingsView>>;
  /** Applies each change at the time that its kind of setting has. */
  editWorker(input: z.infer<typeof editWorkerInput>, by: Actor): Promise<Outcome<WorkerSettingsView>>;
}
