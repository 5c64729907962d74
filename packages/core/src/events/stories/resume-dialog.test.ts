/** A program that asks, after hours, whether its conversation goes on. */
import { expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { BUSY, working } from '../../testing/story.ts';

const RESUME: AgentState = {
  kind: 'dialog',
  dialog: {
    kind: 'resume',
    title: 'Resume this conversation?',
    body: 'This conversation has been inactive for 5h 12m and is 180k tokens long.',
    options: [
      { label: 'Resume', highlighted: true },
      { label: 'Start a new conversation', highlighted: false },
    ],
  },
};

test('given a program that asks after hours whether its conversation goes on, when its profile has an answer, then nobody is asked', () => {
  const story = working().see(RESUME);

  expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'policy', dialog: 'resume' } });
  story.answer({ kind: 'answered', label: 'Resume' }).see(BUSY);
  expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, incident: { open: null } });
});

test('given a conversation that would use all that is left, when the profile has no answer, then a person is asked with its options', () => {
  const story = working().see(RESUME);

  story.answer({
    kind: 'failed',
    code: 'no-answer',
    message: 'no answer to "Resume this conversation?"',
    retry: false,
  });

  expect(story.worker.lifecycle.status).toBe('needs_input');
  expect(story.worker.incident.open).toMatchObject({ escalated: true });
});
