/** Merges exactly the reviewed commit, and reports any other (docs/adr/0016-merges-are-candidates.md). */
import { describe, expect, test } from 'vitest';
import { candidateOf, CONFLICT, inReview, treeOf, READY } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const CAME_AFTER = { kind: 'changed', head: 'ffff', why: '1 commit came after what was reviewed: ffff Sneak' } as const;

/** The candidate of the work on a default branch that has moved. */
const MADE = 'bbbb on dddd';

/** A merge at one of its commands. */
const MERGES: Readonly<Record<string, () => Story>> = {
  candidate: () => inReview().accepted(),
  validate: () => inReview().accepted().candidate({ base: 'dddd' }),
  publish: () => inReview().accepted().candidate({ base: 'dddd' }).valid(),
};

test('given an accept, when it goes its way, then each command names what the one before has left', () => {
  const story = inReview();
  const before = story.commands.length;

  story.accepted().candidate({ base: 'dddd' }).valid().published().answer({ kind: 'closed' });

  expect(story.commands.slice(before)).toEqual([
    { kind: 'candidate', at: { head: 'bbbb', tree: null }, began: 'aaaa' },
    { kind: 'validate', at: { head: MADE, tree: treeOf(MADE) } },
    { kind: 'publish', base: 'dddd', commit: MADE, work: { head: 'bbbb', task: 't1' } },
    { kind: 'prove', commit: MADE },
    { kind: 'close' },
    { kind: 'recycle', commit: MADE, head: 'bbbb' },
  ]);
});

describe('a commit that came after', () => {
  test.each(['candidate', 'validate'])(
    'given a merge, when its machine finds another commit at its step "%s", then nothing is merged and the work waits for another review',
    (step) => {
      const story = merging(step).answer(CAME_AFTER);

      expect(story.worker).toMatchObject({
        lifecycle: { status: 'needs_review', note: `not merged: ${CAME_AFTER.why}` },
        merge: { step: { kind: 'reviewing', head: 'ffff' } },
        worktree: { git: { head: 'ffff' } },
      });
      expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
      expect(story.last).toMatchObject({ kind: 'candidate', at: { head: 'ffff' } });
    },
  );

  test('given nothing was merged, when what is there has been checked, then the note still says why', () => {
    const story = merging('candidate').answer(CAME_AFTER).candidate().valid();

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: `not merged: ${CAME_AFTER.why}` },
      merge: { step: { kind: 'none' }, checks: { tree: treeOf('ffff on aaaa') } },
    });
  });

  test('given work that is merged, when a commit came after it, then it is told as merged and the rest waits for review', () => {
    const story = merging('publish').published().answer({ kind: 'closed' });

    story.answer({ kind: 'changed', head: 'ffff', why: '1 commit came after it and is not merged: ffff Sneak' });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review' },
      merge: { step: { kind: 'reviewing' } },
    });
    expect(story.worker.lifecycle.note).toBe(
      'merged as bbbb on dddd, but 1 commit came after it and is not merged: ffff Sneak',
    );
    expect(story.last).toMatchObject({ kind: 'candidate', at: { head: 'ffff' } });

    story.candidate({ base: MADE }).valid();

    expect(story.worker.lifecycle.note).toMatch(/^merged as bbbb on dddd, but 1 commit came after it/u);
  });
});

describe('a machine that acted on something else', () => {
  test.each([
    ['candidate', candidateOf('ffff', 'dddd')],
    ['candidate', { kind: 'contained', head: 'ffff', base: 'dddd' }],
    ['candidate', { kind: 'clash', head: 'ffff', base: 'dddd', files: ['a'] }],
    ['validate', { kind: 'valid', head: 'ffff', tree: treeOf('ffff'), checks: 'make' }],
    ['validate', { kind: 'valid', head: MADE, tree: 'another', checks: 'make' }],
    ['validate', { kind: 'valid', head: '', tree: '', checks: '' }],
    ['publish', { kind: 'published', commit: 'ffff' }],
  ] as const)('given a merge at "%s", when it answers %o, then the merge ends', (step, result) => {
    const story = merging(step).answer(result);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
    expect(story.worker.lifecycle.note).toMatch(/^not merged: its machine did not confirm that/u);
  });
});

test('given a merge, when the files are not those that the person has seen, then nothing is merged', () => {
  const story = inReview().hear({ kind: 'accept-requested', pin: { head: 'bbbb', tree: 'what they have seen' } });

  story.candidate();

  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
  expect(story.rules).toContain('accept:unnamed');
});

describe('conflicts of an accept', () => {
  test('given an accept, when its work conflicts, then it is rebased in its worktree and its agent is asked to resolve it', () => {
    const story = inReview().accepted().clash('dddd');
    expect(story.last).toEqual({ kind: 'rebase', at: { head: 'bbbb', tree: null }, began: 'aaaa' });

    story.answer(CONFLICT).opened().see(READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'rebasing' }, merge: { step: { kind: 'none' } } });
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('resolve') });
  });
});

describe('a merge that an update has ended while a command of it was under way', () => {
  test.each(
    ['candidate', 'validate', 'publish'].flatMap((step) => [
      [step, { kind: 'failed', code: 'unreadable', message: 'it names no commit', retry: false }] as const,
      [step, { kind: 'failed', code: 'stale-epoch', message: 'of epoch 1', retry: true }] as const,
      [step, { kind: 'unknown', why: 'its machine was started again' }] as const,
    ]),
  )('given "%s", when it ends with %o, then the work still waits for review', (step, result) => {
    const story = merging(step);
    // The third failed command, or the third with an unknown end.
    story.change({
      merge: { step: { kind: 'none' } },
      command: { failures: 2 },
      lifecycle: { note: 'review it again' },
    });

    story.answer(result);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: 'review it again' },
      incident: { open: null },
    });
    expect(story.records).toEqual([]);
    expect(story.accepted().last?.kind).toBe('candidate');
  });

  test('given a command of it, when the work is accepted again before that command ends, then the new accept goes its way', () => {
    const story = merging('validate');
    story.change({ merge: { step: { kind: 'none' } } });
    const { seq } = story.worker.command;

    const result = { kind: 'failed', code: 'unreadable', message: 'it names no commit', retry: false } as const;
    story.accepted().hear({ kind: 'command-finished', seq, result });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review' },
      merge: { step: { kind: 'building' } },
    });
    expect(story.last?.kind).toBe('candidate');
  });
});

describe('asking for a merge', () => {
  test('given an accept of a build that did not say what was reviewed, when it is heard, then it is refused', () => {
    const story = inReview().hear({ kind: 'accept-requested', pin: null });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-reviewed' });
  });

  test('given work that is being merged, when the same commit of it is accepted again, then that is asking once', () => {
    const story = inReview().accepted().candidate();

    story.hear({ kind: 'accept-requested', pin: { head: 'bbbb', tree: null } });

    expect(story.reply.kind).toBe('accepted');
    expect(story.rules).toEqual(['accept-again']);
  });

  test('given work that is being merged, when another commit of it is accepted, then that is refused', () => {
    const story = inReview().accepted();

    story.hear({ kind: 'accept-requested', pin: { head: 'ffff', tree: null } });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'accepting' });
  });
});

function merging(step: string): Story {
  const begin = MERGES[step];
  if (begin === undefined) throw new Error(`No merge is told up to "${step}"`);
  return begin();
}
