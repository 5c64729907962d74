/** What the workers of measurements run with, and their project: the simulated agent, and no checks. */
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
