/** Checks that one host is served in the right order, and the report when it cannot be reached, lacks something, or shows another key. */
import type { HostState, ServedMachine } from '@drover/protocol';
import { expect, test } from 'vitest';
import { DENIED, KEY, LACKS, onStack, OTHER, serve, settle, type World } from '../../tests/support/serve-host.ts';
import { ServedHost } from './served-host.ts';

test('given a host with more keys than can be told, when it is served, then the known one is told first, and no more than there may be', async () => {
  const many = Array.from({ length: 30 }, (_, index) => `ssh-rsa ${index}`);
  await using served = onStack(serve({ pinned: [KEY], proven: [...many, KEY] }));
  await served.settle();

  expect(served.told).toEqual([{ kind: 'connected', hostId: 'its-id', keys: [KEY, ...many.slice(0, 19)] }]);
});

test('given a host that has all, when it is served, then it is looked at, opened and gets its agent, in this order, and is told with its keys', async () => {
  await using served = onStack(serve());
  await served.settle();

  expect(served.done).toEqual(['examine', 'open', 'start its agent']);
  expect(served.told).toEqual([{ kind: 'connected', hostId: 'its-id', keys: [KEY, OTHER] }]);
});

test.each<[string, World['shown'], HostState]>([
  ['that nothing knows', { key: KEY, trust: 'unknown' }, { kind: 'key-unknown', key: KEY, isKnown: false }],
  ['that the files know', { key: KEY, trust: 'trusted' }, { kind: 'key-unknown', key: KEY, isKnown: true }],
  ['that is not the one in the files', { key: OTHER, trust: 'changed' }, { kind: 'key-changed', key: OTHER }],
  [
    'that the files revoke',
    { key: OTHER, trust: 'revoked' },
    { kind: 'lost', code: 'host-key-changed', why: expect.stringContaining('revoked') as string, retry: false },
  ],
])(
  'given nothing pinned and a key %s, when a host is served, then that is told, and nobody logs in',
  async (_what, shown, state) => {
    await using served = onStack(serve({ pinned: [], shown }));
    await served.settle();

    expect(served.told).toEqual([state]);
    expect(served.done).toEqual(['look at the key']);
    expect(served.timers).toEqual([]);
  },
);

test('given a host that lacks something, when a person has put it right, then it is found at the next look', async () => {
  await using served = onStack(serve({ findings: [LACKS] }));
  await served.settle();
  expect(served.host.findings).toEqual([LACKS]);
  served.world.findings = [];
  await served.again();

  expect(served.kinds()).toEqual(['lacks', 'connecting', 'connected']);
  expect(served.done).toEqual(['examine', 'examine', 'open', 'start its agent']);
});

test.each<[string, Partial<World>, HostState]>([
  ['that lets nobody in', { refuses: DENIED }, { kind: 'lost', ...DENIED }],
  [
    'whose agent cannot be started',
    { agentFails: true },
    { kind: 'lost', code: 'failed', why: 'Error: no room', retry: true },
  ],
])(
  'given a host %s, when that is over, then it is served, and nothing of before is left',
  async (_what, change, state) => {
    await using served = onStack(serve(change));
    await served.settle();
    expect(served.told).toEqual([state]);
    const before = served.done.length;
    served.world.refuses = null;
    served.world.agentFails = false;
    await served.again();

    expect(served.done.slice(before)).toEqual(['examine', 'open', 'start its agent']);
    expect(served.kinds()).toEqual(['lost', 'connecting', 'connected']);
  },
);

test('given a link that is lost, when it is back, then the agent ends and begins again, on the same link', async () => {
  await using served = onStack(serve());
  await served.settle();
  await served.link({ kind: 'down', code: 'unreachable', why: 'no answer', retry: true });
  expect(served.host.state).toEqual({ kind: 'lost', code: 'unreachable', why: 'no answer', retry: true });
  await served.link({ kind: 'up' });

  expect(served.done).toEqual(['examine', 'open', 'start its agent', 'end its agent', 'start its agent']);
  expect(served.kinds()).toEqual(['connected', 'lost', 'connected']);
});

test('given a host that shows another key after a cut, when the link says so, then all is left, the key is told, and no attempt follows', async () => {
  await using served = onStack(serve({ shown: { key: OTHER, trust: 'changed' } }));
  await served.settle();
  await served.link({ kind: 'down', code: 'host-key-changed', why: 'another key', retry: false });

  expect(served.host.state).toEqual({ kind: 'key-changed', key: OTHER });
  expect(served.done.slice(3)).toEqual(['end its agent', 'close', 'look at the key']);
  expect(served.timers).toEqual([]);
});

test('given a login that the host refuses after a cut, when a person has put that right, then the machine is served again', async () => {
  await using served = onStack(serve());
  await served.settle();
  await served.link({ kind: 'down', ...DENIED });
  expect(served.host.state).toEqual({ kind: 'lost', ...DENIED });
  await served.again();

  expect(served.done.slice(3)).toEqual(['end its agent', 'close', 'examine', 'open', 'start its agent']);
  expect(served.kinds()).toEqual(['connected', 'lost', 'connecting', 'connected']);
});

test('given a host that is being opened, when it is left, then it is closed again, and what is told later does nothing', async () => {
  const served = serve();

  await served.host[Symbol.asyncDispose]();
  await served.link({ kind: 'up' });

  expect(served.done.filter((what) => what === 'open')).toHaveLength(
    served.done.filter((what) => what === 'close').length,
  );
  expect(served.timers).toEqual([]);
});

test('given a host that is served, when it is left, then its agent ends, then what no worker uses there, then the link', async () => {
  const served = serve();
  await served.settle();

  await served.host[Symbol.asyncDispose]();

  expect(served.done.slice(3)).toEqual(['end its agent', 'tidy', 'close']);
  expect(served.timers).toEqual([]);
});

test('given a host that stops answering, when it is left, then the link is closed after a moment', async () => {
  const served = serve({ tidies: new Promise(() => {}) });
  await served.settle();

  const left = served.host[Symbol.asyncDispose]();
  await served.settle();
  expect(served.done.at(-1)).toBe('tidy');
  served.timers[0]?.run();
  await left;

  expect(served.done.at(-1)).toBe('close');
});

test('given an agent that ends long after its host has stopped answering, when the host is left, then the link is closed at once, and the service ends after the agent', async () => {
  const agent = Promise.withResolvers<void>();
  const served = serve({ agentEnds: agent.promise });
  await served.settle();

  const left = served.host[Symbol.asyncDispose]().then(() => served.done.push('left'));
  await served.settle();
  served.timers[0]?.run();
  await served.settle();
  expect(served.done.slice(3)).toEqual(['end its agent', 'close']);
  agent.resolve();
  await left;

  expect(served.done.at(-1)).toBe('left');
});

test('given a host that is being left, when its link is lost and comes back meanwhile, then no agent begins, and it is not told to be connected', async () => {
  const tidied = Promise.withResolvers<void>();
  const served = serve({ tidies: tidied.promise });
  await served.settle();

  const left = served.host[Symbol.asyncDispose]();
  await served.settle();
  await served.link({ kind: 'down', code: 'unreachable', why: 'no answer', retry: true });
  await served.link({ kind: 'up' });
  tidied.resolve();
  await left;

  expect(served.done.slice(3)).toEqual(['end its agent', 'tidy', 'close']);
  expect(served.kinds()).toEqual(['connected', 'connecting']);
});

test('given a host whose link is lost, when it is left, then nothing is asked of it', async () => {
  const served = serve();
  await served.settle();
  await served.link({ kind: 'down', code: 'unreachable', why: 'no answer', retry: true });

  await served.host[Symbol.asyncDispose]();

  expect(served.done).not.toContain('tidy');
});

test('given a host whose server does not answer, when its service ends, then the attempt is given up instead of waited for', async () => {
  const attempts: AbortSignal[] = [];
  const unanswered = async (_machine: ServedMachine, signal: AbortSignal): Promise<never> => {
    attempts.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
  };
  const told: string[] = [];
  const host = new ServedHost({
    machine: { machineId: 'm', name: 'far', epoch: 3, pinned: [] } as unknown as ServedMachine,
    reach: {
      shownKey: unanswered,
      connect: () => {
        throw new Error('its key is not known');
      },
      unreached: () => DENIED,
    },
    startAgent: () => Promise.reject(new Error('it has no host')),
    after: () => () => {},
    log: (_level, message) => told.push(message),
    onNews: () => {},
  }).start();
  await settle();

  await host[Symbol.asyncDispose]();

  expect(attempts).toHaveLength(1);
  expect(told).toEqual([]);
});
