/** Requests to remove a worker. */
import { expect, test } from 'vitest';
import type { CommandResult } from '../machine/commands.ts';
import { idle, inReview, working } from '../testing/story.ts';

const FULL: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };

test('R2: given a removal, when a command from before it fails for good, then it is removed all the same, and after the pause of that command', () => {
  const story = idle().hear({ kind: 'panes-listed', pane: null });
  story.answer(FULL).pass('hold').answer(FULL).pass('hold').hear({ kind: 'nuke-requested', force: false });

  story.answer(FULL);

  // The removal would come again at once if nothing were removed.
  expect(story.worker.command.inFlight).toBeNull();
  expect(story.pass('hold').last).toMatchObject({ kind: 'remove' });
});

test('R2: given a removal whose closing fails again and again, when it is given up, then no command is given at once', () => {
  const story = idle().hear({ kind: 'nuke-requested', force: false });

  story.answer(FULL).pass('hold').answer(FULL).pass('hold').answer(FULL);

  expect(story.worker).toMatchObject({ lifecycle: { wanted: 'up' }, command: { inFlight: null } });
  expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
});

test('given a worker that was not removed, when it is to be removed by force, then the reason of before is no longer told', () => {
  const story = idle().hear({ kind: 'nuke-requested', force: false });
  story.answer({ kind: 'closed' }).answer({ kind: 'not-removed', why: '1 entry in its stash' });
  expect(story.worker.lifecycle.note).toBe('not removed: 1 entry in its stash');

  story.hear({ kind: 'nuke-requested', force: true });

  expect(story.worker.lifecycle.note).toBe('is being removed');
});

test.each([
  ['at work', working],
  ['whose work waits for review', inReview],
])(
  'given a worker %s, when its removal does not say what becomes of its task, then it is refused, and the task and the option are named',
  (_, begin) => {
    const story = begin();
    const before = story.worker.lifecycle.wanted;

    story.hear({ kind: 'nuke-requested', force: true });

    expect(story.reply).toMatchObject({ kind: 'refused', code: 'task-unfinished' });
    expect(story.reply).toMatchObject({ message: expect.stringMatching(/"make it so".*--task requeue.*--task drop/u) });
    expect(story.worker.lifecycle).toMatchObject({ wanted: before, unfinished: null });
  },
);

test.each(['drop', 'requeue'] as const)(
  'given a worker at work, when its removal says %j of its task, then that is kept until the worker is gone, and asked no more',
  (task) => {
    const story = working().hear({ kind: 'nuke-requested', force: true, task });

    expect(story.reply.kind).toBe('accepted');
    story.hear({ kind: 'nuke-requested', force: true });

    expect(story.reply.kind).toBe('accepted');
    expect(story.worker.lifecycle).toMatchObject({ wanted: 'gone-by-force', unfinished: task });
  },
);

test('given a removal that its machine refuses, when the worker is removed once more, then the person says again what becomes of its task', () => {
  const story = working().hear({ kind: 'nuke-requested', force: true, task: 'drop' });
  story.answer({ kind: 'closed' });
  expect(story.last?.kind).toBe('remove');

  story.answer({ kind: 'not-removed', why: 'a file is in the way' });

  expect(story.worker.lifecycle).toMatchObject({ wanted: 'up', unfinished: null });
  expect(story.hear({ kind: 'nuke-requested', force: true }).reply).toMatchObject({ code: 'task-unfinished' });
});

test.each(['drop', undefined] as const)(
  'given a worker without a task, when it is removed with %j for one, then it is removed',
  (task) => {
    const story = idle().hear({ kind: 'nuke-requested', force: false, task });

    expect(story.reply.kind).toBe('accepted');
    expect(story.worker.lifecycle).toMatchObject({ wanted: 'gone', unfinished: null });
  },
);
