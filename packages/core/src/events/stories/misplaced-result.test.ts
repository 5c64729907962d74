/** A machine that answers a command with the result of another. */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../machine/commands.ts';
import { belongsTo, RESULTS } from '../../machine/commands.ts';
import { inReview, treeOf, working } from '../../testing/story.ts';
import { isAccepting } from '../../merge/step.ts';

const VALID = { kind: 'valid', head: 'bbbb', tree: treeOf('bbbb'), checks: '' } as const;

describe('a merge', () => {
  test.each<[string, CommandResult]>([
    ['that its checks passed', VALID],
    ['that it was published', { kind: 'published', commit: 'eeee' }],
    ['that the worktree is fresh', { kind: 'recycled', base: 'eeee' }],
    ['that the default branch contains it', { kind: 'proven', commit: 'eeee' }],
  ])('given a candidate on its way, when the machine answers %s, then it is made again', (_what, result) => {
    const story = inReview().accepted();
    expect(story.last).toMatchObject({ kind: 'candidate' });

    story.answer(result);

    expect(story.rules[0]).toBe(`misplaced:candidate:${result.kind}`);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review' },
      merge: { step: { kind: 'building' } },
    });
    expect(story.last).toMatchObject({ kind: 'candidate' });
    expect(story.records.filter(({ kind }) => kind === 'default-branch-moved')).toEqual([]);
  });

  test('given a machine that answers every command of a merge with the result of another, then the merge ends with words, not in a loop', () => {
    const story = inReview().accepted();

    for (let times = 0; times < 10 && isAccepting(story.worker.merge.step); times += 1) story.answer(VALID);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
    expect(story.worker.lifecycle.note).toBe('not merged: its machine answered "valid" to the command "candidate"');
  });
});

test('given a delivery in flight, when the machine answers that a session was opened, then the text is looked for before it is typed again', () => {
  const story = working().hear({ kind: 'message-requested', id: 'm', text: 'and this' });
  expect(story.last).toMatchObject({ kind: 'deliver' });
  const { pane } = story.worker.session;

  story.answer({ kind: 'opened', incarnation: 'of another' });

  expect(story.rules).toContain('misplaced:deliver:opened');
  expect(story.worker.session.pane).toEqual(pane);
  expect(story.last).toMatchObject({ kind: 'observe' });
});

test('given the table of results, when a command is answered with its own, then it belongs, as do a failure and an unknown end', () => {
  const rebase = { kind: 'rebase', at: null, began: null } as const;
  const ended = { base: 'a', from: 'b', head: 'b', moved: true } as const;
  const failed = { kind: 'failed', code: 'c', message: 'm', retry: true } as const;

  expect(RESULTS.rebase).toEqual(['rebased', 'conflict', 'changed']);
  expect(belongsTo(rebase, { kind: 'rebased', ...ended })).toBe(true);
  expect(belongsTo(rebase, failed)).toBe(true);
  expect(belongsTo(rebase, { kind: 'unknown', why: '' })).toBe(true);
  expect(belongsTo(rebase, VALID)).toBe(false);
});
