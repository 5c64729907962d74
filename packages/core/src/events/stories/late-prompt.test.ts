/** A prompt that is late, of a worker whose work is merged meanwhile. */
import { expect, test } from 'vitest';
import { CHECKS, inReview } from '../../testing/story.ts';

test('given a worker that comes up again, when it shows no prompt while its work is merged, then it is not offline for good', () => {
  const story = inReview();
  story.lease = 'other';
  story.accepted().hear({ kind: 'down-ordered' }).answer({ kind: 'closed' }).hear({ kind: 'up-ordered' }).opened();
  story.lease = 'free';
  story.pass('accept');
  expect(story.last).toMatchObject({ kind: 'candidate' });
  expect(story.worker).toMatchObject({ lifecycle: { status: 'offline' }, session: { pane: { kind: 'starting' } } });

  story.pass('start-up');

  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, session: { pane: { kind: 'up' } } });
});
