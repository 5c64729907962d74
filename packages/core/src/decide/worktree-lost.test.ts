/** A worktree that vanished behind everybody's back: the branch has the commits, the last checkpoint the rest. */
import { expect, test } from 'vitest';
import { GIT, inReview, READY, Story } from '../testing/story.ts';
import { newWorker } from '../worker/worker.ts';
import type { Worker } from '../worker/worker.ts';

const TASK = { id: 't', prompt: 'p', text: 'the words', startedAt: 1, headBefore: 'aaaa', taken: true };
const CHECKPOINT = { id: '00000000-0000-7000-8000-00000000c0de', commit: 'cccc', at: 1 };

function atWork(patch: Partial<Worker>): Story {
  const story = new Story();
  story.worker = {
    ...newWorker(),
    status: 'working',
    worktree: { kind: 'ready', base: 'aaaa' },
    pane: { kind: 'up', incarnation: 'life', since: 1 },
    conversation: { id: 'talk', used: true },
    git: GIT,
    task: TASK,
    judgeDue: true,
    ...patch,
  };
  return story.hear({ kind: 'default-branch-moved' });
}

const GONE = { kind: 'looked', incarnation: 'life', screen: null, git: null, delivery: null } as const;

test('given a checkpoint, when a look finds no worktree, then the session is closed and the work is brought back', () => {
  const story = atWork({ checkpoint: CHECKPOINT });

  story.answer(GONE);
  const closing = story.worker.inFlight?.op.kind;
  story.answer({ kind: 'closed' });

  expect(closing).toBe('close');
  expect(story.worker.inFlight?.op).toMatchObject({ kind: 'restore', commit: 'cccc' });
  expect(story.worker.incident).toMatchObject({ code: 'GIT_WORKTREE_FAILED', attempts: 1 });
  story.answer({ kind: 'restored', head: 'aaaa', saved: null });
  expect(story.worker.inFlight?.op).toEqual({ kind: 'open', launch: { kind: 'resume', conversation: 'talk' } });
  expect(story.worker).toMatchObject({ status: 'working', restoreDue: true, restoreFrom: null });
});

test('given no checkpoint, when a look finds no worktree, then it is made anew on its branch, and the task keeps its beginning', () => {
  const story = atWork({});

  story.answer(GONE);
  const preparing = story.worker.inFlight?.op;
  story.answer({ kind: 'prepared', base: 'bbbb', head: 'dddd', saved: null });

  expect(preparing).toMatchObject({ kind: 'prepare', reset: false });
  expect(story.worker.task?.headBefore).toBe('aaaa');
  expect(story.worker).toMatchObject({ status: 'working', restoreDue: true });
});

test('given words in the queue of a program whose worktree is gone, when it was started anew, then they are looked for and typed again', () => {
  const pauses = { lost: 0, partial: 0, refused: 0, notBefore: 0, next: 'type' } as const;
  const story = atWork({ queued: [{ id: 'm', text: 'go on', purpose: 'message', verify: 3, ...pauses }] });

  story.answer(GONE).answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.answer({ kind: 'opened', incarnation: 'second' });

  expect(story.worker).toMatchObject({ queued: [], outgoing: { text: 'go on', verify: 3 } });
});

test('given a worker that lost its session and its worktree, when it cannot be opened, then the work is brought back', () => {
  const story = atWork({ checkpoint: CHECKPOINT, pane: { kind: 'absent' }, judgeDue: false });
  const opening = story.worker.inFlight?.op.kind;

  story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });

  expect(opening).toBe('open');
  expect(story.worker.inFlight?.op).toMatchObject({ kind: 'restore', commit: 'cccc' });
});

test('given a worktree that cannot be brought back, when that failed as often as a task may, then a person is asked', () => {
  const story = atWork({ checkpoint: CHECKPOINT });

  for (let count = 0; count < 40 && story.worker.status !== 'error'; count += 1) {
    const op = story.worker.inFlight?.op.kind;
    if (op === 'look') story.answer({ ...GONE, incarnation: null });
    else if (op === 'close') story.answer({ kind: 'closed' });
    else story.answer({ kind: 'failed', code: 'worktree-missing', message: 'no', retry: false });
  }

  expect(story.worker.status).toBe('error');
  expect(story.worker.incident).toMatchObject({ escalated: true, code: 'GIT_WORKTREE_FAILED' });
});

test('given work in review whose worktree is gone as it is merged, when it is made anew, then the task is not given again', () => {
  const story = inReview();
  story.lease = 'mine';
  story.accepted();

  story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'bbbb', saved: null }).opened().see(READY);

  expect(story.worker).toMatchObject({ status: 'needs_review', outgoing: null, restoreDue: false });
});
