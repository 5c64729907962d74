/** Requests to remove a worker. */
import { expect, test } from 'vitest';
import type { CommandResult } from '../machine/commands.ts';
import { idle } from '../testing/story.ts';

const FULL: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };

test('R2: given a removal, when a command from before it fails for good, then it is removed all the same, and after the pause of that command', () => {
  const story = idle().hear({ kind: 'panes-listed', pane: null });
  story.answer(FULL).pass('hold').answer(FULL).pass('hold').hear({ kind: 'nuke-ordered', force: false });

  story.answer(FULL);

  // It would come again at once if nothing were removed.
  expect(story.worker.command.inFlight).toBeNull();
  expect(story.pass('hold').last).toMatchObject({ kind: 'remove' });
});

test('R2: given a removal whose closing fails again and again, when it is given up, then no command is given at once', () => {
  const story = idle().hear({ kind: 'nuke-ordered', force: false });

  story.answer(FULL).pass('hold').answer(FULL).pass('hold').answer(FULL);

  expect(story.worker).toMatchObject({ lifecycle: { wanted: 'up' }, command: { inFlight: null } });
  expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
});
