import type { TerminalRow } from '@drover/store';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { Context } from '../context/context.ts';
import { Relay } from './relay.ts';
import { serveMachine, TERMINAL_CLOSE } from './sockets.ts';

/** Opens a machine's end of a terminal, whose machine is `machine` when it is checked. */
function given(machine: { readonly revokedAt: number | null } | null) {
  const due: (() => void)[] = [];
  const after = (_ms: number, run: () => void): (() => void) => (due.push(run), () => {});
  const store = { readMachine: () => Promise.resolve(machine), carry: () => Promise.resolve() };
  const ctx = { store, clock: { after } } as unknown as Context;
  const relay = new Relay({ replica: 'here', store, log: () => {} });
  const gone: string[] = [];
  relay.addPerson('t', { take: () => {}, otherGone: (why) => gone.push(why) });
  const socket = Object.assign(new EventEmitter(), {
    closed: null as number | null,
    close: (code: number) => ((socket.closed = code), socket.emit('close')),
  });
  const row = { id: 't', machineId: 'm' } as TerminalRow;
  serveMachine({ ctx, relay }, socket as unknown as WebSocket, { row, personAt: 'here' });
  return { socket, gone, check: async () => (due.shift()?.(), void (await new Promise(setImmediate))) };
}

test.each([
  ['revoked', { revokedAt: 1 }],
  ['removed', null],
])(
  'given an open terminal, when its machine is %s, then it closes at the next look, and the person hears of it',
  async (_, machine) => {
    const { socket, gone, check } = given(machine);

    await check();

    expect(socket.closed).toBe(TERMINAL_CLOSE.over);
    expect(gone).toEqual(['its machine closed it']);
  },
);

test('given an open terminal, when its machine is looked at and may serve, then it stays open', async () => {
  const { socket, gone, check } = given({ revokedAt: null });

  for (let looked = 0; looked < 3; looked += 1) await check();

  expect([socket.closed, gone]).toEqual([null, []]);
});
