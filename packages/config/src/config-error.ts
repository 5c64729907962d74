// Errors that the configuration can run into.

/** Codes of `ConfigError`. None is worth a retry: a person has to change something first. */
const CONFIG_ERRORS = {
  'unsafe-directory': { retry: false }, // somebody else can read or replace it
  'directory-failed': { retry: false }, // no rights, read-only or full disk
} as const satisfies Record<string, { retry: boolean }>;

/** A directory that Drover needs cannot be had. The message says which, why, and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code: keyof typeof CONFIG_ERRORS;

  constructor(code: keyof typeof CONFIG_ERRORS, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
