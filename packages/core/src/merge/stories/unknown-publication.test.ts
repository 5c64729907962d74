/** Decides what follows when nobody knows whether the work came to the default branch. */
import { describe, expect, test } from 'vitest';
import { inReview } from '../../testing/story.ts';
import { acceptPin } from '../state.ts';
import type { Linked } from '../step.ts';

const FAILED = { kind: 'failed', code: 'bad-repo', message: 'no answer', retry: false } as const;

describe('a publication whose end is not known', () => {
  test('given that nothing is left to merge, when the work is accepted again, then git is asked whether it came there', () => {
    const story = inReview().accepted().candidate();

    story.answer(FAILED);
    expect(story.worker.lifecycle.note).toMatch(/^perhaps merged: .*no answer; "drover accept" finds out/u);
    story.accepted().contained();

    expect(story.rules).toContain('accept:perhaps-published');
    expect(story.last).toMatchObject({ kind: 'prove', commit: 'bbbb on aaaa' });
    story.answer({ kind: 'proven', commit: 'bbbb on aaaa' }).answer({ kind: 'closed' });
    story.answer({ kind: 'recycled', base: 'dddd' });
    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, task: { kind: 'none' } });
  });

  test('given that it was published, when nobody can prove it, then its note does not say that it was not merged, and it is asked again', () => {
    const story = inReview().accepted().candidate().answer({ kind: 'published', commit: 'bbbb on aaaa' });

    story.answer(FAILED);
    expect(story.worker.lifecycle.note).toMatch(/^perhaps merged/u);
    story.accepted().contained();

    expect(story.last).toMatchObject({ kind: 'prove', commit: 'bbbb on aaaa' });
  });

  test('given a worktree that is gone meanwhile, when the accept ends with that, then its note does not say that it was not merged', () => {
    const story = inReview().accepted().candidate();

    story.answer({ ...FAILED, code: 'worktree-missing' });

    expect(story.worker.lifecycle.note).toMatch(/^perhaps merged: its worktree is gone/u);
    expect(story.worker.merge.perhaps).toEqual({ head: 'bbbb', commit: 'bbbb on aaaa' });
  });

  test('given that it did not come there, when the work is accepted again, then it is published', () => {
    const story = inReview().accepted().candidate();

    story.answer(FAILED).accepted().candidate();

    expect(story.last).toMatchObject({ kind: 'publish' });
  });

  test('given another accept that ends before it looked, when the work is accepted once more, then it is looked for then', () => {
    const story = inReview().accepted().candidate();

    story.answer(FAILED).accepted().answer(FAILED).accepted().contained();

    expect(story.last).toMatchObject({ kind: 'prove', commit: 'bbbb on aaaa' });
  });

  test('given that its agent has committed more since, when that is accepted, then only that is looked at', () => {
    const story = inReview().accepted().candidate();
    story.answer(FAILED);
    const { merge } = story.worker;

    const other = acceptPin(merge, { head: 'other', tree: null }, { since: 1, nothing: false, notBefore: null });

    expect(other.step).toMatchObject({ kind: 'waiting', accept: { maybe: null } });
    expect(other.perhaps).toBeUndefined();
  });
});

test('given a train whose publication ends without a word, then those that are perhaps published keep their commit, and the others none', () => {
  const story = inReview().accepted().candidate();
  const { step } = story.worker.merge;
  if (step.kind !== 'publishing') throw new Error(`its step is "${step.kind}"`);
  const train = { conductor: { id: '1', name: 'adam' }, members: [memberOf('bea'), memberOf('cal')] };
  story.change({ merge: { step: { ...step, train, prefix: 2 } } });

  story.answer(FAILED);

  const told = story.records.flatMap((entry) => (entry.kind === 'train' ? entry.told : []));
  expect(told).toMatchObject([
    { worker: 'bea', event: { kind: 'train-left', maybe: 'commit of bea' } },
    { worker: 'cal', event: { kind: 'train-left', maybe: null } },
  ]);
});

function memberOf(name: string): Linked {
  const pin = { head: name, tree: null };
  const link = { worker: name, head: name, base: 'b', commit: `commit of ${name}`, tree: `tree of ${name}` };
  return { id: name, name, pin, link };
}
