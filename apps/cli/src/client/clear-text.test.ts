import { expect, test } from 'vitest';
import { refuseClearText } from './clear-text.ts';

const AS_IS = { isForced: false, force: 'set DROVER_INSECURE=1' };

test.each([
  'https://drover.example.com',
  'http://localhost:4680',
  'http://127.0.0.1:4680/',
  'http://127.9.9.9',
  'http://[::1]:4680',
  'https://a.example, http://localhost:1',
])('given %s, when a token is to go there, then it may', (url) => {
  expect(() => refuseClearText(url, AS_IS)).not.toThrow();
});

test.each([
  'http://drover.example.com',
  'HTTP://10.0.0.7:4680',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://127.0.0.1@evil.example/',
  'http://[::2]:4680',
  'https://a.example,http://b.example',
])(
  'given %s, when a token is to go there, then it is refused with what to do, and forced if that is asked for',
  (url) => {
    expect(() => refuseClearText(url, AS_IS)).toThrow(/clear text.*https.*set DROVER_INSECURE=1$/);
    expect(() => refuseClearText(url, { ...AS_IS, isForced: true })).not.toThrow();
  },
);
