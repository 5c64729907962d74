/** A dialog of the start comes with each life of the program: it does not use up the answers of the task. */
import { expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { READY, working } from '../testing/story.ts';

const BYPASS: AgentState = {
  kind: 'dialog',
  dialog: {
    kind: 'bypass',
    title: 'Bypass Permissions mode',
    body: '',
    options: [
      { label: 'No, exit', highlighted: true },
      { label: 'Yes, I accept', highlighted: false },
    ],
  },
};

test('given a task whose agent was started again many times, when its start dialog comes once more, then it is answered', () => {
  const story = working();

  for (let life = 0; life < 6; life += 1) {
    const from = { id: 'c', commit: 'cccc', conversation: 'talk', prompt: null };
    story.hear({ kind: 'restore-ordered', checkpoint: from, resetAgent: false });
    story.answer({ kind: 'closed' }).answer({ kind: 'restored', head: 'aaaa', saved: null });
    story.answer({ kind: 'opened', incarnation: `life ${life}` });
    story.see(BYPASS);

    expect(story.worker.inFlight?.op.kind).toBe('answer');
    story.answer({ kind: 'answered', label: 'Yes, I accept' }).see(READY);
    story.answer({ kind: 'refused', why: 'pane-gone', detail: '' });
  }
});

test('given a worker that was asked for words before its start dialog, when that goes away, then a look asks for the words anew at once', () => {
  const story = working().see(READY).pass('settle').looked(READY);
  expect(story.worker.incident?.escalated).toBe(true);
  story.exit(null, 9).pass('restart').answer({ kind: 'opened', incarnation: 'second' }).see(BYPASS);
  story.answer({ kind: 'failed', code: 'timed-out', message: 'tmux did not answer in time', retry: true });

  story.see(READY);

  expect(story.rules).toContain('dialog-gone');
  expect(story.last).toMatchObject({ kind: 'look' });
  story.looked(READY);
  expect(story.worker.incident).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  expect(story.worker.note).toBe('stopped without a new commit');
});

test('given a start dialog that a person answers, when the time to start is over before the answer arrives, then the start has not failed and the task goes out', () => {
  const story = working();
  story.exit(null, 9).pass('restart').answer({ kind: 'opened', incarnation: 'second' }).see(BYPASS);
  story.answer({ kind: 'failed', code: 'no-such-option', message: 'it has no such option', retry: false });
  expect(story.worker).toMatchObject({ status: 'needs_input', pane: { kind: 'starting' } });
  const incident = story.worker.incident?.id ?? '';
  story.hear({ kind: 'escalation-answered', incident, option: 'Yes, I accept', text: null, by: 'somebody' });

  story.pass('start-up');

  expect(story.rules).toContain('start-up:person-asked');
  story.answer({ kind: 'answered', label: 'Yes, I accept' }).see(READY);
  expect(story.last?.kind).toBe('deliver');
});
