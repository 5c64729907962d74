import { expect, test } from 'vitest';
import { redact, REDACTED, redactedJson } from './redact.ts';

/** Made up here, so that no tool takes this file for one that leaks them. */
const SECRETS = [
  `sk-ant-api03-${'aB3'.repeat(10)}`,
  `ghp_${'aB3d'.repeat(8)}`,
  `github_pat_${'aB3d'.repeat(8)}`,
  `glpat-${'aB3d'.repeat(5)}`,
  `npm_${'aB3d'.repeat(8)}`,
  `AIza${'aB3d'.repeat(8)}`,
  `AKIA${'AB3D'.repeat(4)}`,
  `ASIA${'AB3D'.repeat(4)}`,
  `xoxb-${'1234567890'}-${'aB3d'.repeat(4)}`,
  `eyJ${'aB3d'.repeat(4)}.eyJ${'aB3d'.repeat(4)}.${'aB3d'.repeat(4)}`,
];

test.each(SECRETS)('given the secret %s in a text, when it is redacted, then nothing of it is left', (secret) => {
  expect(redact(`before ${secret} after`)).toBe(`before ${REDACTED} after`);
});

test('given secrets behind names and in addresses, when they are redacted, then the names stay', () => {
  const text = 'Authorization: Bearer abcdefghijklmnop1234 API_KEY=abcdef123 https://me:hunter2@host/x';
  const amazon = `aws_secret_access_key: ${'aB3d'.repeat(10)}`;
  const pem = ['-----BEGIN PRIVATE KEY-----', 'aB3d', '-----END PRIVATE KEY-----'].join('\n');

  expect(redact(text)).toBe(`Authorization: Bearer ${REDACTED} API_KEY=${REDACTED} https://me:${REDACTED}@host/x`);
  expect(redact('TOKEN=abcdef')).toBe(`TOKEN=${REDACTED}`);
  expect(redact('Bearer abcdefghijklmnop')).toBe(`Bearer ${REDACTED}`);
  expect(redact('a://b:cde@')).toBe(`a://b:${REDACTED}@`);
  expect(redact(amazon)).toBe(`aws_secret_access_key: ${REDACTED}`);
  expect(redact(pem)).toBe(REDACTED);
});

test('given ordinary words, ids and paths, when they are redacted, then nothing changes', () => {
  const text = 'task-list sk-short 0b5cdd1e-6a5c-4a5e-9d5f-2b7f3f1f9a11 /tmp/eyJ the token was used';

  expect(redact(text)).toBe(text);
});

test('given a secret deep in a value, when it is serialised, then it is gone', () => {
  const json = redactedJson({ look: { state: { text: `key ${SECRETS[1]}` } }, lines: [SECRETS[0]] });

  expect(JSON.parse(json)).toEqual({ look: { state: { text: `key ${REDACTED}` } }, lines: [REDACTED] });
});
