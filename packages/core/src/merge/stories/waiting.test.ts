/** Decides what goes on behind an accept that waits for its turn. */
import { describe, expect, test } from 'vitest';
import { inReview, READY } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

describe('given an accept that waits while another worker merges', () => {
  test('when its session is gone, then it is opened again, and the accept still waits', () => {
    const story = waiting().hear({ kind: 'panes-listed', pane: null });
    expect(story.last).toMatchObject({ kind: 'open' });
    expect(story.worker.merge.step).toMatchObject({ kind: 'waiting' });
  });

  test('when its program is opened again and asks whether it may trust the folder, then it is answered, and the accept still waits', () => {
    const options = [{ label: 'Yes, proceed', highlighted: true }];
    const dialog = { kind: 'trust', title: 'Do you trust this folder?', body: '', options } as const;
    const story = waiting().hear({ kind: 'panes-listed', pane: null }).opened().see({ kind: 'dialog', dialog });
    expect(story.last).toMatchObject({ kind: 'answer' });
    expect(story.worker.merge.step).toMatchObject({ kind: 'waiting' });
  });

  test('when a person writes to it, then the text waits too, so that nothing comes after what was reviewed', () => {
    const story = waiting();
    const before = story.commands.length;
    story.hear({ kind: 'message-requested', id: 'm1', text: 'go on' });
    expect(story.commands.slice(before)).toEqual([]);
  });
});

test('given work whose checks run again, when a person accepts it, then its merge begins at once and their end is not awaited', () => {
  const story = inReview().hear({ kind: 'default-branch-moved' }).candidate({ base: 'dddd', tree: 'new' });
  expect(story.last).toMatchObject({ kind: 'validate' });
  const { seq } = story.worker.command;

  story.accepted();

  expect(story.last).toMatchObject({ kind: 'candidate', at: { head: 'bbbb' } });
  const late = { kind: 'invalid', command: 'make', output: 'ended' } as const;
  story.hear({ kind: 'command-finished', seq, result: late });
  expect(story.worker).toMatchObject({
    lifecycle: { status: 'needs_review' },
    merge: { step: { kind: 'building' } },
    command: { inFlight: { command: { kind: 'candidate' } } },
  });
});

test('given work that waits for review, when it is seen and checked again after an hour, then it is in that state since it came there', () => {
  const story = inReview();
  const { since } = story.worker.lifecycle;
  expect(since).toBe(story.now);

  story.now += 3_600_000;
  story.see(READY).hear({ kind: 'default-branch-moved' }).candidate({ base: 'dddd', tree: 'new' }).valid();

  expect(story.worker.lifecycle).toMatchObject({ status: 'needs_review', since });
});

function waiting(): Story {
  const story = inReview();
  story.lease = 'other';
  return story.accepted();
}
