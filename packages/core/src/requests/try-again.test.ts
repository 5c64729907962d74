/** Tries a failed step again at a person's request: the worker returns to its former state. */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../machine/commands.ts';
import { beingRebased, BUSY, CONFLICT, idle, inReview, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import type { WorkerEvent } from '../worker/event.ts';

const NO_PROGRAM: CommandResult = { kind: 'failed', code: 'program-missing', message: 'no such program', retry: false };

describe('work that waits for review', () => {
  test('given a session that cannot be opened again, when a person says to try again, then it waits for review as before', () => {
    const story = inReview().hear({ kind: 'panes-listed', pane: null }).answer(NO_PROGRAM);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      incident: { open: { before: 'needs_review' } },
    });

    story.hear(retry(story));

    expect(story.worker.lifecycle.status).toBe('needs_review');
    expect(story.last).toMatchObject({ kind: 'open' });
  });
});

describe('a person tries again what failed', () => {
  test('given rejected work whose session cannot be opened, when a person says to try again, then it is rejected work again', () => {
    const story = inReview().hear({ kind: 'reject-requested', id: 'r1', text: 'not yet' }).delivered().see(BUSY);
    story.hear({ kind: 'panes-listed', pane: null }).answer(NO_PROGRAM);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, incident: { open: { before: 'rejected' } } });

    expect(story.hear(retry(story)).worker.lifecycle.status).toBe('rejected');
  });

  test.each([
    ['rejected', inReview, { kind: 'reject-requested', id: 'r1', text: 'not yet' }],
    ['working', idle, { kind: 'start-requested', taskId: 't2', prompt: 'next', text: 'next' }],
  ] as const)(
    'given a program that crashed before the worker was %s, when it cannot be started again and a person says to try again, then it is that again',
    (status, begin, request) => {
      const story = begin().exit(1).hear(request);
      story.hear({ kind: 'panes-listed', pane: null });
      while (story.worker.command.inFlight?.command.kind === 'prepare')
        story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
      story.answer(NO_PROGRAM);
      expect(story.worker.lifecycle.status).toBe('error');

      expect(story.hear(retry(story)).worker.lifecycle.status).toBe(status);
    },
  );

  test('given words that wait while a person is asked about a turn without progress, when that person says to try again, then they are told', () => {
    const story = working().pass('nudge').delivered().pass('nudge').delivered().pass('check');
    story.hear({ kind: 'message-requested', id: 'm1', text: 'use the other file' }).pass('nudge');
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      mailbox: { current: { id: 'm1', purpose: 'message' } },
    });

    story.hear(retry(story));

    expect(story.worker.mailbox).toMatchObject({ current: { id: 'm1', purpose: 'message' }, waiting: [] });
  });

  test('given conflicts whose agent cannot be started, when a person says to try again, then they are to be resolved again', () => {
    const story = conflicted();
    story.hear({ kind: 'panes-listed', pane: null }).answer(NO_PROGRAM);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, incident: { open: { before: 'rebasing' } } });

    expect(story.hear(retry(story)).worker.lifecycle.status).toBe('rebasing');
  });
});

function conflicted(): Story {
  const story = beingRebased().answer(CONFLICT);
  return story.delivered().see(BUSY);
}

function retry(story: Story): WorkerEvent {
  const incident = story.worker.incident.open?.id ?? 'none';
  return { kind: 'escalation-answered', incident, option: 'retry', text: null, by: 'ada' };
}
