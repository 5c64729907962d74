/** Offers accepted work as a branch, until people have merged it (docs/git.md). */
import { expect, test } from 'vitest';
import { BUSY, CONFLICT, inReview, READY } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const BRANCH = 'drover/adam-0a1b2c3d';

/** Accepts work, which is then on a branch. */
function offered(why = ''): Story {
  const story = inReview().accepted();
  story.lease = 'mine';
  story.candidate();
  const publish = story.worker.command.inFlight?.command;
  const commit = publish?.kind === 'publish' ? publish.commit : '';
  story.answer({ kind: 'offered', commit, branch: BRANCH, why });
  story.lease = 'free';
  return story;
}

test('given accepted work, when it is on a branch, then its task goes on, others may merge, and people are told', () => {
  const story = offered('no request was opened');

  const { lifecycle, merge } = story.worker;
  expect(lifecycle).toMatchObject({ status: 'needs_review', note: expect.stringContaining(`branch "${BRANCH}"`) });
  expect(lifecycle.note).toContain('no request was opened');
  expect(merge.step.kind).toBe('none');
  expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
  expect(story.records).not.toContainEqual(expect.objectContaining({ kind: 'task', status: 'accepted' }));
});

test('given a command to publish, when it is issued, then it names the reviewed commit and the task', () => {
  const story = inReview().accepted();
  story.lease = 'mine';
  story.candidate();

  expect(story.worker.command.inFlight?.command).toMatchObject({
    kind: 'publish',
    work: { head: 'bbbb', task: 't1' },
  });
});

test('given work on a branch, when the default branch moves without it, then it waits and its note says for what', () => {
  const story = offered().hear({ kind: 'default-branch-moved' });

  story.candidate();

  expect(story.worker.lifecycle).toMatchObject({
    status: 'needs_review',
    note: expect.stringContaining('once the default branch contains it'),
  });
  expect(story.worker.merge.step.kind).toBe('none');
});

test('given work on a branch, when people have merged it, then its task is accepted and the worker is free', () => {
  const story = offered().hear({ kind: 'default-branch-moved' });

  story.contained('cccc');
  expect(story.records).toContainEqual({ kind: 'lease', action: 'acquire' });
  story.lease = 'mine';
  story.contained('cccc').answer({ kind: 'closed' }).answer({ kind: 'recycled', base: 'cccc' });

  expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'accepted' });
  expect(story.worker.lifecycle).toMatchObject({ status: 'idle', note: 'its work was merged' });
  expect(story.worker.merge.offer).toBeUndefined();
});

test('given work on a branch, when people merge it while its agent is to resolve conflicts with it, then its task is accepted', () => {
  const story = offered()
    .hear({ kind: 'default-branch-moved' })
    .clash()
    .answer(CONFLICT)
    .opened()
    .see(READY)
    .delivered()
    .see(BUSY);
  expect(story.worker.lifecycle.status).toBe('rebasing');

  story.judged('aborted').contained('cccc');
  story.lease = 'mine';
  story.contained('cccc').answer({ kind: 'closed' }).answer({ kind: 'recycled', base: 'cccc' });

  expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'accepted' });
  expect(story.worker.lifecycle).toMatchObject({ status: 'idle', note: 'its work was merged' });
});

test('given work on a branch and a newer commit of its agent, when the default branch has all of that, then only a person ends the task', () => {
  const story = offered().hear({ kind: 'default-branch-moved' });

  story.answer({ kind: 'changed', head: 'ffff', why: 'a commit came after it' });
  story.pass('hold');
  story.answer({ kind: 'contained', head: 'ffff', base: 'cccc' });

  expect(story.worker.merge.step.kind).toBe('none');
  expect(story.records).not.toContainEqual(expect.objectContaining({ kind: 'task', status: 'accepted' }));
});

test('given a machine that names another commit, when it says that it handed that over, then nothing counts', () => {
  const story = inReview().accepted();
  story.lease = 'mine';
  story.candidate().answer({ kind: 'offered', commit: 'eeee', branch: BRANCH, why: '' });

  expect(story.rules).toContain('accept:unnamed');
  expect(story.worker.merge.offer).toBeUndefined();
});

test('given work on a branch, when a person rejects it, then its agent improves it as any other work', () => {
  const story = offered().hear({ kind: 'reject-requested', id: 'r1', text: 'Add a test.' });

  expect(story.worker.lifecycle.status).toBe('rejected');
});
