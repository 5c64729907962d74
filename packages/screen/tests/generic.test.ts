/** Checks that a program of which nothing is known is judged by its prompt and its cursor. */
import { expect, test } from 'vitest';
import { BUILT_IN_DOCUMENTS, detect, loadProfile, profileNamed } from '../src/index.ts';
import type { Detection, PaneState, Profile } from '../src/index.ts';

const FACTS: PaneState = {
  dead: false,
  deadStatus: null,
  deadSignal: null,
  command: 'python3',
  title: 'host',
  historySize: 0,
  alternate: false,
  cursorRow: 0,
};

function judged(
  capture: string,
  more: Partial<PaneState>,
  profile: Profile | null = profileNamed('generic'),
): Detection {
  if (profile === null) throw new Error('The generic profile is missing');
  return detect(profile, { facts: { ...FACTS, ...more }, capture });
}

test('given a prompt with the cursor behind it, when it is judged, then the program is ready', () => {
  expect(judged('Python 3.13\n>>> \n', { cursorRow: 1 }).state).toMatchObject({
    kind: 'ready',
    composer: { kind: 'empty' },
  });
  expect(judged('aider> \n', { cursorRow: 0 }).state).toMatchObject({ kind: 'ready' });
});

test('given text behind the prompt, when it is judged, then it stands in the composer', () => {
  expect(judged('>>> print(1)\n', { cursorRow: 0 }).state).toMatchObject({
    kind: 'ready',
    composer: { kind: 'text', text: 'print(1)' },
  });
});

test('given output under an old prompt, when the cursor is below it, then the program works', () => {
  const when = judged('>>> run()\nstep 1\nstep 2\n\n', { cursorRow: 3 });

  expect(when).toMatchObject({ state: { kind: 'processing' }, rule: 'generic/no-prompt' });
});

test('given a profile whose program is a shell, when the shell stands in the pane, then it has not exited', () => {
  const [document] = BUILT_IN_DOCUMENTS.filter(({ id }) => id === 'generic');
  const loaded = loadProfile({ ...document, id: 'shell', commands: ['bash'] });

  expect(judged('$ \n', { command: 'bash', cursorRow: 0 }).state).toMatchObject({ kind: 'exited' });
  expect(
    loaded.kind === 'ok' ? judged('$ \n', { command: 'bash', cursorRow: 0 }, loaded.profile).state.kind : loaded,
  ).toBe('ready');
});

test('given a title that asks over a dialog that nobody knows, when it is judged, then it is a dialog and never ready', () => {
  const rule = '─'.repeat(40);
  const screen = `Type your answer:\n\u001b[2;38;5;244m${rule}\u001b[0m\n hint\n\n \u001b[38;5;183m> \u001b[0mtext\n`;

  const when = judged(
    screen,
    { title: '✋  Action Required (x)', command: 'node', cursorRow: 4 },
    profileNamed('gemini'),
  );

  expect(when).toMatchObject({
    state: { kind: 'dialog', dialog: { kind: 'other' } },
    rule: 'gemini/title-action-required',
  });
});
