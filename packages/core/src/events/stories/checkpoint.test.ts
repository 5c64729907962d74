/** Saves work at the right times, and handles a failed save. */
import { describe, expect, test } from 'vitest';
import { atLevelTwo, failing } from '../../testing/failing.ts';
import { BUSY, idle, working } from '../../testing/story.ts';
import { SAVING } from '../checkpoint.ts';

describe('checkpoints', () => {
  test('given a task, when its work changes, then it is saved at the start and once a minute', () => {
    const story = working().see(BUSY).see(BUSY);

    story.pass('checkpoint');

    expect(story.saves.map(({ type }) => type)).toEqual(['session_start', 'periodic']);
    expect(story.worker.deadlines.checkpoint).toBeUndefined();
  });

  test('given a save under way, when a person asks for one, then that one is made too, and each is told under its own name', () => {
    const story = working().see(BUSY);
    story.savesAtOnce = false;
    story.pass('checkpoint');
    const periodic = story.worker.command.inFlight?.command;
    story.hear({ kind: 'checkpoint-requested', id: 'by-hand', why: 'by hand' });

    story.answer({ kind: 'checkpointed', commit: 'c1', head: 'aaaa', dirty: 1 });
    const meanwhile = story.worker.checkpoint;
    story.answer({ kind: 'checkpointed', commit: 'c2', head: 'aaaa', dirty: 2 });

    expect(periodic).toMatchObject({ kind: 'checkpoint', type: 'periodic' });
    expect(meanwhile).toMatchObject({ last: { commit: 'c1' }, due: { id: 'by-hand', type: 'manual' } });
    expect(story.worker.checkpoint).toMatchObject({ last: { id: 'by-hand', commit: 'c2' }, due: null });
  });

  test('given a failure, when it is met for the first time, then the work is saved before, and once', () => {
    const story = working();
    story.savesAtOnce = false;

    story.exit(1);
    const first = story.worker.command.inFlight?.command;
    story.answer({ kind: 'checkpointed', commit: 'c1', head: 'aaaa', dirty: 1 });
    story.pass('restart');
    const second = story.worker.command.inFlight?.command;
    story
      .opened()
      .see({ kind: 'ready', after: 'completed', composer: { kind: 'empty' } })
      .exit(1);

    expect(first).toMatchObject({ kind: 'checkpoint', type: 'before_retry', why: expect.stringContaining('start') });
    expect(second).toMatchObject({ kind: 'respawn' });
    expect(story.saves.filter(({ type }) => type === 'before_retry')).toHaveLength(1);
  });

  test.each([{ onError: false }, { enabled: false }])(
    'given the policy %o, when something fails, then the work is not saved before the first attempt',
    (change) => {
      const story = working();
      story.policy = { ...story.policy, checkpoint: { ...story.policy.checkpoint, ...change } };

      story.exit(1);

      expect(story.saves.map(({ type }) => type)).not.toContain('before_retry');
      expect(story.worker.incident.open?.attempts).toBe(1);
    },
  );

  test('given no saves by the policy, when a task is worked at, then Drover saves before an alternative and by request alone', () => {
    const story = idle();
    story.policy = { ...story.policy, checkpoint: { ...story.policy.checkpoint, enabled: false } };
    story.hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).delivered().see(BUSY).see(BUSY);
    expect(story.saves).toEqual([]);
    expect(story.worker.deadlines.checkpoint).toBeUndefined();

    story.hear({ kind: 'checkpoint-requested', id: 'c', why: 'by hand' });
    story.see(failing('context-exhausted'));

    expect(story.saves.map(({ type }) => type)).toEqual(['manual', 'before_retry']);
  });

  test('given a number to keep, when the work is saved, then the machine is told it', () => {
    const story = atLevelTwo();
    story.policy = { ...story.policy, checkpoint: { ...story.policy.checkpoint, keptMax: 3 } };

    story.savesAtOnce = true;
    story.checked(failing('api')).hear({ kind: 'checkpoint-requested', id: 'c', why: 'by hand' }).opened();

    expect(story.saves.at(-1)).toMatchObject({ type: 'manual', keptMax: 3 });
  });

  test('given a save that fails, when it does, then it is a row of the error log and nothing waits for it', () => {
    const story = working();
    story.savesAtOnce = false;
    story.hear({ kind: 'checkpoint-requested', id: 'c', why: 'by hand' });

    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });

    expect(story.records).toEqual([expect.objectContaining({ kind: 'error', incident: null, component: SAVING })]);
    expect(story.worker).toMatchObject({
      incident: { open: null },
      checkpoint: { due: null },
      command: { holdUntil: null },
    });
  });
});
