/** Checks that Enter submits the text that was seen in the box, and never answers a dialog that opened since. On a pane with scripted screens. */
import type { AgentState, Dialog } from '@drover/core';
import { profileNamed, BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { Attempt } from '../../src/deliver/attempt.ts';
import { enter, see } from '../../src/deliver/entering.ts';
import { take } from '../../src/deliver/taking.ts';
import { jumpingClock } from '../../src/testing/jumping-clock.ts';

const TEXT = 'Add a flag.';
const BOX: AgentState = {
  kind: 'ready',
  after: 'fresh',
  composer: { kind: 'text', text: TEXT, whole: true, pasted: false },
};
const DIALOG: Dialog = { kind: 'permission', title: 'Bash command', body: 'rm -r build', options: [] };
const ASKS: AgentState = { kind: 'permission', tool: 'Bash', command: 'rm -r build', dialog: DIALOG };
const AT = { x: 11, y: 3, visible: true };

/** Attempt whose pane shows the next of some screens at each look. The keys go by `isMoved`: whether the cursor has moved meanwhile. */
function attemptOn(screens: readonly AgentState[], isMoved: (press: number) => boolean) {
  const presses: ('pressed' | 'held back')[] = [];
  let looks = 0;
  const pane = {
    known: async () => ({}),
    see: async () => {
      const state = screens[Math.min(looks, screens.length - 1)];
      looks += 1;
      return {
        facts: { dead: false, cursor: AT },
        reading: { state, fingerprint: `${looks}`, progress: '', rule: 'r' },
      };
    },
  };
  const hands = {
    pressKeys: async (_: readonly string[], { at }: { readonly at?: unknown }) => {
      const isHeld = at !== undefined && isMoved(presses.length);
      presses.push(isHeld ? 'held back' : 'pressed');
      return { kind: isHeld ? 'cursor-moved' : 'sent' };
    },
  };
  const context = {
    clock: jumpingClock(),
    signal: new AbortController().signal,
    settings: { workerId: 'w' },
    files: { kept: null },
    journal: { note: () => {} },
    crashPoint: () => {},
  };
  const words = { isKept: false, takenBy: async () => null, hasTranscript: async () => false };
  const parts = {
    context,
    pane,
    hands,
    words,
    profile: profileNamed('sim', BUILT_IN_PROFILES),
    command: { kind: 'deliver', incarnation: '1.1.%1.1', textId: 't' },
    plan: { text: TEXT, how: { kind: 'paste' }, file: null, settleMs: 0 },
    marks: { transcript: null, hooks: null },
    earlier: null,
    former: null,
  };
  return { attempt: new Attempt(parts as unknown as ConstructorParameters<typeof Attempt>[0]), presses };
}

test('given a text in the box, when a dialog opens before Enter, then Enter is held back, and nobody says that the text was taken', async () => {
  const { attempt, presses } = attemptOn([ASKS], () => true);

  const afterEnter = await enter(attempt, AT);
  const afterLook = await see(attempt);
  const { kind, result } = (await take(attempt)) as { readonly kind: string; readonly result?: unknown };

  expect([afterEnter.kind, afterLook.kind, kind]).toEqual(['see', 'take', 'ended']);
  expect(result).toMatchObject({
    kind: 'unknown',
    why: 'the screen shows "permission" before Enter',
    receipt: { enters: 0 },
  });
  expect(presses).toEqual(['held back']);
});

test('given Enter that was swallowed, when a dialog opens before it is pressed again, then it is held back, and the turn counts', async () => {
  const { attempt, presses } = attemptOn([...Array.from({ length: 15 }, () => BOX), ASKS], (press) => press > 0);
  await enter(attempt, AT);

  const stage = await take(attempt);

  expect(stage).toMatchObject({ kind: 'ended', result: { kind: 'delivered', receipt: { enters: 1 } } });
  expect(presses).toEqual(['pressed', 'held back']);
});

test('given a program that never lets its cursor rest, when a text stands in its box, then Enter is pressed in the end', async () => {
  const { attempt, presses } = attemptOn([BOX], () => true);

  let stage = await enter(attempt, AT);
  while (stage.kind === 'see') {
    expect(await see(attempt)).toEqual({ kind: 'enter', at: AT });
    stage = await enter(attempt, AT);
  }

  expect(stage.kind).toBe('take');
  expect(presses).toEqual([...Array<string>(20).fill('held back'), 'pressed']);
});
