/** Keeps dropped commits out of a merge when somebody rewrites the default branch under work that waits. */
import { expect, test } from 'vitest';
import { BUSY, CONFLICT, inReview, READY } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const DROPPED = 'd'.repeat(40);
const SAYS = `the default branch was rewritten: ${DROPPED.slice(0, 12)} is no longer in it`;

test('given accepted work, when the default branch no longer holds what it stands on, then it is not merged, people are told the commit, and it is rebased from where it began', () => {
  const story = inReview().accepted().rewritten(DROPPED);

  expect(story.worker.merge.step.kind).toBe('none');
  expect(story.worker.lifecycle.note).toMatch(new RegExp(`^not merged: ${SAYS}`, 'u'));
  expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
  expect(story.last).toMatchObject({ kind: 'rebase', began: 'aaaa' });
});

test('given work that waits for review, when the default branch no longer holds what it stands on, then it is rebased, checked again, and the reviewer is told', () => {
  const story = inReview().hear({ kind: 'default-branch-moved' }).rewritten(DROPPED);

  expect(story.worker.lifecycle).toMatchObject({ status: 'needs_review', note: expect.stringContaining(SAYS) });
  expect(story.last).toMatchObject({ kind: 'rebase', began: 'aaaa' });
  story.rebased({ base: 'dddd', head: 'eeee' }).pass('hold');
  expect(story.last).toMatchObject({ kind: 'candidate', at: { head: 'eeee' }, began: 'dddd' });
  story.candidate({ base: 'dddd' }).valid();

  expect(story.worker.lifecycle.status).toBe('needs_review');
  expect(story.worker.merge.notes).toEqual([expect.stringContaining(SAYS)]);
});

test('given an agent that gave up the conflicts of work with a rewritten default branch, when it is looked at again, then it waits and says so', () => {
  const story = conflicted().judged('aborted').rewritten(DROPPED);

  expect(story.worker.command.inFlight).toBeNull();
  expect(story.worker.lifecycle).toMatchObject({
    status: 'needs_review',
    note: expect.stringMatching(new RegExp(`${SAYS}.*gave up`, 'u')),
  });
});

test('given conflicts of work beyond a dropped commit, when git is asked how they were ended, then it is told where the work begins', () => {
  const story = conflicted().see(READY).pass('settle');
  story.checked(READY, { head: 'eeee', ahead: 1 });

  expect(story.last).toMatchObject({ kind: 'resolution', beyond: DROPPED });
});

function conflicted(): Story {
  return inReview()
    .hear({ kind: 'default-branch-moved' })
    .rewritten(DROPPED)
    .answer({ ...CONFLICT, beyond: DROPPED })
    .opened()
    .see(READY)
    .delivered()
    .see(BUSY);
}
