/** Checks that an unreachable host comes with advice. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { systemClock } from '@drover/base';
import { ConnectError, SystemError } from '@drover/host/ssh';
import type { ServedMachine } from '@drover/protocol';
import { expect, test } from 'vitest';
import { SshReach } from './reach.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==';

type Reaching = SshReach & { readonly machine: ServedMachine; readonly signal: AbortSignal };

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

test.each([
  { what: 'the key that it shows', pinned: [], begin: (way: Reaching) => way.shownKey(way.machine, way.signal) },
  { what: 'what it lacks', pinned: [KEY], begin: (way: Reaching) => way.connect(way.machine, way.signal).examine() },
  { what: 'a link', pinned: [KEY], begin: (way: Reaching) => way.connect(way.machine, way.signal).open() },
])(
  'given a server that takes connections and says nothing, when $what is waited for and given up, then that ends at once and the connection is closed',
  async ({ pinned, begin }) => {
    await using stack = new AsyncDisposableStack();
    const server = createServer().listen(0, '127.0.0.1');
    stack.defer(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = { destination: 'ada@127.0.0.1', port, identity: null, jump: null, carrier: null };
    const machine = {
      machineId: 'm',
      name: 'far',
      epoch: 3,
      hostId: null,
      pinned,
      connection,
    } as unknown as ServedMachine;
    const over = new AbortController();
    const real = new SshReach({
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', SSH_AUTH_SOCK: '/nonexistent/agent' },
      clock: systemClock,
      directory: '/nonexistent',
      newSecret: () => 'secret',
      chance: () => 0,
      envOf: () => ({}),
    });
    const connected = once(server, 'connection');
    const when = begin(Object.assign(real, { machine, signal: over.signal })).catch((error: unknown) => error);
    // Waiting would never end for an attempt that ends before it connects.
    const [socket] = (await Promise.race([connected, when.then((error) => Promise.reject(error))])) as [Socket];
    const closed = once(socket.resume(), 'close');
    over.abort();

    expect(await when).toBeInstanceOf(Error);
    expect(String(await when)).not.toContain('Timed out');
    await closed;
  },
);
