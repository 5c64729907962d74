/** What is merged is what was reviewed, and what is said when it is not (docs/adr/0078-what-was-reviewed.md). */
import { describe, expect, test } from 'vitest';
import { inReview, READY, treeOf } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const CAME_AFTER = { kind: 'changed', head: 'ffff', why: '1 commit came after what was reviewed: ffff Sneak' } as const;

/** A merge at one of its commands. */
const MERGES: Readonly<Record<string, () => Story>> = {
  rebase: () => inReview().accepted(),
  validate: () => inReview().accepted().rebased({ head: 'cccc' }),
  squash: () => inReview().accepted().rebased({ head: 'cccc' }).valid(),
  'fast-forward': () => inReview().accepted().rebased({ head: 'cccc' }).valid().squashed('dddd'),
};

test('given an accept, when it goes its way, then each command names what the one before has left', () => {
  const story = inReview();
  const before = story.commands.length;

  story.accepted().rebased({ head: 'cccc' }).valid().squashed('dddd');

  expect(story.commands.slice(before)).toEqual([
    { kind: 'rebase', at: { head: 'bbbb', tree: null } },
    { kind: 'validate', at: { head: 'cccc', tree: treeOf('cccc') } },
    { kind: 'squash', base: 'aaaa', at: { head: 'cccc', tree: treeOf('cccc') } },
    { kind: 'fast-forward', expected: 'aaaa', commit: 'dddd' },
  ]);
});

describe('a commit that came after', () => {
  test.each(Object.entries(MERGES))(
    'given a merge, when its machine finds another commit at its step "%s", then nothing is merged and the work waits for another review',
    (_step, merging) => {
      const story = merging().answer(CAME_AFTER);

      expect(story.worker).toMatchObject({
        lifecycle: { status: 'needs_review', note: `not merged: ${CAME_AFTER.why}` },
        merge: { accept: null },
        worktree: { git: { head: 'ffff' } },
      });
      expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
      expect(story.last?.kind).toBe('look');
    },
  );

  test('given work that is merged, when a commit came after it, then it is told as merged and the rest waits for review', () => {
    const story = MERGES['fast-forward']?.().answer({ kind: 'merged', commit: 'dddd' }).answer({ kind: 'closed' });

    story?.answer({ kind: 'changed', head: 'ffff', why: '1 commit came after it and is not merged: ffff Sneak' });

    expect(story?.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { accept: null } });
    expect(story?.worker.lifecycle.note).toBe(
      'merged as dddd, but 1 commit came after it and is not merged: ffff Sneak',
    );
  });
});

describe('a machine that acted on something else', () => {
  test.each([
    ['rebase', { kind: 'rebased', base: 'a', from: 'ffff', head: 'cccc', tree: 't', moved: true, unseen: null }],
    ['rebase', { kind: 'rebased', base: 'a', from: '', head: 'cccc', tree: '', moved: true, unseen: null }],
    ['validate', { kind: 'valid', head: 'ffff', tree: treeOf('ffff') }],
    ['validate', { kind: 'valid', head: 'cccc', tree: 'another' }],
    ['validate', { kind: 'valid', head: '', tree: '' }],
    ['squash', { kind: 'squashed', commit: 'dddd', tree: 'another', expected: 'aaaa' }],
    ['fast-forward', { kind: 'merged', commit: 'ffff' }],
  ] as const)('given a merge at "%s", when it answers %o, then the merge ends', (step, result) => {
    const story = MERGES[step]?.().answer(result);

    expect(story?.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { accept: null } });
    expect(story?.worker.lifecycle.note).toMatch(/^not merged: its machine did not say that/u);
  });
});

describe('work that Drover itself moves', () => {
  const UNSEEN = 'the default branch changes "a.ts" too: review it again';

  test('given a rebase under way, when its work is accepted, then the machine is asked to merge what was seen', () => {
    const story = inReview().hear({ kind: 'default-branch-moved' }).accepted().rebased({ head: 'cccc' });

    expect(story.last).toEqual({ kind: 'rebase', at: { head: 'bbbb', tree: null } });
  });

  test('given an accept, when its own rebase makes what was not seen, then it is to be reviewed again', () => {
    const story = inReview().accepted().rebased({ head: 'cccc', unseen: UNSEEN });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: `not merged: ${UNSEEN}` },
      merge: { accept: null },
    });
  });

  test('given conflicts of an accept, when its agent has resolved them, then they are seen by a person before they are merged', () => {
    const story = inReview()
      .accepted()
      .answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' })
      .delivered();

    story.see(READY).pass('settle').checked(READY, { head: 'cccc', ahead: 1, subject: 'work' });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { accept: null } });
  });
});

describe('a merge that an update has ended while a command of it was under way', () => {
  test.each(
    ['validate', 'squash', 'fast-forward'].flatMap((step) => [
      [step, { kind: 'failed', code: 'unreadable', message: 'it names no commit', retry: false }] as const,
      [step, { kind: 'failed', code: 'stale-epoch', message: 'of epoch 1', retry: true }] as const,
      [step, { kind: 'unknown', why: 'its machine was started again' }] as const,
    ]),
  )('given "%s", when it ends with %o, then the work still waits for review', (step, result) => {
    const story = MERGES[step]?.() ?? inReview();
    // The third command that fails or whose end is not known.
    story.change({ merge: { accept: null }, command: { failures: 2 }, lifecycle: { note: 'review it again' } });

    story.answer(result);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: 'review it again' },
      incident: { open: null },
    });
    expect(story.records).toEqual([]);
    expect(story.accepted().last?.kind).toBe('rebase');
  });

  test('given a command of it, when the work is accepted again before that command ends, then the new accept goes its way', () => {
    const story = MERGES['validate']?.() ?? inReview();
    story.change({ merge: { accept: null } });

    story.accepted().answer({ kind: 'failed', code: 'unreadable', message: 'it names no commit', retry: false });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review' },
      merge: { accept: { step: 'rebase' } },
    });
    expect(story.last?.kind).toBe('rebase');
  });
});

describe('asking for a merge', () => {
  test('given an accept of a build that did not say what was reviewed, when it is heard, then it is refused', () => {
    const story = inReview().hear({ kind: 'accept-ordered', pin: null });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'not-reviewed' });
  });

  test('given work that is being merged, when the same commit of it is accepted again, then that is asking once', () => {
    const story = inReview().accepted().rebased({ head: 'cccc' });

    story.hear({ kind: 'accept-ordered', pin: { head: 'bbbb', tree: null } });

    expect(story.reply.kind).toBe('accepted');
    expect(story.rules).toEqual(['accept-again']);
  });

  test('given work that is being merged, when another commit of it is accepted, then that is refused', () => {
    const story = inReview().accepted();

    story.hear({ kind: 'accept-ordered', pin: { head: 'ffff', tree: null } });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'accepting' });
  });
});
