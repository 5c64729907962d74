import { expect, test } from 'vitest';
import { joinRequest, shownName } from './index.ts';

test.each(['a\u001b]0;x\u0007', 'a\u202eb', 'a\nb', 'a\u200bb', '', ' a', 'x'.repeat(101)])(
  'given a machine that joins as %j, when its request is read, then it is refused in words that can be shown',
  (name) => {
    const when = joinRequest.safeParse({ proto: '2.0', token: 't', name, publicKey: 'k' });

    expect(when.error?.issues[0]?.message).toMatch(
      /^"[\u0020-\u007e⟨⟩]*" cannot be the name of a machine: use 1 to 100 /,
    );
  },
);

test.each(['laptop', 'build-7.example.org', 'Adas Rechner'])(
  'given the name %j, when it is read, then it is taken',
  (name) => {
    expect(shownName('a machine').parse(name)).toBe(name);
  },
);
