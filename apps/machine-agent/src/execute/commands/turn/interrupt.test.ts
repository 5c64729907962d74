/** Checks that an agent stops, on a pane with screens scripted frame by frame, which records the keys it took. */
import type { AgentState } from '@drover/core';
import { BUILT_IN_PROFILES, profileNamed } from '@drover/screen';
import { expect, test } from 'vitest';
import type { Channel } from '../../../channels/channel.ts';
import { jumpingClock } from '../../../testing/jumping-clock.ts';
import type { AnswerContext } from '../../tools.ts';
import { interrupt } from './interrupt.ts';

const EMPTY = { kind: 'empty' } as const;
const READY: AgentState = { kind: 'ready', after: 'interrupted', composer: EMPTY };
const BUSY: AgentState = { kind: 'processing', queued: false, composer: EMPTY };
const ENDED: AgentState = { kind: 'exited', cause: 'unknown', status: 0, signal: null };
const UNKNOWN: AgentState = { kind: 'unknown', why: 'nothing-matched' };

/** Pane that shows a screen for the keys that it took and the time, in milliseconds, which passes as it is waited for. */
function paneOf(
  shown: (keys: readonly string[], now: number) => AgentState | 'dead' | 'gone',
  profile = 'sim',
  channel: Pick<Channel, 'interrupt'> | null = null,
) {
  const pressed: string[] = [];
  const clock = jumpingClock();
  const state = (): AgentState | 'dead' | 'gone' => shown(pressed, clock.now());
  const pane = {
    see: async () => (state() === 'gone' ? null : { reading: { state: state() === 'dead' ? ENDED : state() } }),
    withHands: (work: (hands: unknown) => Promise<unknown>) =>
      work({
        pressKeys: async (keys: readonly string[]) => {
          pressed.push(...keys);
          return { kind: 'sent' };
        },
      }),
  };
  const context = {
    panes: { at: async () => pane },
    profiles: { of: () => ({ profile: profileNamed(profile, BUILT_IN_PROFILES) }) },
    channels: { of: async () => channel },
    clock,
    signal: new AbortController().signal,
    settings: {},
  };
  const stop = (standsMs = 500) =>
    interrupt(context as unknown as AnswerContext, { kind: 'interrupt', incarnation: '1.1.%1.1', standsMs });
  return { stop, pressed };
}

test('given an agent at work, when it is interrupted, then one key stops it, and it stands at rest before that is said', async () => {
  const { stop, pressed } = paneOf((keys) => (keys.length === 0 ? BUSY : READY));

  expect(await stop()).toEqual({ kind: 'at-rest', pressed: 1 });
  expect(pressed).toEqual(['Escape']);
});

test('given a program that lets Drover in, when it is interrupted, then its turn ends without a key; and if it does not answer, by the keys', async () => {
  let isAtWork = true;
  const stops = async (): Promise<boolean> => !(isAtWork = false);
  const byChannel = paneOf(() => (isAtWork ? BUSY : READY), 'sim', { interrupt: stops });
  const dead = { interrupt: () => Promise.reject(new Error('it was not reached')) };
  const byKeys = paneOf((keys) => (keys.length === 0 ? BUSY : READY), 'sim', dead);

  expect(await byChannel.stop()).toEqual({ kind: 'at-rest', pressed: 0 });
  expect(byChannel.pressed).toEqual([]);
  expect(await byKeys.stop()).toEqual({ kind: 'at-rest', pressed: 1 });
});

test('given an agent at its prompt, when it is interrupted, then no key is pressed: on an empty box it could mean something else', async () => {
  const { stop, pressed } = paneOf(() => READY);

  expect(await stop()).toEqual({ kind: 'at-rest', pressed: 0 });
  expect(pressed).toEqual([]);
});

test('given a program that asks for trust, when it is interrupted, then no key is pressed: it would keep an Escape as a lasting no', async () => {
  const trust = { kind: 'imports', accept: 'Yes', refuse: 'No' } as const;
  const dialog = { kind: 'other', title: 'Allow external imports?', body: '', options: [], trust } as const;
  const { stop, pressed } = paneOf(() => ({ kind: 'dialog', dialog }));

  expect(await stop()).toEqual({ kind: 'at-rest', pressed: 0 });
  expect(pressed).toEqual([]);
});

test('given a turn that shows only after its text was taken, when it is interrupted, then it is waited for and stopped', async () => {
  const { stop, pressed } = paneOf((keys, now) => (now > 3_000 && keys.length === 0 ? BUSY : READY));

  expect(await stop(10_000)).toEqual({ kind: 'at-rest', pressed: 1 });
  expect(pressed).toEqual(['Escape']);
});

test('given an agent that takes no notice of the first key, when it is interrupted, then a second one stops it', async () => {
  const { stop } = paneOf((keys) => (keys.length < 2 ? BUSY : READY));

  expect(await stop()).toEqual({ kind: 'at-rest', pressed: 2 });
});

test('given an agent that goes on whatever is pressed, when it is interrupted, then that is said after two tries', async () => {
  const { stop, pressed } = paneOf(() => BUSY);

  expect(await stop()).toEqual({ kind: 'not-interrupted', why: 'it goes on after 2 key(s)' });
  expect(pressed).toEqual(['Escape', 'Escape']);
});

test('given an agent that needs two keys at once, when it is interrupted, then both are one try', async () => {
  const { stop, pressed } = paneOf((keys) => (keys.length < 2 ? BUSY : READY), 'opencode');

  expect(await stop()).toEqual({ kind: 'at-rest', pressed: 2 });
  expect(pressed).toEqual(['Escape', 'Escape']);
});

test('given a text that the program had queued, when its turn begins after the interrupt, then that is stopped too', async () => {
  const { stop } = paneOf((keys, now) => (keys.length === 0 || (keys.length === 1 && now > 300) ? BUSY : READY));

  expect(await stop()).toEqual({ kind: 'at-rest', pressed: 2 });
});

test('given a permission that is asked for, when its agent is interrupted, then the question goes with the turn', async () => {
  const dialog = { kind: 'permission', title: 'May I?', body: '', options: [] } as const;
  const asks: AgentState = { kind: 'permission', tool: 'Bash', command: 'rm', dialog };
  const { stop, pressed } = paneOf((keys) => (keys.length === 0 ? asks : READY));

  expect(await stop()).toEqual({ kind: 'at-rest', pressed: 1 });
  expect(pressed).toEqual(['Escape']);
});

test.each([
  [
    'a screen that cannot be read',
    UNKNOWN,
    { kind: 'not-interrupted', why: 'its screen cannot be read after 0 key(s)' },
  ],
  ['a program that has ended', 'dead', { kind: 'at-rest', pressed: 0 }],
  ['a pane that is gone', 'gone', { kind: 'pane-gone' }],
] as const)('given %s, when it is interrupted, then nothing is pressed, and that is said', async (_, shown, end) => {
  const { stop, pressed } = paneOf(() => shown);

  expect(await stop()).toEqual(end);
  expect(pressed).toEqual([]);
});
