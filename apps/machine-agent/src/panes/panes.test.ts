/** Checks when a pane is reported, on a server with scripted screens. */
import type { AgentState } from '@drover/core';
import type { Redactor } from '@drover/protocol';
import type { Capture, PaneExit, WatchOptions } from '@drover/tmux';
import { expect, test } from 'vitest';
import type { KnownWorkers } from '../store/known-workers.ts';
import { OPTIONS } from './managed.ts';
import { Panes } from './panes.ts';
import type { PaneServer } from './servers.ts';

const EMPTY = { kind: 'empty' } as const;
const READY: AgentState = { kind: 'ready', after: 'completed', composer: EMPTY };
const BUSY: AgentState = { kind: 'processing', queued: false, composer: EMPTY };
const ADDRESS = { serverPid: 1, serverStart: 1, paneId: '%1', panePid: 1, sessionCreated: 1 };

/** Worker's pane that is watched. */
function watched() {
  const shown = { state: READY, dead: false, captures: 0, arrives: Promise.resolve() };
  const capture = {
    facts: { incarnation: ADDRESS, dead: false, options: { [OPTIONS.worker]: 'w' } },
  } as never as Capture;
  let watch: WatchOptions | undefined;
  let onNews: (() => void) | undefined;
  const server = {
    watch: (options: WatchOptions) => {
      watch = options;
      return { checkNow: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
    },
    capture: async () => {
      shown.captures += 1;
      await shown.arrives;
      return { kind: 'captured', capture: { ...capture, facts: { ...capture.facts, dead: shown.dead } } };
    },
  } as never as PaneServer;
  const told: unknown[] = [];
  const placed = { server, pane: capture.facts };
  const panes = new Panes({
    tmux: {
      forEach: (run) => run(server),
      servers: () => Promise.resolve([server]),
      panes: () => Promise.resolve([placed]),
      find: () => Promise.resolve(placed),
      at: () => Promise.resolve(server),
    },
    knownWorkers: {
      incarnationOf: () => ({}),
      tellExitOnce: (_: string, tell: () => void) => tell(),
    } as never as KnownWorkers,
    profiles: { find: () => ({ name: 'sim', profile: {} }) as never },
    listener: {
      start: () => {},
      attend: (_, attended) => (onNews = attended.onNews),
      audible: () => ({}),
      read: () => Promise.resolve(),
      forget: () => {},
    },
    understand: (_, { facts }, { at }) => {
      const { state } = shown;
      return { reading: { at, state, fingerprint: '', progress: '', rule: '' }, facts, text: '', shown: state.kind };
    },
    outbox: { add: (body) => told.push(body.kind === 'screen' ? body.reading.state.kind : body.kind) },
    redactor: { screen: (text: string) => text } as never as Redactor,
    clock: { now: () => 0, elapsed: () => 0, after: () => () => {} },
    clockOffsetMs: () => 0,
    log: () => {},
  });
  panes.start();
  const show = (state: AgentState): void => {
    shown.state = state;
    watch?.onPane?.(capture.facts, capture);
  };
  const end = (cause: PaneExit['cause']): void => watch?.onExit?.({ ...capture.facts, cause });
  return { panes, shown, told, show, end, news: () => onNews?.() };
}

/** Waits until pending work is done. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('given a command that acts on a pane, when its screen changes, then it is told after the command alone, and as it is then', async () => {
  const { panes, told, show } = watched();
  show(READY);

  const hold = panes.hold('w');
  show(BUSY);
  await panes.tellScreens();
  show(READY);
  expect(told).toEqual(['ready']);
  hold.release();
  await settle();

  expect(told).toEqual(['ready', 'ready']);
});

test('given news of a program while its pane is read for earlier news, when that reading ends, then the pane is read once more', async () => {
  const { shown, told, show, news } = watched();
  const { promise, resolve } = Promise.withResolvers<void>();
  show(READY);
  shown.arrives = promise;

  news();
  news();
  news();
  resolve();
  shown.state = BUSY;
  await settle();

  expect(shown.captures).toBe(2);
  expect(told).toEqual(['ready', 'processing']);
});

test('given one screen after another, when they mean the same, then it is told once', () => {
  const { told, show } = watched();

  for (const state of [READY, READY, BUSY, BUSY]) show(state);

  expect(told).toEqual(['ready', 'processing']);
});

test.each([
  ['lives', false],
  ['has ended', true],
])(
  'given a program that %s, when its pane is read by its address, then the pane is kept only while it lives',
  async (_, dead) => {
    const { panes, shown } = watched();
    shown.dead = dead;
    const pane = await panes.at(ADDRESS);
    await pane?.tell();

    expect((await panes.at(ADDRESS)) === pane).toBe(!dead);
  },
);

test('given an agent at work, when a command ends it, then it is at work no more, and its end is no news', async () => {
  const { panes, told, show, end } = watched();
  show(BUSY);
  const [incarnation = ''] = panes.atWork;

  panes.expectGone(incarnation);
  end({ kind: 'exited', status: 0 });
  await settle();

  expect(incarnation).not.toBe('');
  expect(panes.atWork).toEqual([]);
  expect(told).toEqual(['processing']);
});

test('given a command that should end an agent and failed, when the program ends later by itself, then that is news', async () => {
  const { panes, told, show, end } = watched();
  show(BUSY);
  const [incarnation = ''] = panes.atWork;
  const hold = panes.hold('w');
  panes.expectGone(incarnation);
  hold.release();
  await settle();
  told.length = 0;

  end({ kind: 'exited', status: 1 });
  await settle();

  expect(told).toEqual(['exit']);
});
