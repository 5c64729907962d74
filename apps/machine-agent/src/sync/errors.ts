/** Failures of talking to a coordinator, and the agent's reaction. */

/** Codes with their reaction. `retry: false`: a retry soon is useless until a person has done something. */
export const SYNC_ERRORS = {
  unreachable: { retry: true },
  'bad-answer': { retry: true }, // not a coordinator, or a broken one
  unavailable: { retry: true }, // the coordinator answers, but cannot serve now
  busy: { retry: true }, // asked too often: the answer says when to come again
  'turn-later': { retry: true }, // many machines come at once, and the coordinator keeps a turn for this one
  'unknown-machine': { retry: false }, // the coordinator has forgotten this machine, or never knew it
  'machine-revoked': { retry: false }, // an operator has taken this machine out
  'other-coordinator': { retry: false }, // not the one that this machine belongs to
  'other-url': { retry: false }, // the coordinator does not go by this address
  'no-gateway': { retry: false }, // this machine joined as a machine, and may not speak for others
  'join-refused': { retry: false }, // the token is wrong, used or expired
  'version-refused': { retry: false }, // one of the two is too old
  unauthorized: { retry: true }, // the access token has expired or was revoked: say hello again
  'no-socket': { retry: true }, // something between the two lets no WebSocket through
  silent: { retry: true }, // a half-open link
  'taken-over': { retry: true }, // another agent said hello with this machine's key
} as const satisfies Record<string, { retry: boolean }>;

/** Failure of talking to a coordinator; the code determines the agent's reaction. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly code: keyof typeof SYNC_ERRORS;
  /** Milliseconds until the coordinator wants to be asked again. */
  readonly retryAfterMs: number;

  constructor(
    code: keyof typeof SYNC_ERRORS,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
