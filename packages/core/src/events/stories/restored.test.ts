/** A machine that has seen later commands than the database remembers: a backup was restored. */
import { expect, test } from 'vitest';
import { working } from '../../testing/story.ts';

const LATER = {
  kind: 'failed',
  code: 'superseded',
  message: 'A newer command for this worker came before it',
  retry: true,
} as const;

test('given a machine that has seen later commands, when it refuses one as outdated, then the worker counts on from them and nothing counts as a failure', () => {
  const story = working().pass('check');
  const asked = story.last;
  const { seq } = story.worker.command;

  story.answer({ ...LATER, newestSeq: seq + 40 });
  story.pass('hold');

  expect(story.last).toEqual(asked);
  expect(story.worker.command.inFlight).toMatchObject({ seq: seq + 41 });
  expect(story.worker.incident).toMatchObject({ open: null });
  expect(story.worker.lifecycle.status).toBe('working');
});

test('given a machine that says "outdated" of the last command that it has seen, then that is a failure as any other', () => {
  const story = working().pass('check');
  const { seq } = story.worker.command;

  story.answer({ ...LATER, newestSeq: seq });

  expect(story.worker.command).toMatchObject({ seq, failures: 1 });
});
