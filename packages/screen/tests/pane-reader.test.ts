/** Checks that a screen is judged the same whatever was read of its pane before. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUILT_IN_PROFILES, detect, PaneReader } from '../src/index.ts';
import { CAPTURES, inputOf, profileOf } from './captures.ts';

/** A few recorded screens of each program. */
const SCREENS = CAPTURES.filter((_, index) => index % 41 === 0);

/** A screen with one of its lines gone, doubled, or in another colour or with other words: styles carry over line ends. */
interface Step {
  readonly screen: number;
  readonly line: number;
  /** The profile of a pane can be changed while it runs. */
  readonly profile: 'own' | 'codex';
  readonly change: 'none' | 'gone' | 'doubled' | 'coloured' | 'words';
}

const STEP: fc.Arbitrary<Step> = fc.record({
  screen: fc.integer({ min: 0, max: SCREENS.length - 1 }),
  line: fc.nat(30),
  profile: fc.constantFrom('own', 'codex'),
  change: fc.constantFrom('none', 'gone', 'doubled', 'coloured', 'words'),
});

function changed(ansi: string, { line, change }: Pick<Step, 'line' | 'change'>): string {
  const lines = ansi.split('\n');
  const own = lines[line] ?? '';
  const becomes = {
    none: [own],
    gone: [],
    doubled: [own, own],
    coloured: [`\u001b[1;31m${own}`],
    words: [`${own} 12s`],
  };
  return lines.toSpliced(line, 1, ...becomes[change]).join('\n');
}

test('given any screens one after another, when one reader reads them all, then each is judged as if it were the first', () => {
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 2, maxLength: 6 }), fc.boolean(), (steps, stays) => {
      const reader = new PaneReader();
      for (const step of steps) {
        const capture = SCREENS[stays ? (steps[0]?.screen ?? 0) : step.screen];
        if (capture === undefined) throw new Error('there is no such screen');
        const input = { ...inputOf(capture), capture: changed(capture.ansi, step) };
        const profile = (step.profile === 'codex' && BUILT_IN_PROFILES.get('codex')) || profileOf(capture);
        expect(detect(profile, { ...input, reader })).toEqual(detect(profile, input));
      }
    }),
    { numRuns: 300 },
  );
});

test('given a screen of which one line changes, when it is read again, then the other rows are those of before', () => {
  const capture = SCREENS[0];
  if (capture === undefined) throw new Error('there is no screen');
  const reader = new PaneReader();
  const before = reader.rows.rows(capture.ansi);

  const after = reader.rows.rows(changed(capture.ansi, { line: 3, change: 'words' }));

  expect(after.flatMap((row, index) => (row === before[index] ? [] : [index]))).toEqual([3]);
});
