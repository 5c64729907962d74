/** Checks that fail before work waits for review, and again and again, told as stories (docs/recovery.md, merge). */
import { expect, test } from 'vitest';
import { BUSY, committed, inReview, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const INVALID = { kind: 'invalid', command: 'make', output: 'no' } as const;

/** Makes the candidate, and fails a check on it. */
function failsItsCheck(story: Story): Story {
  return story.candidate({ base: 'aaaa' }).answer(INVALID);
}

/** Fails the check three times; each time the agent has committed a repair that was none. */
function repairedInVain(): Story {
  const story = working();
  story.saveCommit = 'saved';
  story.hear({ kind: 'checkpoint-requested', id: 'c', why: 'by hand' });
  story.see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1, subject: 'work' });
  for (const head of ['cccc', 'dddd', 'eeee'])
    failsItsCheck(story).delivered().see(READY).pass('settle').checked(READY, { head, ahead: 1, subject: 'repair' });
  return story;
}

test('given a check that fails, when the agent gets its output, then no person sees the work before a new commit passes', () => {
  const story = failsItsCheck(committed());
  expect(story.worker.lifecycle.status).toBe('working');
  expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('make') });

  story.delivered().see(BUSY).see(READY).pass('settle').checked(READY, { head: 'cccc', ahead: 2, subject: 'repair' });
  expect(story.worker.lifecycle.status).toBe('working');
  story.candidate({ base: 'main' }).valid();

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'needs_review', note: 'committed "repair"' },
    merge: { checks: { head: 'cccc on main', outcome: { kind: 'passed' } } },
    incident: { open: null },
  });
});

test('given a check that fails on a default branch that has moved, when the agent stops without a new commit, then a person is asked', () => {
  const story = inReview().hear({ kind: 'default-branch-moved' }).candidate({ base: 'main' }).answer(INVALID);
  story.answer({ kind: 'valid', head: 'main', tree: 'of main', checks: 'make' });

  story.delivered().see(BUSY).see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1, subject: 'work' });

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

test('given checks that nothing helped against, when a person says "retry", then they run again before its agent hears of them', () => {
  const story = failsItsCheck(repairedInVain());
  story.checked(READY, { head: 'eeee', ahead: 1 }).answer({ kind: 'closed' });
  story.answer({ kind: 'restored', head: 'aaaa', saved: null }).opened().see(READY).delivered();
  story.see(READY).pass('settle').checked(READY, { head: 'ffff', ahead: 1, subject: 'again' });
  failsItsCheck(story);
  expect(story.worker.lifecycle.status).toBe('error');
  expect(story.worker.merge.step.kind).toBe('none');

  const incident = story.worker.incident.open;
  story.hear({ kind: 'escalation-answered', incident: incident?.id ?? '', option: 'retry', text: null, by: 'ada' });

  expect(story.worker.lifecycle.status).toBe('working');
  expect(story.last).toMatchObject({ kind: 'observe' });
  story.checked(READY, { head: 'ffff', ahead: 1 });
  expect(story.last).toMatchObject({ kind: 'candidate', at: { head: 'ffff' } });
});
