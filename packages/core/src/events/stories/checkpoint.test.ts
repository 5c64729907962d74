/** Saves work at the right times, and handles a failed save. */
import { describe, expect, test } from 'vitest';
import { BUSY, working } from '../../testing/story.ts';
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
