/** Keeps a machine that does not read, or sends without end, within bounds. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Machine } from '@drover/store';
import type { WebSocket } from 'ws';
import type { Context } from '../context/context.ts';
import { AccessWatch } from './access-watch.ts';
import { serveSocket } from './socket.ts';
import { Waiters } from '../context/waiters.ts';

const NOTHING = { hasCommands: false, profilesRevision: 0 };
const MACHINE = { id: 'm', name: 'alba', epoch: 1 } as Machine;

/** Fakes a WebSocket as the server sees it. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly CLOSED = 3;
  readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  ping(): void {}
  close(): void {
    this.terminate();
  }
  terminate(): void {
    this.readyState = this.CLOSED;
    this.emit('close');
  }
}

interface Scene {
  readonly socket: FakeSocket;
  readonly logged: string[];
  /** Number of times that commands were asked for. */
  readonly counts: { readonly taken: number };
  /** Tells that there are commands. */
  readonly hint: () => void;
  /** Fires all timers once. */
  readonly tick: () => void;
  /** Lets the store answer what it was asked so far. */
  readonly answer: () => void;
}

function scene(): Scene {
  const socket = new FakeSocket();
  const waiters = new Waiters();
  const logged: string[] = [];
  const counts = { taken: 0 };
  let timers = new Set<() => void>();
  let held: (() => void)[] = [];
  const store = {
    touchMachine: () => new Promise<object>((resolve) => held.push(() => resolve(NOTHING))),
    ackCommands: async () => {},
    takeCommands: async () => {
      counts.taken += 1;
      return [];
    },
    readProfiles: async () => ({ revision: 0, documents: [] }),
    listAccess: async () => [MACHINE],
  };
  const ctx = {
    store,
    log: (_level: string, message: string) => logged.push(message),
    clock: {
      now: () => 0,
      after: (_ms: number, run: () => void) => {
        timers.add(run);
        return () => timers.delete(run);
      },
    },
    fleetSize: { machines: 1 },
    random: () => 0.5,
  } as unknown as Context;
  const shared = { waiters, access: new AccessWatch(ctx) };
  serveSocket({ ctx, socket: socket as unknown as WebSocket, machine: MACHINE }, shared);
  return {
    socket,
    logged,
    counts,
    hint: () => waiters.wake('m'),
    tick: () => {
      const due = timers;
      timers = new Set();
      for (const run of due) run();
    },
    answer: () => {
      const due = held;
      held = [];
      for (const resolve of due) resolve();
    },
  };
}

const SYNC = JSON.stringify({ agentEpoch: '11111111-1111-4111-8111-111111111111', acks: [], observations: [] });

test('given a machine that leaves more than 16 MiB unread, when it is to be answered, then its connection is cut', async () => {
  const { socket, logged, answer } = scene();
  socket.bufferedAmount = 17 * 1_048_576;

  socket.emit('message', Buffer.from(SYNC));
  await expect
    .poll(() => {
      answer();
      return socket.readyState;
    })
    .toBe(socket.CLOSED);

  expect(socket.sent).toEqual([]);
  expect(logged).toEqual(['Closed the connection of the machine "alba": it does not read its messages']);
});

test('given a machine that sends faster than it is taken, when 16 messages wait, then it is not read from until half are taken', async () => {
  const { socket, answer } = scene();

  for (let count = 0; count < 15; count += 1) socket.emit('message', Buffer.from(SYNC));
  expect(socket.isPaused).toBe(false);
  socket.emit('message', Buffer.from(SYNC));
  expect(socket.isPaused).toBe(true);

  await expect
    .poll(() => {
      answer();
      return socket.isPaused ? 0 : socket.sent.length;
    })
    .toBeGreaterThanOrEqual(8);
});

test('given a machine that gives no sign of life, when ten heartbeats have passed, then its connection is cut; with one it is not', () => {
  const { socket: silent, tick } = scene();
  const { socket: alive, tick: tickAlive } = scene();
  for (let beat = 0; beat < 10; beat += 1) {
    tick();
    tickAlive();
    alive.emit('pong');
  }

  expect(silent.readyState).toBe(silent.CLOSED);
  expect(alive.readyState).toBe(alive.OPEN);
});

test('given an idle machine, when it gives signs of life, then commands are not asked for without a hint; and once with one', async () => {
  const { socket, counts, answer, hint } = scene();
  const say = async (): Promise<void> => {
    const before = socket.sent.length;
    socket.emit('message', Buffer.from(SYNC));
    await expect
      .poll(() => {
        answer();
        return socket.sent.length;
      })
      .toBe(before + 1);
  };
  await say();
  const atFirst = counts.taken;

  await say();
  await say();
  expect([atFirst, counts.taken]).toEqual([1, 1]);

  hint();
  await expect.poll(() => counts.taken).toBe(2);
});
