/** Failures of driving tmux, and whether a retry is safe. */

/** Codes of {@link TmuxError}; `retry` says whether the same call may be repeated blindly. */
const TMUX_ERRORS = {
  'tmux-missing': { retry: false }, // the program is not installed
  'tmux-too-old': { retry: false }, // below the least version: see versions.ts
  'server-gone': { retry: false }, // every pane of this server is gone with it
  'timed-out': { retry: false }, // outcome unknown: look before repeating
  'connection-lost': { retry: false }, // outcome unknown: look before repeating
  'server-busy': { retry: true }, // too many requests wait: nothing was sent
  'torn-capture': { retry: true }, // replies and screen were mixed up: nothing was changed
  fenced: { retry: false }, // another driver with a higher epoch has this server: nothing was done
  refused: { retry: false }, // tmux answered with an error: the message says which
  closed: { retry: false }, // this driver was closed
} as const satisfies Record<string, { retry: boolean }>;

export class TmuxError extends Error {
  override readonly name = 'TmuxError';
  readonly code: keyof typeof TMUX_ERRORS;

  constructor(code: keyof typeof TMUX_ERRORS, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Throws when a caller broke this package's contract: a bug, not a failure. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Bug in the use of @drover/tmux: ${message}`);
}

/** Tells whether a host could not start a program because the program is missing. */
export function isProgramMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'program-missing';
}
