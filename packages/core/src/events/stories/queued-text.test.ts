/** Texts that a busy program has in its own queue. */
import { describe, expect, test } from 'vitest';
import { BUSY, READY, RECEIPT, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

test('given words in the queue of a program, when a check finds its prompt between two turns, then "ready" must settle before anything is judged', () => {
  const story = working().see(BUSY);
  story.hear({ kind: 'message-requested', id: 'm', text: 'go on' });
  story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT });
  story.pass('check');

  story.checked(READY, { head: 'bbbb', ahead: 1, subject: 'first' });
  expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, mailbox: { queued: [{ text: 'go on' }] } });

  story.pass('settle').checked(READY, { head: 'bbbb', ahead: 1, subject: 'first' }).candidate().valid();
  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, mailbox: { queued: [] } });
});

describe('words in the queue of a busy program', () => {
  test.each([
    ['absent', 2],
    ['taken', 1],
  ] as const)(
    'given a queued message, when the program dies and the message is %s, then it is typed %i time(s) in all',
    (kind, times) => {
      const story = working().hear({ kind: 'message-requested', id: 'm', text: 'and this' });
      story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT }).exit(1);

      const delivery = kind === 'taken' ? ({ kind, by: 'transcript' } as const) : { kind };
      expect(story.last).toMatchObject({ kind: 'observe' });
      story.answer({ kind: 'observed', incarnation: null, screen: null, git: null, delivery });
      story.pass('restart').opened().see(READY).delivered().see(READY);
      if (story.worker.command.inFlight?.command.kind === 'deliver') story.delivered();

      const typed = story.commands.filter((command) => command.kind === 'deliver' && command.text === 'and this');
      expect(typed).toHaveLength(times);
    },
  );

  test('given a queued message, when a person ends the program, then the notice says which words it may not have read', () => {
    const story = queued('and this');

    story.exit(0);

    expect(story.rules).toContain('words-dropped');
    expect(story.records).toContainEqual({ kind: 'notice', text: expect.stringContaining('"and this"') });
    expect(story.worker).toMatchObject({ mailbox: { current: null, waiting: [], queued: [] } });
  });

  test('given no words on their way, when a person ends the program, then no notice names any', () => {
    expect(working().exit(0).rules).not.toContain('words-dropped');
  });

  test('given a queued message, when its prompt stays for as long as a turn needs to show, then its turn is over', () => {
    const story = queued('and this').see(BUSY);
    const since = story.see(READY).now;

    story.pass('settle').checked(READY);

    expect(story.now - since).toBeGreaterThanOrEqual(story.policy.turnShowsMs);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input' }, mailbox: { queued: [] } });
  });
});

test('given a message that a busy program has in its queue, when only the screen told so, then it is remembered until its turn', () => {
  const story = working().hear({ kind: 'message-requested', id: 'm', text: 'also this' });
  story.answer({ kind: 'unknown', why: 'the agent died' });
  story.checked(BUSY, {}, { kind: 'taken', by: 'screen' });

  story.exit(1);

  expect(story.worker.mailbox.current).toMatchObject({ text: 'also this' });
});

/** Shows a program at work, with a person's words in its own queue. */
function queued(text: string): Story {
  const story = working().hear({ kind: 'message-requested', id: 'm', text });
  return story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT });
}
