/** Defines the options of the workers of measurements, and their project: the simulated agent, and no checks. */
/** Options of a worker. */
export const OPTIONS = {
  profile: 'sim',
  model: null,
  rolePrompt: '',
  skipPermissions: true,
  allowedTools: [],
  excludedFromPool: true,
  sessionWidth: 200,
  sessionHeight: 50,
};

/** Configuration of a project. */
export const CONFIG = { copyFiles: [], validate: [], validateTimeoutMs: 60_000, runHooks: false, preamble: '' };
