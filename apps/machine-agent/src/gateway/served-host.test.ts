/** Checks that one host is served in the right order, and the report when it cannot be reached, lacks something, or shows another key. */
import type { HostFinding, HostState, ServedMachine } from '@drover/protocol';
import { expect, test } from 'vitest';
import { ServedHost, type LinkNews, type Reach, type Unreached } from './served-host.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==';
const OTHER = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIQ==';
const AGAIN_MS = 10_000;
const LACKS: HostFinding = { check: 'tmux', level: 'problem', says: 'there is no tmux', help: null, command: 'apt' };
const DENIED: Unreached = { code: 'denied', why: 'no key may log in', retry: false };

/** State of the host and of the connection to it; each may change in the middle of a test. */
interface World {
  pinned: readonly string[];
  /** Keys that the host proves. */
  proven: readonly string[];
  shown: Awaited<ReturnType<Reach['shownKey']>>;
  findings: readonly HostFinding[];
  /** Reason why it is not opened; null: it is. */
  refuses: Unreached | null;
  agentFails: boolean;
  /** Resolves when what no worker uses has ended there. */
  tidies: Promise<void>;
  /** Resolves when its agent has ended. */
  agentEnds: Promise<void>;
}

function serve(change: Partial<World> = {}) {
  const world: World = {
    pinned: [KEY],
    proven: [KEY, OTHER],
    shown: { key: KEY, trust: 'unknown' },
    findings: [],
    refuses: null,
    agentFails: false,
    tidies: Promise.resolve(),
    agentEnds: Promise.resolve(),
    ...change,
  };
  const done: string[] = [];
  const told: HostState[] = [];
  const timers: { readonly ms: number; readonly run: () => void }[] = [];
  let news: ((change: LinkNews) => void) | undefined;
  const reach: Reach = {
    async shownKey() {
      done.push('look at the key');
      return world.shown;
    },
    connect() {
      let isOpen = false;
      return {
        async examine() {
          done.push('examine');
          return world.findings;
        },
        async open() {
          done.push('open');
          if (world.refuses !== null) throw new Refused(world.refuses);
          isOpen = true;
          return { hostId: 'its-id', provenKeys: () => world.proven, onChange: (listener) => (news = listener) };
        },
        async tidy() {
          done.push('tidy');
          await world.tidies;
        },
        [Symbol.asyncDispose]: async () => void (isOpen && done.push('close')),
      };
    },
    unreached: (error) => (error instanceof Refused ? error.why : { code: 'failed', why: String(error), retry: true }),
  };
  const machine = { machineId: 'm', name: 'far', epoch: 3, pinned: [...world.pinned] } as unknown as ServedMachine;
  const host: ServedHost = new ServedHost({
    machine,
    reach,
    async startAgent() {
      done.push('start its agent');
      if (world.agentFails) throw new Error('no room');
      return {
        async [Symbol.asyncDispose]() {
          done.push('end its agent');
          await world.agentEnds;
        },
      };
    },
    after(ms, run) {
      const timer = { ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    log: () => {},
    onNews: () => told.push(host.state),
  }).start();
  return {
    world,
    done,
    told,
    timers,
    host,
    settle,
    async link(change: LinkNews) {
      news?.(change);
      await settle();
    },
    async again() {
      const [timer] = timers.splice(0, 1);
      expect(timer?.ms).toBe(AGAIN_MS);
      timer?.run();
      await settle();
    },
    kinds: () => told.map(({ kind }) => kind),
  };
}

/** Waits until pending work is done. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class Refused extends Error {
  readonly why: Unreached;
  constructor(why: Unreached) {
    super(why.why);
    this.why = why;
  }
}

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

/** Leaves its host at the end of the test. */
function onStack<T extends { readonly host: ServedHost }>(served: T): T & AsyncDisposable {
  return Object.assign(served, { [Symbol.asyncDispose]: () => served.host[Symbol.asyncDispose]() });
}

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
