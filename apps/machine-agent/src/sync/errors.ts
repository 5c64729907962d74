/** How can talking to a coordinator fail, and what does the agent do about it? */

/** `retry: false`: trying again soon is useless until a person has done something. */
export const SYNC_ERRORS = {
  unreachable: { retry: true },
  'bad-answer': { retry: true }, // not a coordinator, or a broken one
  unavailable: { retry: true }, // it answers, but cannot serve now
  busy: { retry: true }, // it is asked too often: it says when to come again
  'turn-later': { retry: true }, // many machines come at once, and it keeps a turn for this one
  'unknown-machine': { retry: false }, // it has forgotten this machine, or never knew it
  'machine-revoked': { retry: false }, // an operator has taken this machine out
  'other-coordinator': { retry: false }, // not the one that this machine belongs to
  'other-url': { retry: false }, // the coordinator does not go by this address
  'no-gateway': { retry: false }, // it joined as a machine, and may not speak for others
  'join-refused': { retry: false }, // the token is wrong, used or expired
  'version-refused': { retry: false }, // one of the two is too old
  unauthorized: { retry: true }, // the access token has expired or was revoked: say hello again
  'no-socket': { retry: true }, // something between the two lets no WebSocket through
  silent: { retry: true }, // a half-open link
  'taken-over': { retry: true }, // another agent said hello with this machine's key
} as const satisfies Record<string, { retry: boolean }>;

/** Talking to a coordinator failed; the code says what the agent does about it. */
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
