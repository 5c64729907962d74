/** A program that its user ended: its task, its work, and when it is started again. */
import { describe, expect, test } from 'vitest';
import { CONFLICT, idle, inReview, READY, working } from '../../testing/story.ts';

describe('session crash', () => {
  test.each([
    ['status 0', 0, null],
    ['status 130', 130, null],
    ['the signal of Ctrl-C', null, 2],
  ])(
    'given an exit with %s, when nothing is committed, then the worker is idle and stays empty',
    (_name, status, signal) => {
      const story = working().exit(status, signal).checked(READY);

      expect(story.worker.lifecycle.status).toBe('idle');
      expect(story.worker.session.pane).toMatchObject({ kind: 'dead', restartAt: null });
    },
  );

  test('given an exit by its user, when something is committed, then it is not lost but waits for review', () => {
    const story = working().exit(0).checked(READY, { head: 'bbbb', ahead: 1 }).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });
});

describe('a session that its user left', () => {
  test('given an agent that was ended during the review, when the work is rejected, then it is started again and told', () => {
    const story = inReview().exit(0);

    story.hear({ kind: 'reject-requested', id: 'r', text: 'better' });
    expect(story.last).toMatchObject({ kind: 'respawn' });
    story.opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'better' });
  });

  test('given an agent that was ended during the review, when the rebase conflicts, then it is started again and told', () => {
    const story = inReview().exit(0).hear({ kind: 'default-branch-moved' });

    story.clash().answer(CONFLICT).opened().see(READY);

    expect(story.worker.lifecycle.status).toBe('rebasing');
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('resolve') });
  });
});

describe('ended by its user', () => {
  test('given a task that was not typed yet, when a person ends the program, then the task goes out to the next one', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });

    story.exit(0).answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).pass('restart').opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'the task' });
  });
});
