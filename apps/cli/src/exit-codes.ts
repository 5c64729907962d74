/** Exit statuses of `drover`, with their meanings. Printed by `drover help exit-codes`. */
export const EXIT_CODES = {
  ok: { status: 0, meaning: 'done' },
  refused: { status: 1, meaning: 'refused: the present state does not allow it; the message says why' },
  usage: { status: 2, meaning: 'bad input: an option, a name, a file or drover.toml' },
  unreachable: {
    status: 3,
    meaning: 'the coordinator does not answer: is "drover up", or "drover server coordinator" of a fleet, running?',
  },
  'not-found': { status: 4, meaning: 'there is no such worker, machine or file' },
  unauthorized: { status: 5, meaning: 'the token is wrong, has expired or may not do this' },
  problems: { status: 6, meaning: 'the command ran and found problems (doctor, config check; warnings do not count)' },
  environment: { status: 7, meaning: 'missing on this machine: tmux, git, disk space or a free port' },
  'run-partial': { status: 10, meaning: 'the run ended with a part of its work (drover run wait)' },
  'run-failed': { status: 11, meaning: 'the run failed (drover run wait)' },
  'run-stopped': { status: 12, meaning: 'somebody stopped the run (drover run wait)' },
  'run-waits': { status: 13, meaning: 'the run waits for a person (drover run wait)' },
  internal: { status: 70, meaning: 'a bug in Drover' },
} as const satisfies Record<string, { status: number; meaning: string }>;

/** The name of an exit status; errors in JSON carry it as `code`. */
export type ExitCode = keyof typeof EXIT_CODES;

/** Ends a command without success. The message is for people and gives advice. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: ExitCode;

  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
