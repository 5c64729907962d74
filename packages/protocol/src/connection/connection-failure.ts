/** Says in plain words why a coordinator was not reached, where the library's own words are those of OpenSSL or of an HTTP parser. */

const OTHER_AUTHORITY =
  'its certificate is signed by no authority that this machine knows: NODE_EXTRA_CA_CERTS names a file with yours';

const WORDS: Readonly<Record<string, string>> = {
  EPROTO: 'it does not speak TLS: is its address http:// instead of https://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is its address http:// instead of https://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS: is its address http:// instead of https://?',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP: is its address https:// instead of http://?',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name than that of the address',
  DEPTH_ZERO_SELF_SIGNED_CERT: OTHER_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: OTHER_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: OTHER_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OTHER_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OTHER_AUTHORITY,
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
};

/** Describes the failure in words for people; those of the error itself where they are known to be none of a library. */
export function connectionFailureText(error: unknown): string {
  // Node's error has no words for a name with several addresses: those of its first address count.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(one instanceof Error)) return String(one);
  const code = codeOf(one);
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL') || /:SSL routines:/u.test(one.message))
    return `a TLS connection with it fails (${code || 'an error of OpenSSL'})`;
  return one.message || 'no connection';
}

/** Tells whether the request never left this machine, so that it can be sent to another address. */
export function isUnsent(error: unknown): boolean {
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = one instanceof Error ? codeOf(one) : '';
  return UNSENT.has(code) || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || /CERT|LEAF_SIG/u.test(code);
}

const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPROTO',
]);

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
