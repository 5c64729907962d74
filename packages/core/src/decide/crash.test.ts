/** What follows when an agent's program ended, by a crash or by its user, told as stories? The letters are those of docs/recovery.md. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { BUSY, idle, inReview, READY, working } from '../testing/story.ts';

describe('session crash', () => {
  test('given a killed agent, when it is up again, then its conversation is resumed and the task given anew with a note', () => {
    const story = working().exit(null, 9).pass('restart');
    expect(story.last).toMatchObject({ kind: 'respawn', force: false, launch: { kind: 'resume' } });

    story.opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver' });
    const { text } = story.last as { text: string };
    expect(text).toContain('the session was cut off');
    expect(text).toContain('make it so');
  });

  test('given two quick crashes, when a third comes, then it is not restarted and a person is told once', () => {
    const story = working();
    for (let crash = 1; crash <= 2; crash += 1) story.exit(1).pass('restart').opened().see(READY).delivered().see(BUSY);

    story.exit(1);

    expect(story.worker.status).toBe('error');
    expect(story.worker.deadlines.restart).toBeUndefined();
    expect(story.records.filter(({ kind }) => kind === 'escalated')).toHaveLength(1);
  });

  test('given a person who is asked after three crashes, when the session is brought up and ends again, then it is written down and counts no more', () => {
    const story = working();
    for (let crash = 1; crash <= 2; crash += 1) story.exit(1).pass('restart').opened().see(READY).delivered().see(BUSY);
    story.exit(1).hear({ kind: 'down-ordered' }).answer({ kind: 'closed' });
    story.hear({ kind: 'up-ordered' }).opened().see(READY);
    expect(story.worker).toMatchObject({ status: 'error', pane: { kind: 'up' } });

    story.exit(1);

    expect(story.worker).toMatchObject({
      status: 'error',
      crashes: { count: 3 },
      pane: { kind: 'dead', restartAt: null },
    });
    expect(story.records).toMatchObject([{ kind: 'error', message: 'its agent crashed (status 1)' }]);
  });

  test.each([
    ['for the first time', [], 'exit:crash-again', 'fresh'],
    ['and started without its conversation before', [{ kind: 'respawn-clean' }], 'exit:crash', 'resume'],
  ] as const)(
    'given a restart that came to nothing %s, when it crashes again, then it is started without its conversation once',
    (_how, tried, rule, launch) => {
      const story = working().exit(1).pass('restart').opened();
      const { incident } = story.worker;
      story.worker = { ...story.worker, incident: incident === null ? null : { ...incident, tried } };

      story.exit(1);

      expect(story.rules).toContain(rule);
      expect(story.pass('restart').last).toMatchObject({ kind: 'respawn', launch: { kind: launch } });
    },
  );

  test('given a crash a day ago, when another comes, then it counts as the first', () => {
    const story = working().exit(1).pass('restart').opened().see(READY).delivered().see(BUSY);

    story.now += DEFAULT_POLICY.crash.forgetAfterMs + 1;
    story.exit(1);

    expect(story.worker.crashes.count).toBe(1);
  });

  test('given a crash before the prompt was taken, when it is up again, then the prompt itself goes out, without a note', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'refused', why: 'pane-gone', detail: '' }).exit(1).pass('restart').opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'the task' });
  });

  test.each([
    ['status 0', 0, null],
    ['status 130', 130, null],
    ['the signal of Ctrl-C', null, 2],
  ])(
    'given an exit with %s, when nothing is committed, then the worker is idle and stays empty',
    (_name, status, signal) => {
      const story = working().exit(status, signal).looked(READY);

      expect(story.worker.status).toBe('idle');
      expect(story.worker.pane).toMatchObject({ kind: 'dead', restartAt: null });
    },
  );

  test('given an exit by its user, when something is committed, then it is not lost but waits for review', () => {
    const story = working().exit(0).looked(READY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.status).toBe('needs_review');
  });

  test('given a panic on the last screen, when the program ended, then it is not restarted', () => {
    const story = working().exit(101, null, ["thread 'main' panicked at src/main.rs", 'panic: oh no']);

    expect(story.worker.status).toBe('error');
  });

  test('R7: given a crash of an earlier life, when it is reported late, then nothing happens', () => {
    const story = working();
    const old = story.incarnation;
    story.exit(1).pass('restart').opened().see(READY);
    const before = story.worker;

    story.hear({
      kind: 'pane-exited',
      exit: { incarnation: old, status: 1, signal: null, lastLines: [], limit: null, at: 0 },
    });

    expect(story.worker.crashes).toEqual(before.crashes);
    expect(story.worker.pane).toEqual(before.pane);
  });
});

describe('a seat that its user left', () => {
  test('given an agent that was ended during the review, when the work is rejected, then it is started again and told', () => {
    const story = inReview().exit(0);

    story.hear({ kind: 'reject-ordered', id: 'r', text: 'better' });
    expect(story.last).toMatchObject({ kind: 'respawn' });
    story.opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'better' });
  });

  test('given an agent that was ended during the review, when the rebase conflicts, then it is started again and told', () => {
    const story = inReview().exit(0).hear({ kind: 'default-branch-moved' });

    story
      .answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' })
      .opened()
      .see(READY);

    expect(story.worker.status).toBe('rebasing');
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'resolve' });
  });
});
