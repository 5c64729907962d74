/** Host whose connection and agent do what a test says, and note what they are asked to do. */
import type { HostFinding, HostState, ServedMachine } from '@drover/protocol';
import { expect } from 'vitest';
import { ServedHost, type LinkNews, type Reach, type Unreached } from '../../src/gateway/served-host.ts';

export const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==';
export const OTHER = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIQ==';
const AGAIN_MS = 10_000;
export const LACKS: HostFinding = {
  check: 'tmux',
  level: 'problem',
  says: 'there is no tmux',
  help: null,
  command: 'apt',
};
export const DENIED: Unreached = { code: 'denied', why: 'no key may log in', retry: false };

/** State of the host and of the connection to it; each may change in the middle of a test. */
export interface World {
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

export function serve(change: Partial<World> = {}) {
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
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class Refused extends Error {
  readonly why: Unreached;
  constructor(why: Unreached) {
    super(why.why);
    this.why = why;
  }
}

/** Leaves its host at the end of the test. */
export function onStack<T extends { readonly host: ServedHost }>(served: T): T & AsyncDisposable {
  return Object.assign(served, { [Symbol.asyncDispose]: () => served.host[Symbol.asyncDispose]() });
}
