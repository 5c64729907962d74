/** Chooses the machine that runs the checks of a merge, and the machines whose runs count. */
import { describe, expect, test } from 'vitest';
import { CHECKS, inReview } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import { chooseCheckPlace } from './check-place.ts';
import { acceptOf } from '../merge/step.ts';

const [BUILD, SPARE] = ['build', 'spare'].map((name) => ({ name, isConnected: true })) as [Named, Named];
type Named = { readonly name: string; readonly isConnected: boolean };

test.each<[string, readonly Named[], string, RegExp]>([
  ['names none', [], 'laptop', /^the machine of the first work$/u],
  ['names two', [BUILD, SPARE], 'build', /^the first connected machine of validate_on$/u],
  ['names a silent one first', [{ ...BUILD, isConnected: false }, SPARE], 'spare', /not connected: "build"/u],
  [
    'names silent ones alone',
    [{ ...BUILD, isConnected: false }],
    'laptop',
    /no machine of validate_on is connected .* "build"/u,
  ],
  [
    'names that of the work',
    [{ name: 'laptop', isConnected: true }],
    'laptop',
    /^the first connected machine of validate_on/u,
  ],
])(
  'given a project that %s, when a merge is checked, then the machine and why it is that one are known',
  (_, named, machine, why) => {
    const place = chooseCheckPlace('laptop', named);

    expect(place).toMatchObject({ machine, here: 'laptop' });
    expect(place.why).toMatch(why);
  },
);

describe('a project that has its merges checked on another machine', () => {
  const AWAY = chooseCheckPlace('laptop', [BUILD]);
  const VALID = { kind: 'valid', head: 'bbbb on dddd', tree: 'new', checks: CHECKS } as const;

  /** Accepts work whose checks passed before the review, on the machine of the work. */
  function accepted(): Story {
    const story = inReview().hear({ kind: 'default-branch-moved' });
    story.candidate({ base: 'dddd', tree: 'new', checks: CHECKS }).answer(VALID);
    story.checkPlace = AWAY;
    return story.accepted().candidate({ base: 'dddd', tree: 'new', checks: CHECKS });
  }

  test('given checks that passed where the work is, when it is merged, then they run again on that machine, and people are told which', () => {
    const story = accepted();

    expect(story.last).toMatchObject({ kind: 'validate', on: 'build' });
    expect(story.worker.lifecycle.note).toBe('its checks run on "build": the first connected machine of validate_on');
    expect(story.answer({ ...VALID, on: 'build' }).last).toMatchObject({ kind: 'publish' });
  });

  test('given a machine that runs them itself, when it answers, then that does not count for the other', () => {
    const story = accepted().answer({ ...VALID, tree: 'new' });

    expect(story.worker.merge.step).toMatchObject({
      on: { machine: 'laptop', why: expect.stringMatching(/ran them itself/u) },
    });
    expect(acceptOf(story.worker.merge.step)?.runs).toMatchObject([{ checks: `${CHECKS} on laptop` }]);
  });

  test('given it falls silent, when that is heard, then the next machine of the project runs them after a pause, and no budget is spent', () => {
    const story = accepted();
    story.checkPlace = chooseCheckPlace('laptop', [{ ...BUILD, isConnected: false }, SPARE]);

    story.answer({ kind: 'failed', code: 'checks-away', message: '"build" is not connected', retry: true });
    expect(story.worker).toMatchObject({ command: { inFlight: null, failures: 0 }, merge: { step: { on: null } } });
    story.pass('hold');

    expect(story.last).toMatchObject({ kind: 'validate', on: 'spare' });
  });

  test('given work that must be checked where it is, when that is heard, then it is, and people are told why', () => {
    const story = accepted();
    const message = 'Its checks do not run on "build": "adam" is isolated';

    story.answer({ kind: 'failed', code: 'checks-stay', message, retry: true }).pass('hold');

    expect(story.last).toEqual({ kind: 'validate', at: { head: 'bbbb on dddd', tree: 'new' } });
    expect(story.worker.merge.step).toMatchObject({ on: { machine: 'laptop', why: message } });
  });
});
