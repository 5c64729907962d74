// Resolves the options that one worker runs with.
import type { Config } from './schema/schema.ts';

/** The options of one worker with the defaults filled in. */
export type WorkerOptions = {
  readonly profile: string;
  readonly role: string;
  /** Model of the worker; undefined: the profile's own default. */
  readonly model: string | undefined;
  readonly skip_permissions: boolean;
  readonly allowed_tools: readonly string[];
  readonly role_prompt: string;
  readonly excluded_from_pool: boolean;
};

/** Joins `[defaults]` and `[workers.<name>]`; a worker without a table of its own has the defaults alone. */
export function workerOptions(config: Config, name: string): WorkerOptions {
  const own = config.workers[name];
  const { defaults } = config;
  return {
    profile: own?.profile ?? defaults.profile,
    role: own?.role ?? 'developer',
    model: own?.model ?? defaults.model,
    skip_permissions: own?.skip_permissions ?? defaults.skip_permissions,
    allowed_tools: own?.allowed_tools ?? defaults.allowed_tools,
    role_prompt: own?.role_prompt ?? defaults.role_prompt,
    excluded_from_pool: own?.excluded_from_pool ?? false,
  };
}
