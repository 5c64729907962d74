/** Checks when an answered dialog counts as gone, on a pane with scripted screens. */
import type { Dialog } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import { BUILT_IN_PROFILES, profileNamed } from '@drover/screen';
import { describe, expect, test } from 'vitest';
import type { AnswerContext } from '../tools.ts';
import { jumpingClock } from '../../testing/jumping-clock.ts';
import { answer } from './answer.ts';

const INCARNATION = '1.1.%1.1';

function permission(body: string): Dialog {
  const options = [
    { label: 'Yes', highlighted: true },
    { label: 'No', highlighted: false },
  ];
  return { kind: 'permission', title: 'Bash command', body, options };
}

/** Pane whose program shows the next dialog in the frame after each Enter. Time passes as it is waited for. */
function paneOf(
  dialogs: readonly Dialog[],
  trust: WorkerSettings['project']['trust'] = {},
): { context: AnswerContext; pressed: string[] } {
  const pressed: string[] = [];
  const shown = (): Dialog | undefined => dialogs[Math.min(pressed.length, dialogs.length - 1)];
  const pane = {
    see: async () => ({
      facts: { dead: false },
      reading: { fingerprint: shown()?.body, state: { kind: 'permission', dialog: shown() } },
    }),
    withHands: (work: (hands: unknown) => Promise<unknown>) =>
      work({ pressKeys: async (keys: readonly string[]) => void pressed.push(...keys) }),
  };
  const context = {
    panes: { at: async () => pane },
    profiles: { of: () => ({ profile: profileNamed('sim', BUILT_IN_PROFILES) }) },
    channels: { of: async () => null },
    clock: jumpingClock(),
    signal: new AbortController().signal,
    settings: { name: 'adam', project: { trust } },
  };
  return { context: context as unknown as AnswerContext, pressed };
}

const YES = { kind: 'label', label: 'Yes' } as const;

test('given two dialogs of one title, when the second is there at once, then the first is answered', async () => {
  const { context, pressed } = paneOf([permission('touch one'), permission('touch two')]);

  const when = await answer(context, {
    kind: 'answer',
    incarnation: INCARNATION,
    fingerprint: 'touch one',
    choice: YES,
  });

  expect(when).toEqual({ kind: 'answered', label: 'Yes' });
  expect(pressed).toEqual(['Enter']);
});

test('given a dialog that takes no notice of Enter, when it is there as before, then it does not count as answered', async () => {
  const { context } = paneOf([permission('touch one')]);

  const when = await answer(context, {
    kind: 'answer',
    incarnation: INCARNATION,
    fingerprint: 'touch one',
    choice: YES,
  });

  expect(when).toEqual({ kind: 'stale', why: 'the dialog did not close' });
});

describe('a dialog that asks for trust', () => {
  const servers: Dialog = {
    ...permission('its servers'),
    kind: 'other',
    trust: { kind: 'mcp', accept: 'Yes', refuse: 'No' },
  };
  const command = { kind: 'answer', incarnation: INCARNATION, fingerprint: 'its servers' } as const;

  test('given an owner who forbids it, when it is to be given, then no key is pressed', async () => {
    const { context, pressed } = paneOf([servers, permission('next')], { mcp: false });

    await expect(answer(context, { ...command, choice: YES })).rejects.toMatchObject({ code: 'trust-not-allowed' });
    expect(pressed).toEqual([]);
  });

  test.each([{}, { mcp: true }])('given the decisions %o, when it is to be given, then it is', async (trust) => {
    const { context } = paneOf([servers, permission('next')], trust);

    expect(await answer(context, { ...command, choice: YES })).toEqual({ kind: 'answered', label: 'Yes' });
  });

  test('given no decision, when only the profile is asked, then nothing is chosen', async () => {
    const { context, pressed } = paneOf([servers]);
    const choice = { kind: 'policy', dialog: 'other' } as const;

    await expect(answer(context, { ...command, choice })).rejects.toMatchObject({ code: 'no-answer' });
    expect(pressed).toEqual([]);
  });
});
