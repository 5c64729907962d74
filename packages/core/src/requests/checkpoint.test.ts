/** A person brings a worker back to a checkpoint. */
import { describe, expect, test } from 'vitest';
import { beingRebased, BUSY, CONFLICT, idle, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

const QUESTION = {
  kind: 'question',
  form: 'multiple-choice',
  dialog: { kind: 'question', title: 'Which way?', body: '', options: [{ label: 'Yes', highlighted: true }] },
} as const;

test('given words of a person on their way, when the work is brought back to a checkpoint, then they follow the task', () => {
  const story = working().see(BUSY).hear({ kind: 'message-requested', id: 'm1', text: 'mind the gap' });

  story.hear({
    kind: 'restore-requested',
    checkpoint: { id: 'c1', commit: 'cccc', conversation: null, prompt: null },
    resetAgent: false,
  });

  const { current, waiting } = story.worker.mailbox;
  expect([current, ...waiting].map((text) => text?.text)).toContain('mind the gap');
});

test('given work that is brought back to a checkpoint, when its old session asks something once more, then no person is asked, and the task is given again', () => {
  const story = working().see(QUESTION);
  expect(story.worker.lifecycle.status).toBe('needs_input');
  const checkpoint = { id: 'c1', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-requested', checkpoint, resetAgent: false });

  story.see(QUESTION);
  expect(story.worker.lifecycle.status).toBe('working');
  story.answer({ kind: 'closed' }).answer({ kind: 'restored', head: 'aaaa', saved: null }).opened().see(READY);

  expect(story.worker.mailbox.current?.purpose).toBe('restored');
  expect(story.last).toMatchObject({ kind: 'deliver' });
});

test('given a worker in error after its crashes, when a person brings it back to a checkpoint, then its crashes are counted from zero', () => {
  const story = working().exit(1, null, ['panic: out of memory']);
  expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, session: { crashes: { count: 1 } } });

  const checkpoint = { id: 'c1', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-requested', checkpoint, resetAgent: false });

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'working' },
    session: { crashes: { count: 0 }, startFailures: 0 },
    task: { attempts: 0 },
  });
});

test('given a task that its agent never had, when its checkpoint cannot be restored, then the task goes out all the same', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });
  const checkpoint = { id: 'c', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-requested', checkpoint, resetAgent: false });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).answer({ kind: 'closed' });
  expect(story.last?.kind).toBe('restore');

  story.answer({ kind: 'failed', code: 'checkpoint-damaged', message: 'an object is missing', retry: false });
  story.opened().see(READY);

  expect(story.last).toMatchObject({ kind: 'deliver' });
  expect(story.worker.mailbox.current?.text).toContain('the task');
});

describe('checkpoints', () => {
  test('given a checkpoint, when a person brings the worker back to it, then session, worktree and task are as then', () => {
    const checkpoint = { id: 'c', commit: 'c1', conversation: 'k1', prompt: null };
    const story = working().hear({ kind: 'restore-requested', checkpoint, resetAgent: false });
    expect(story.last).toEqual({ kind: 'close' });

    story.answer({ kind: 'closed' }).answer({ kind: 'restored', head: 'aaaa', saved: null });

    expect(story.last).toMatchObject({ kind: 'open', launch: { kind: 'resume', conversation: 'k1' } });
  });
});

describe('a person tries again what failed', () => {
  test('given conflicts, when a person goes back to a checkpoint, then the worker is at work', () => {
    const checkpoint = { id: 'c1', commit: 'c1', conversation: null, prompt: null };

    const story = conflicted().hear({ kind: 'restore-requested', checkpoint, resetAgent: false });

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'moved', from: 'rebasing', to: 'working' }));
  });
});

test('given an error that is being waited out, when a person brings the worker back to a checkpoint, then nothing waits for that error', () => {
  const story = working().see({
    kind: 'error',
    error: 'api',
    recoverable: false,
    text: 'API Error',
    resets: null,
    composer: { kind: 'empty' },
  });
  expect(story.worker.deadlines.trouble).toBeDefined();

  const checkpoint = { id: 'c1', commit: 'cccc', conversation: null, prompt: null };
  story.hear({ kind: 'restore-requested', checkpoint, resetAgent: false });

  expect(story.worker).toMatchObject({ checkpoint: { restore: checkpoint }, incident: { trouble: null } });
  expect(story.worker.deadlines.trouble).toBeUndefined();
});

test('R2: given a way back to a checkpoint, when a check from before it finds a commit, then nothing comes to review', () => {
  const story = working().pass('check');
  const checkpoint = { id: 'c1', commit: 'c1', conversation: null, prompt: null };
  story.hear({ kind: 'restore-requested', checkpoint, resetAgent: false });

  story.checked(READY, { head: 'bbbb', ahead: 1 });

  expect(story.worker.lifecycle.status).toBe('working');
  expect(story.last).toMatchObject({ kind: 'close' });
});

function conflicted(): Story {
  const story = beingRebased().answer(CONFLICT);
  return story.delivered().see(BUSY);
}
