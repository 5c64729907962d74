/** Checks profile documents that say only in what a program differs from one that Drover knows. */
import { expect, test } from 'vitest';
import { BUILT_IN_PROFILES, composerOf, loadProfile } from '../src/index.ts';

const SHORT = { like: 'codex', id: 'copilot', name: 'Copilot', launch: { program: 'copilot' }, commands: ['copilot'] };

test('given a short document, when it is loaded, then what it does not say is as in the profile that it is like', () => {
  const codex = BUILT_IN_PROFILES.get('codex');

  const when = loadProfile({ ...SHORT, screen: { busy: [], dialog: { frame: '^[│ ]*' } } });

  if (when.kind !== 'ok' || codex === undefined) throw new Error(JSON.stringify(when));
  const { profile } = when;
  expect([profile.id, profile.launch.program, profile.commands]).toEqual(['copilot', 'copilot', ['copilot']]);
  expect(profile.launch.model).toEqual(codex.launch.model);
  expect(profile.typing).toEqual(codex.typing);
  expect([profile.screen.busy, profile.screen.dialog.frame]).toEqual([[], /^[│ ]*/u]);
  expect(profile.screen.dialog.kinds).toEqual(codex.screen.dialog.kinds);
  // Versions of another program prove nothing for this one.
  expect(profile.versions).toEqual([]);
});

test('given a short document with another kind of composer, when it is loaded, then no field of the old kind is left', () => {
  const when = loadProfile({ ...SHORT, screen: { composer: { kind: 'bar', bar: '┃', close: '^╹' } } });

  expect(when).toMatchObject({
    kind: 'ok',
    profile: { screen: { composer: { kind: 'bar', bar: '┃', close: /^╹/u } } },
  });
});

// Nanocoder 1.30.0, as most programs that are drawn with Ink: they hide the terminal's cursor below the last row, and draw one.
const PLAIN_BOX = { kind: 'bar', bar: '┃', close: '^▶ ', indent: 2, plain: true };

test.each([
  ['empty', '> / commands, ! bash', { kind: 'empty' }],
  ['with words that are wider than the row below', 'one two three four', { kind: 'text', text: 'one two three four' }],
])(
  'given a program whose cursor stands below a plain box %s, when its short document says so, then the box is read',
  (_, words, composer) => {
    const capture = `\u001b[35m┃\n┃\u001b[39m ${words}\n\u001b[35m┃\u001b[39m\n\n\u001b[90m▶ normal\n`;
    const screen = { composer: PLAIN_BOX, placeholder: { matches: '^> / commands' } };
    const [told, untold] = [{ ...screen, cursorInside: false }, screen].map((one) =>
      loadProfile({ ...SHORT, screen: one }),
    );
    if (told?.kind !== 'ok' || untold?.kind !== 'ok') throw new Error(JSON.stringify([told, untold]));

    expect(composerOf(told.profile, capture, 5)).toMatchObject(composer);
    expect(composerOf(untold.profile, capture, 5)).toEqual({ kind: 'none' });
  },
);

test('given fields to unset, when the document is loaded, then the program does not have them', () => {
  const when = loadProfile({ ...SHORT, unset: ['launch.resume', 'signals.transcript'] });

  expect(when).toMatchObject({ kind: 'ok', profile: { launch: { resume: null }, signals: { transcript: null } } });
});

test.each([
  [{ like: 'cursor' }, 'like', 'must be one of claude, codex, opencode'],
  [{ unset: ['launch.sesion'] }, 'unset', 'the profile "codex" has no field "launch.sesion"'],
  [{ screen: { busy: [{ id: 'busy', in: 'titel' }] } }, 'screen.busy.0.in', 'Invalid option'],
  [{ screen: { block: '([' } }, 'screen.block', 'is not a regular expression'],
  [{ launch: { progam: 'x' } }, 'launch', 'Unrecognized key: "progam"'],
  [{ unset: ['launch.program'], launch: {} }, 'launch.program', 'expected string'],
])('given a short document with %j, when it is loaded, then the problem names its field', (wrong, path, message) => {
  const when = loadProfile({ ...SHORT, ...wrong });

  expect(when).toMatchObject({ kind: 'invalid', problems: [{ path, message: expect.stringContaining(message) }] });
});
