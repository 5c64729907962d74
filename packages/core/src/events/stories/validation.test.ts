/** Checks that fail again and again before a merge, told as stories (docs/recovery.md, merge). */
import { expect, test } from 'vitest';
import { BUSY, inReview, READY } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

/** It is accepted, and a check fails. */
function failsItsCheck(story: Story): Story {
  story.accepted();
  story.rebased({ base: 'main' });
  return story.answer({ kind: 'invalid', command: 'make', output: 'no' });
}

/** Its check failed three times, and each time the agent committed a repair that was none. */
function repairedInVain(): Story {
  const story = inReview();
  story.saveCommit = 'saved';
  story.hear({ kind: 'checkpoint-ordered', id: 'c', why: 'by hand' });
  for (const head of ['cccc', 'dddd', 'eeee'])
    failsItsCheck(story).delivered().see(READY).pass('settle').checked(READY, { head, ahead: 1, subject: 'repair' });
  return story;
}

test('given a check that fails after the rebase moved the work, when the agent stops without a new commit, then the moved work is no new one', () => {
  const story = inReview().accepted();
  story.rebased({ base: 'main', head: 'cccc' });
  story.answer({ kind: 'invalid', command: 'make', output: 'no' });

  story.delivered().see(BUSY).see(READY).pass('settle').checked(READY, { head: 'cccc', ahead: 1, subject: 'work' });

  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input', note: 'stopped without a new commit' } });
});

test('given a check that fails for the fourth time, when the work goes back to its checkpoint, then it cannot be accepted meanwhile, and the task is given again', () => {
  const story = failsItsCheck(repairedInVain());
  expect(story.rules).toContain('alternative:rollback');
  expect(story.worker.lifecycle.status).toBe('working');

  story.accepted();
  const { reply } = story;
  story.checked(READY, { head: 'eeee', ahead: 1 }).answer({ kind: 'closed' });
  story.answer({ kind: 'restored', head: 'aaaa', saved: null }).opened().see(READY);

  expect(reply).toMatchObject({ kind: 'refused', code: 'not-in-review' });
  expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make it so') });
});

test('given checks that nothing helped against, when a person says "retry", then the work waits for review again', () => {
  const story = failsItsCheck(repairedInVain());
  story.checked(READY, { head: 'eeee', ahead: 1 }).answer({ kind: 'closed' });
  story.answer({ kind: 'restored', head: 'aaaa', saved: null }).opened().see(READY).delivered();
  story.see(READY).pass('settle').checked(READY, { head: 'ffff', ahead: 1, subject: 'again' });
  failsItsCheck(story);
  expect(story.worker.lifecycle.status).toBe('error');

  const incident = story.worker.incident.open;
  story.hear({ kind: 'escalation-answered', incident: incident?.id ?? '', option: 'retry', text: null, by: 'ada' });

  expect(story.worker.lifecycle.status).toBe('needs_review');
});
