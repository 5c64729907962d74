/** Does a host that could not be served say what to do about it? */
import { systemClock } from '@drover/host';
import { ConnectError, SystemError } from '@drover/host/ssh';
import { expect, test } from 'vitest';
import { SshReach } from './reach.ts';

const reach = new SshReach({
  env: {},
  clock: systemClock,
  directory: '/run/gateway',
  newSecret: () => 'secret',
  chance: () => 0,
  envOf: () => ({}),
});

test("given a disk that refuses to write while a host's agent starts, when that is told, then the place is named with what to do", () => {
  const told = reach.unreached(
    new SystemError('make', '/home/ada/.local/state/drover/run', 'mkdir: Read-only file system'),
  );

  expect(told).toMatchObject({ code: 'no-directory', retry: true });
  expect(told.why).toMatch(/"\/home\/ada\/\.local\/state\/drover\/run".*Read-only.*Mount .* XDG_STATE_HOME/u);
});

test('given other errors, when they are told, then in their own words', () => {
  expect(reach.unreached(new ConnectError('denied', 'no key may log in'))).toEqual({
    code: 'denied',
    why: 'no key may log in',
    retry: false,
  });
  expect(reach.unreached(new Error('else'))).toEqual({ code: 'failed', why: 'else', retry: true });
});
