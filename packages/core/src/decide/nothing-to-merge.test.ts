/** Work that changes nothing is accepted all the same: the seat is free, and the note says so. */
import { expect, test } from 'vitest';
import { inReview } from '../testing/story.ts';

test('given commits that change nothing, when they are accepted, then the worker is idle and the note says that nothing was merged', () => {
  const story = inReview().accepted();

  story.rebased({ base: 'cccc', head: 'dddd' }).valid();
  story.answer({ kind: 'nothing-to-merge' }).answer({ kind: 'closed' });
  const recycling = story.worker.inFlight?.op;
  story.answer({ kind: 'recycled', base: 'cccc' });

  expect(recycling).toEqual({ kind: 'recycle', commit: 'cccc' });
  expect(story.worker).toMatchObject({ status: 'idle', note: 'there was nothing to merge', accept: null });
});
