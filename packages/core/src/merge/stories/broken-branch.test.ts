/** Finds out whether a failed check is the fault of the work, or of the default branch by itself (docs/git.md, G12). */
import { describe, expect, test } from 'vitest';
import { BUSY, CHECKS, committed, inReview, READY } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import { isAccepting } from '../step.ts';

const MOVED = { kind: 'default-branch-moved' } as const;
const INVALID = { kind: 'invalid', command: 'make', output: 'no' } as const;
const CHANGED = { kind: 'changed', head: 'cccc', why: '1 commit came after it' } as const;

/** Pin of a check of the default branch alone. */
const BASE = { head: 'dddd', tree: null } as const;
const BASE_PASSES = { kind: 'valid', head: 'dddd', tree: 'of dddd', checks: CHECKS } as const;

/** Fails a check on work that waits, after the default branch has moved. */
function failing(): Story {
  return inReview().hear(MOVED).candidate({ base: 'dddd' }).answer(INVALID);
}

/** Fails a check on new work whose task began before the default branch moved. */
function failingAfresh(): Story {
  return committed().candidate({ base: 'dddd' }).answer(INVALID);
}

function endsTurn(story: Story, head: string): Story {
  story.delivered().see(BUSY).see(READY).pass('settle');
  return story.checked(READY, { head, ahead: 2, subject: 'repair' }).candidate({ base: 'dddd' });
}

function runsOf(story: Story): number {
  return story.commands.filter(({ kind }) => kind === 'validate').length;
}

describe('a check fails after the default branch has moved', () => {
  test.each([
    ['waits for review', failing],
    ['its agent has just committed', failingAfresh],
  ])(
    'G12: given work that %s, when the default branch fails by itself, then no agent hears of it, and it waits until the branch moves again',
    (_what, begin) => {
      const story = begin();
      expect(story.last).toEqual({ kind: 'validate', at: BASE });
      story.answer(INVALID);

      expect(story.worker).toMatchObject({
        lifecycle: {
          status: 'needs_review',
          note: expect.stringMatching(/default branch at dddd fails .* by itself/u),
        },
        merge: { step: { kind: 'none' }, checks: { outcome: { kind: 'failed' } } },
        incident: { open: null },
      });
      expect(story.last?.kind).not.toBe('deliver');
      story.hear(MOVED).candidate({ base: 'eeee' }).valid();
      expect(story.worker).toMatchObject({
        lifecycle: { status: 'needs_review', note: 'committed "work"' },
        merge: { checks: { outcome: { kind: 'passed' } } },
      });
    },
  );

  test('given new work on a broken default branch, when it waits for review, then people are told, and its task waits too', () => {
    const { records } = failingAfresh().answer(INVALID);

    expect(records).toContainEqual({ kind: 'task', id: 't1', status: 'review' });
    expect(records).toContainEqual({ kind: 'notice', text: expect.stringContaining('by itself') });
  });

  test.each([
    ['waits for review', failing],
    ['its agent has just committed', failingAfresh],
  ])(
    'given work that %s, when the default branch passes by itself, then the agent gets what failed',
    (_what, begin) => {
      const story = begin().answer(BASE_PASSES);

      expect(story.worker.lifecycle.status).toBe('working');
      expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make') });
    },
  );

  test('given a default branch that is known to pass, when a repair fails on it too, then the agent hears of it without another run', () => {
    const story = failingAfresh().answer(BASE_PASSES);

    endsTurn(story, 'cccc').answer(INVALID);

    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make') });
  });

  test('given a default branch that passed other checks than those of now, when a repair fails on it, then it is checked again', () => {
    const story = failingAfresh().answer({ ...BASE_PASSES, checks: 'make old' });

    endsTurn(story, 'cccc').answer(INVALID);

    expect(story.last).toEqual({ kind: 'validate', at: BASE });
  });

  test('given a broken default branch that has not moved, when it is looked at each minute, then nothing runs until a person asks', () => {
    const story = failing().answer(INVALID);
    const { note } = story.worker.lifecycle;
    const runs = runsOf(story);

    story.hear(MOVED).candidate({ base: 'dddd' });
    const later = story.worker.lifecycle.note;
    const looked = runsOf(story);
    story.hear({ kind: 'rebase-requested' }).rebased({ base: 'dddd' }).candidate({ base: 'dddd' });

    expect(later).toBe(note);
    expect(looked).toBe(runs);
    expect(story.last).toMatchObject({ kind: 'validate', at: { head: 'bbbb on dddd' } });
  });

  test('given work that waits for a broken default branch, when another commit of it fails there, then the branch is not checked again', () => {
    const story = failing().answer(INVALID).hear(MOVED).answer(CHANGED).pass('hold').candidate({ base: 'dddd' });
    expect(story.last).toMatchObject({ kind: 'validate', at: { head: 'cccc on dddd' } });

    story.answer(INVALID);

    expect(story.rules).toContain('review:base-red');
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, command: { inFlight: null } });
  });

  test('given a person who accepts while the default branch is checked alone, then what was found of it counts for nothing else', () => {
    const story = failing().accepted();
    const { checks } = story.worker.merge;

    story.answer(INVALID);

    expect(story.worker.merge.checks).toEqual(checks);
    expect(isAccepting(story.worker.merge.step)).toBe(true);
  });

  test('given a message while the default branch is checked alone, then its agent gets it, and the end of that turn is judged', () => {
    const story = failingAfresh().hear({ kind: 'message-requested', id: 'm', text: 'and this' }).answer(INVALID);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, merge: { step: { kind: 'none' } } });
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'and this' });
  });
});
