import { expect, test } from 'vitest';
import type { ShellPool } from '../shell/shell-pool.ts';
import { arrive } from './arrive.ts';

/** A machine that answers the first question with these lines. */
function answering(...lines: readonly string[]): ShellPool {
  const ended = { kind: 'ended', status: 0, stdout: Buffer.from(lines.join('\n')), stderr: Buffer.alloc(0) };
  return { run: () => Promise.resolve(ended) } as unknown as ShellPool;
}

const COMES = {
  owner: { machine: 'far', connection: 'one' },
  epoch: 3,
  hostId: undefined,
  others: new Map<string, string>(),
  newHostId: 'new',
};

test('given a machine that nobody with a higher epoch serves, when a gateway comes, then it may serve it', async () => {
  const pool = answering('its-id', '/state', '/home/ada', '3', '');

  await expect(arrive(pool, COMES)).resolves.toMatchObject({ hostId: 'its-id', home: '/home/ada', epoch: 3 });
});

test.each([
  ['a higher epoch', '4', 'Another gateway serves this machine'],
  ['an epoch that is no number', 'junk', 'with the epoch "junk", expected a number'],
])('given a machine with %s, when a gateway comes, then it does not serve it', async (_, epoch, why) => {
  await expect(arrive(answering('its-id', '/state', '/home/ada', epoch, ''), COMES)).rejects.toThrow(why);
});

test.each([
  ['keeps an older epoch', '2'],
  ['keeps none', ''],
])(
  'given a machine that %s, when a gateway comes, then it does not serve it: it would fence nobody',
  async (_, epoch) => {
    const pool = answering('its-id', '/state', '/home/ada', epoch, '');

    await expect(arrive(pool, COMES)).rejects.toMatchObject({ code: 'no-directory' });
  },
);
