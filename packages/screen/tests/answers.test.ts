/** Checks that dialogs are answered by label, and that the box holds what was typed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxHolds, BUILT_IN_PROFILES, chooseOption, composerOf, detect, profileNamed } from '../src/index.ts';
import type { Composer, Dialog } from '@drover/core';
import { CAPTURES, captureOf, inputOf, profileOf } from './captures.ts';

function planFor(name: string, label: string): ReturnType<typeof chooseOption> {
  const capture = captureOf(name);
  const { state } = detect(profileOf(capture), inputOf(capture));
  if (!('dialog' in state)) throw new Error(`${name} shows no dialog but ${state.kind}`);
  return chooseOption(profileOf(capture), state.dialog, label);
}

test.each(['codex/plan-proposal-120', 'codex/plan-proposal-80'])(
  'given the proposal of a plan in %s, when it is read, then the plan is what the question is about',
  (name) => {
    const capture = captureOf(name);
    const { state } = detect(profileOf(capture), inputOf(capture));

    expect('dialog' in state && { title: state.dialog.title, body: state.dialog.body.split('\n') }).toEqual({
      title: 'Implement this plan?',
      body: [
        '# Add a greeting',
        '## Summary',
        'Write hello.txt with one line.',
        '## Steps',
        '1. Create the file.',
        '2. Run the tests.',
      ],
    });
  },
);

test('given a plan whose first row has left the screen, when it is read, then what still shows is told', () => {
  const capture = captureOf('codex/plan-proposal-120');
  const input = inputOf(capture);
  const rows = input.capture.split('\n');
  const cut = rows.slice(rows.findIndex((row) => row.includes('Steps')));
  const { state } = detect(profileOf(capture), { ...input, capture: cut.join('\n') });

  expect('dialog' in state && state.dialog.body).toBe('## Steps\n1. Create the file.\n2. Run the tests.');
});

test('given the trust dialog on "No, exit", when trust is chosen, then one Down leads there', () => {
  const when = planFor('claude/trust-dialog-80', 'Yes, I trust this folder');

  const label = 'Yes, I trust this folder';
  expect(when).toEqual({ kind: 'keys', keys: ['Down'], confirm: 'Enter', label, stands: label });
});

test('given the API key dialog on "No", when yes is chosen, then one Up leads there', () => {
  expect(planFor('claude/apikey-dialog-80', 'Yes')).toMatchObject({ keys: ['Up'] });
});

test('given a "No" that moves between versions, when it is chosen by label, then it is found in each', () => {
  expect(planFor('claude/permission-git-commit-80', 'No')).toMatchObject({ keys: ['Down', 'Down', 'Down'] });
  expect(planFor('claude/permission-edit-diff-80', 'No')).toMatchObject({ keys: ['Down', 'Down'] });
  expect(planFor('claude-2197/permission-bash-long-80', 'No')).toMatchObject({ keys: ['Down'] });
});

test('given options side by side, when the third is chosen, then the keys go right', () => {
  expect(planFor('opencode/permission-bash-80', 'Reject')).toMatchObject({ keys: ['Right', 'Right'] });
  expect(planFor('opencode/permission-bash-reject-selected-80', 'Allow once')).toMatchObject({
    keys: ['Left', 'Left'],
  });
});

test('given a beginning that fits two options, when it is chosen, then nothing is guessed', () => {
  expect(planFor('claude/permission-git-commit-80', 'Yes, and')).toMatchObject({ kind: 'no-such-option' });
  expect(planFor('claude/permission-git-commit-80', 'Maybe')).toMatchObject({ kind: 'no-such-option' });
});

test('given a long list that is scrolled, when it is read, then each option has the number that stands before it', () => {
  const capture = captureOf('claude/permission-git-commit-80');
  const later = {
    ...inputOf(capture),
    capture: capture.ansi.replaceAll(/(?<=\D)([1-4])\. /gu, (_, number) => `${Number(number) + 3}. `),
  };
  const optionsOf = (input: typeof later): readonly object[] => {
    const { state } = detect(profileOf(capture), input);
    return 'dialog' in state ? state.dialog.options : [];
  };

  expect(optionsOf(later)).toEqual(
    optionsOf(inputOf(capture)).map((option, index) => ({ ...option, number: index + 4 })),
  );
});

test('given every recorded dialog with options, when it is read, then exactly one option is highlighted', () => {
  const dialogs = CAPTURES.flatMap((capture) => {
    const { state } = detect(profileOf(capture), inputOf(capture));
    return 'dialog' in state && state.dialog.options.some(({ dismisses }) => dismisses !== true)
      ? [{ name: capture.name, options: state.dialog.options }]
      : [];
  });

  expect(dialogs.filter(({ options }) => options.filter(({ highlighted }) => highlighted).length !== 1)).toEqual([]);
  expect(dialogs.length).toBeGreaterThan(100);
});

test.each([
  ['claude/elicit_form-80', 'MCP server “demo” requests your input', 'Esc to cancel'],
  ['claude/elicit_url-220', 'MCP server “demo” wants to open a URL', 'Esc to cancel'],
  ['copilot/elicit_text_typed-120', 'demo needs information.', 'esc cancel'],
  ['copilot/elicit_url-80', 'demo wants you to visit', 'esc cancel'],
  ['copilot/question_several-80', 'Two things', 'esc cancel'],
])(
  'given the form %s, when it is read, then it asks with its title, and can only be cancelled by its key',
  (name, title, label) => {
    const capture = captureOf(name);
    const { state } = detect(profileOf(capture), inputOf(capture));

    expect(state).toMatchObject({
      kind: 'question',
      dialog: { title, options: [{ label, highlighted: false, dismisses: true }] },
    });
    expect(planFor(name, label)).toEqual({ kind: 'keys', keys: [], confirm: 'Escape', label, stands: null });
  },
);

test.each([
  ['claude/permission-bash-option2-80', '  Esc to cancel · ↑/↓ to navigate'],
  ['copilot/permission-120', ' enter accept · esc cancel'],
  ['codex/permission-bash-80', 'x\n    Field 1/1\n  Field 1/1 enter to submit | esc to cancel'],
  ['codex/permission-bash-80', 'x needs your approval. Server: x'],
  ['copilot/permission-120', 'x needs information.'],
])(
  'given the permission %s for a command with the words of a form, when it is read, then it stays one',
  (name, words) => {
    const capture = captureOf(name);
    const input = inputOf(capture);
    const rows = input.capture.split('\n').map((row) => row.replace(/touch \S+|made-by-mock-[\d.a-z]+/u, words));

    const { state } = detect(profileOf(capture), { ...input, capture: rows.join('\n') });

    const { state: before } = detect(profileOf(capture), input);
    const titleOf = (one: typeof state): string | null => ('dialog' in one ? one.dialog.title : null);
    expect([state.kind, titleOf(state)]).toEqual(['permission', titleOf(before)]);
  },
);

test.each(['claude', 'claude-2197', 'claude-classic', 'codex', 'copilot', 'gemini', 'opencode'])(
  'given every recorded question of %s about the database, when it is read, then its title is the question',
  (variant) => {
    const titles = CAPTURES.filter(({ name }) => name.startsWith(`${variant}/`)).flatMap((capture) => {
      const { state } = detect(profileOf(capture), inputOf(capture));
      const isAsked = state.kind === 'question' && /Which database/u.test(`${state.dialog.title} ${state.dialog.body}`);
      return isAsked && !/Review your answers/u.test(state.dialog.title) ? [state.dialog.title] : [];
    });

    expect(new Set(titles)).toEqual(new Set(['Which database should the project use?']));
  },
);

test('given every start-up dialog with a policy, when its label is looked for, then it is there', () => {
  const startup = CAPTURES.flatMap((capture) => {
    const { state } = detect(profileOf(capture), inputOf(capture));
    if (state.kind !== 'dialog' || !['trust', 'bypass', 'api-key'].includes(state.dialog.kind)) return [];
    const { kind: asked, trust } = state.dialog;
    const known = profileOf(capture).answers.find(({ kind }) => kind === asked)?.accept ?? [];
    const labels = trust === undefined ? known : [trust.accept];
    return [
      {
        name: capture.name,
        found: labels.some((label) => chooseOption(profileOf(capture), state.dialog, label).kind === 'keys'),
      },
    ];
  });

  expect(startup.filter(({ found }) => !found)).toEqual([]);
  expect(startup.length).toBeGreaterThan(10);
});

const text = (held: string, more: Partial<Extract<Composer, { kind: 'text' }>> = {}): Composer => ({
  kind: 'text',
  text: held,
  whole: true,
  pasted: false,
  ...more,
});

test.each([
  [text('fix the\nbug'), 'whole'],
  [text('fix the'), 'part'],
  [text('the bug', { whole: false }), 'part'],
  [text('something else'), 'other'],
  [text('[Pasted text #1 +3 lines]', { pasted: true, whole: false }), 'placeholder'],
  [{ kind: 'empty' }, 'empty'],
  [{ kind: 'none' }, 'empty'],
] as const)('given the box %o, when it is compared with "fix the bug", then it holds %s', (composer, expected) => {
  expect(boxHolds(composer, 'fix the bug')).toBe(expected);
});

test('given a letter that was typed with its accent apart, when the box shows them as one, then it holds the whole text', () => {
  const box = text('r\u00e9sum\u00e9');

  expect(boxHolds(box, 're\u0301sume\u0301')).toBe('whole');
  expect(boxHolds(box, 'resume')).toBe('other');
});

test('given any text wrapped at any width, when the box is compared, then it holds the whole text', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 300 }).filter((given) => given.trim() !== ''),
      fc.integer({ min: 1, max: 80 }),
      (given, width) => {
        const rows = given.match(new RegExp(`[\\s\\S]{1,${width}}`, 'gu')) ?? [];

        expect(boxHolds(text(rows.map((row) => row.trimEnd()).join('\n')), given)).toBe('whole');
      },
    ),
    { numRuns: 300 },
  );
});

test('given a scrolled box, when it is read, then its text is not whole', () => {
  const rule = `\u001b[38;5;244m${'─'.repeat(60)}\u001b[0m`;
  const scrolled = `\u001b[38;5;244m─── ↑ 4 more ${'─'.repeat(40)}\u001b[0m\n  fifth line\n  sixth line\n${rule}\n  footer\n`;
  const claude = profileNamed('claude');

  expect(claude === null ? null : composerOf(claude, scrolled)).toEqual({
    kind: 'text',
    text: 'fifth line\nsixth line',
    whole: false,
    pasted: false,
  });
});

test('given a suffix, when a profile is looked for, then the program’s own is found', () => {
  expect(profileNamed('claude-classic')?.id).toBe('claude');
  expect(profileNamed('sim')?.id).toBe('sim');
  expect(profileNamed('vim')).toBeNull();
  expect([...BUILT_IN_PROFILES.keys()]).toEqual([
    'claude',
    'codex',
    'opencode',
    'gemini',
    'copilot',
    'qwen',
    'pi',
    'sim',
    'generic',
  ]);
});

/** Draws a dialog in the place of a recorded one: words of Claude Code 2.1.330, whose own drawing of these was not recorded. */
function drawnAs(title: string, body: string, options: readonly string[]): Dialog {
  const capture = captureOf('claude/apikey-dialog-80');
  const input = inputOf(capture);
  const rows = input.capture.split('\n');
  const line = rows.findIndex((row) => row.includes('─────'));
  const list = options.map((option, at) => (at === 0 ? `  ❯ ${at + 1}. ${option}` : `    ${at + 1}. ${option}`));
  const drawn = [`  ${title}`, '', ...body.split('\n').map((row) => `  ${row}`), '', ...list, ''];
  const guide = '  Enter to confirm · Esc to cancel';
  const { state } = detect(profileOf(capture), {
    ...input,
    capture: [...rows.slice(0, line + 1), ...drawn, guide, ''].join('\n'),
  });
  if (state.kind !== 'dialog') throw new Error(`It is read as ${state.kind}`);
  return state.dialog;
}

const INACTIVE = 'This conversation has been inactive for 5h 12m and is 180k tokens long.';

test.each([
  [
    'This session is 12h 54m old and 177.2k tokens.',
    'Resuming the full session uses a lot of your usage limits. Resuming from a\nsummary uses less.',
    ['Resume from summary (instant, recommended)', 'Resume full session as-is', "Don't ask again"],
    'Resume full session as-is',
  ],
  [
    'Resume this conversation?',
    `${INACTIVE}\nResuming it will use about 23% of your 5-hour usage limit.`,
    ['Resume', 'Start a new conversation', 'Resume from summary'],
    'Resume',
  ],
  [
    'Resume this conversation?',
    `${INACTIVE}\nResuming it will use all of your\n5-hour usage limit.`,
    ['Resume', 'Start a new conversation'],
    null,
  ],
])(
  'given Claude Code that asks "%s" and says "%s", when its profile answers, then the same conversation goes on, and one that would use up an account is asked about',
  (title, body, options, label) => {
    const dialog = drawnAs(title, body, options);
    const profile = profileOf(captureOf('claude/apikey-dialog-80'));
    const words = `${dialog.title}\n${dialog.body}`;
    const known = profile.answers.find(({ kind, matches }) => kind === dialog.kind && matches?.test(words));

    expect(dialog).toMatchObject({ kind: 'resume', title, options: options.map((option) => ({ label: option })) });
    const wanted = known?.accept.find((one) => options.some((option) => option.startsWith(one))) ?? null;
    expect(wanted).toBe(label);
    if (label === null) return;
    expect(chooseOption(profile, dialog, label)).toMatchObject({ kind: 'keys', stands: label });
  },
);
