/** Checks which names and addresses belong to the computer itself. */
import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])(
  'given %s, when it is judged, then it is this computer',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each(['', 'localhost.example.com', '127.0.0.1.example.com', '128.0.0.1', '0.0.0.0', '::2', 'a.localhost:80'])(
  'given "%s", when it is judged, then it is another computer',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
