/** Tests the walk with a person on scripted answers and screens. */
import { BUILT_IN_PROFILES } from '@drover/screen';
import type { Profile } from '@drover/screen';
import { expect, test } from 'vitest';
import { walkWithPerson } from './attended.ts';
import type { Shown } from './scratch.ts';
import { STEPS } from './steps.ts';

const READY: Shown = { ansi: 'model> \n', facts: { pane_current_command: 'odd', cursor_y: '0' } };
const WORKING: Shown = { ansi: 'thinking\n', facts: { pane_current_command: 'odd', cursor_y: '0' } };
const DEAD: Shown = { ansi: '', facts: { pane_dead: '1', pane_dead_status: '0' } };

function generic(): Profile {
  const profile = BUILT_IN_PROFILES.get('generic');
  if (profile === undefined) throw new Error('There is no generic profile');
  return profile;
}

/** Plays a walk: the person's answers in their order, and a screen for each look. */
async function walked(
  answers: readonly string[],
  screens: readonly Shown[],
  profiles: readonly (Profile | string)[] = [generic()],
): Promise<{ readonly outcomes: Awaited<ReturnType<typeof walkWithPerson>>; readonly said: string; kept: string[] }> {
  const [said, kept]: [string[], string[]] = [[], []];
  const [spoken, shots, read] = [answers.values(), screens.values(), profiles.values()];
  let profile: Profile | string = generic();
  const outcomes = await walkWithPerson({
    ask: async () => spoken.next().value ?? 's',
    say: (text) => void said.push(text),
    shown: async () => shots.next().value ?? READY,
    profile: async () => (profile = read.next().value ?? profile),
    keep: async (_, label) => {
      kept.push(label);
      return `/kept/${label}`;
    },
  });
  return { outcomes, said: said.join('\n'), kept };
}

test('given a person who leaves every step out, when the walk ends, then nothing is kept and each step says so', async () => {
  const when = await walked([], []);

  expect(when.outcomes).toEqual(STEPS.map(({ name }) => ({ kind: 'left-out', name })));
  expect(when.kept).toEqual([]);
});

test('given a screen that Drover reads right, when the person shows it, then it is kept under its label and the walk goes on', async () => {
  const when = await walked(['s', ''], [READY]);

  expect(when.outcomes[1]).toEqual({
    kind: 'read',
    name: 'ready',
    expected: 'ready',
    got: 'ready',
    right: true,
    rule: 'generic/ready',
    file: '/kept/ready',
  });
  expect(when.kept).toEqual(['ready']);
  expect(when.said).toContain('Drover reads "ready", by the rule generic/ready: right.');
});

test('given a screen that Drover reads wrong, when the person mends the profile, then the same screen is read again', async () => {
  const mended = { ...generic(), screen: { ...generic().screen, ownTitle: /^(?!)/u } };
  const broken = 'odd.toml is not a valid profile: screen.busy: expected array';

  const when = await walked(['s', '', '', '', 's'], [WORKING], [mended, broken, generic()]);

  expect(when.outcomes[1]).toMatchObject({ name: 'ready', got: 'processing', right: false });
  expect(when.said).toContain('Drover reads "starting", not "ready", by the rule generic/no-screen-yet');
  expect(when.said).toContain(broken);
  // The reading of the mended profile is another one of the same look.
  expect(when.said).toContain('Drover reads "processing", not "ready"');
  expect(when.kept).toEqual(['ready']);
});

test('given a person who came too early, when the program is looked at again, then the later screen is the one that is kept', async () => {
  const when = await walked(['s', '', 'a'], [WORKING, READY]);

  expect(when.outcomes[1]).toMatchObject({ name: 'ready', right: true });
  expect(when.kept).toEqual(['ready', 'ready']);
});

test('given a program that ended, when the last step looks, then it is read as dead', async () => {
  const when = await walked(['s', 's', 's', 's', 's', 's', ''], [DEAD]);

  expect(when.outcomes.at(-1)).toMatchObject({ name: 'exit', got: 'dead', right: true });
});
