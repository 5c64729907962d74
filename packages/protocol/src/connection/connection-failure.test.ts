/** Words for people about a coordinator that was not reached. */
import { expect, test } from 'vitest';
import { connectionFailureText, isUnsent } from './connection-failure.ts';

function failure(code: string, message = `raw words of ${code}`): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  ['EPROTO', 'C0B7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:332:', /http:\/\//u],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'error:0A00010B:SSL routines', /http:\/\//u],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'error:0A000438:SSL routines', /a TLS connection with it fails.*ALERT/u],
  ['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/', /https:\/\//u],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', /NODE_EXTRA_CA_CERTS/u],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9', /nothing listens/u],
])('given a connection that fails with %s, when it is told, then in words of no library', (code, message, words) => {
  const text = connectionFailureText(failure(code, message));

  expect(text).toMatch(words);
  expect(text).not.toContain('routines');
});

test('given a name with several addresses that nobody answers at, when it is told, then the first one counts', () => {
  const error = new AggregateError([failure('ECONNREFUSED'), failure('ETIMEDOUT')]);

  expect(connectionFailureText(error)).toBe('nothing listens there');
  expect(isUnsent(error)).toBe(true);
});

test('given a connection that breaks after it was made, when it is judged, then the request may have arrived', () => {
  expect(isUnsent(failure('ECONNRESET'))).toBe(false);
  expect(isUnsent(new Error('no answer within 40000 ms'))).toBe(false);
});
