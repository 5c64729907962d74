import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { onInterrupt } from './interrupt.ts';

function fakeProcess() {
  const killed: string[] = [];
  const kill = (_: number, signal: string | number): true => {
    killed.push(String(signal));
    return true;
  };
  const self = Object.assign(new EventEmitter(), { pid: 7, kill }) as unknown as Parameters<typeof onInterrupt>[1];
  return { self, killed, press: () => (self as unknown as EventEmitter).emit('SIGINT') };
}

test('given a command that waits, when a person presses Ctrl-C, then it says its words once and ends by the signal', () => {
  const { self, killed, press } = fakeProcess();
  const said: string[] = [];
  using _ = onInterrupt(() => said.push('the merge goes on'), self);

  press();

  expect(said).toEqual(['the merge goes on']);
  expect(killed).toEqual(['SIGINT']);
  expect(press()).toBe(false);
});

test('given a command that has ended its wait, when Ctrl-C is pressed, then nothing is said', () => {
  const { self, killed, press } = fakeProcess();
  onInterrupt(() => expect.unreachable(), self)[Symbol.dispose]();

  expect(press()).toBe(false);
  expect(killed).toEqual([]);
});
