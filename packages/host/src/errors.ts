/** Errors of a host, each with whether a retry may succeed. */

/** Codes of {@link HostError}; `retry` says whether the same call may succeed later by itself. */
const HOST_ERRORS = {
  'program-missing': { retry: false }, // install it, or correct the path
  'not-executable': { retry: false },
  'cwd-missing': { retry: false },
  'output-too-large': { retry: false }, // the program was killed: its effects are unknown
  aborted: { retry: false }, // the caller's signal fired: the program was killed
  'spawn-failed': { retry: true }, // out of processes, memory or file descriptors
  unreachable: { retry: true }, // there is no connection to the machine: nothing was done
  fenced: { retry: false }, // another gateway serves the machine now: nothing was done
  'connection-lost': { retry: true }, // the connection was cut off: look before repeating what is not safe to repeat
} as const satisfies Record<string, { retry: boolean }>;

/** The host could not run a program or finish running it. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: keyof typeof HOST_ERRORS;
  /** The program that was to run, as the caller named it; for a file, the operation. */
  readonly program: string;

  constructor(
    code: keyof typeof HOST_ERRORS,
    message: string,
    { program, ...options }: ErrorOptions & { readonly program: string },
  ) {
    super(message, options);
    this.code = code;
    this.program = program;
  }
}
