/** Errors of connecting to a machine, each with whether a retry helps. */

/** Codes of {@link ConnectError}; `retry` says whether the same attempt may succeed later by itself. */
const CONNECT_ERRORS = {
  unreachable: { retry: true }, // no such name, no answer, refused, closed while it was made
  'channel-refused': { retry: true }, // the server opens too few channels at the moment
  denied: { retry: false }, // no key that was offered may log in
  'no-identity': { retry: false }, // a key file that is not there, or has a passphrase
  'no-common-method': { retry: false }, // ciphers, key exchange, kinds of keys
  'host-key-unknown': { retry: false }, // a person confirms the fingerprint first
  'host-key-changed': { retry: false }, // stops the machine: a person checks it
  'host-key-refused': { retry: false },
  'no-shell': { retry: false }, // a forced command, a closed account, a startup file that hangs
  'no-directory': { retry: false }, // Drover's own cannot be made or written there
  cloned: { retry: false }, // its host-id is that of another machine too: a disk was copied
  'other-machine': { retry: false }, // its host-id is another one's
  fenced: { retry: false }, // another gateway with a higher epoch serves the machine
  misconfigured: { retry: false }, // what ssh says about its own configuration
} as const satisfies Record<string, { retry: boolean }>;

/** A connection was not made, or not kept. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly code: keyof typeof CONNECT_ERRORS;
  /** The fingerprint that the host showed, such as `SHA256:…`, where the error is about its key. */
  readonly fingerprint: string | undefined;

  constructor(
    code: keyof typeof CONNECT_ERRORS,
    message: string,
    { fingerprint, ...options }: ErrorOptions & { readonly fingerprint?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.fingerprint = fingerprint;
  }

  /** Tells whether the same attempt may succeed later by itself. */
  get retry(): boolean {
    return CONNECT_ERRORS[this.code].retry;
  }
}
