/** R3: what comes between the doubt in a living program and its end, told as stories. */
import { expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { BUSY, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

const ASKS: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

test('given an end that a second look agreed to, when a check comes during the save before it, then nobody looks again', () => {
  const story = working();
  story.savesAtOnce = false;
  const doubt = { looks: 0, mark: null, fresh: true, restore: true, profile: null };
  story.worker = { ...story.worker, checkpointDue: null, respawnDue: true, doubt };
  story.pass('check').hear({ kind: 'checkpoint-ordered', id: 'c1', why: 'by hand' }).looked(READY);
  expect(story.rules).toContain('doubt:agreed');

  story.pass('check').answer({ kind: 'checkpointed', commit: null, head: 'aaaa', dirty: 0 });

  expect(story.last).toMatchObject({ kind: 'respawn', force: true });
});

test('given an agent in doubt, when a look for a text finds it at work, then it is left alone', () => {
  const story = working().hear({ kind: 'message-ordered', id: 'm1', text: 'words' });
  const doubt = { looks: 0, mark: 'before', fresh: true, restore: true, profile: null };
  story.answer({ kind: 'unknown', why: 'the machine agent died' });
  story.worker = { ...story.worker, respawnDue: true, doubt };

  story.looked(BUSY, {}, { kind: 'taken', by: 'hook' });

  expect(story.worker).toMatchObject({ respawnDue: false, doubt: null });
});

test('given an agent in doubt and a text whose fate is unknown, when the look for the text fails, then it is looked for again before the second signal', () => {
  const story = working().hear({ kind: 'message-ordered', id: 'm1', text: 'words' });
  const delivery = story.worker.inFlight?.seq;
  story.answer({ kind: 'unknown', why: 'the machine agent died' });
  doubted(story);

  story.answer({ kind: 'unknown', why: 'the machine agent died' });

  expect(story.last).toMatchObject({ kind: 'look', delivery });
});

test('given an agent in doubt, when the second look finds a dialog that policy answers, then it is ended and not told to go on', () => {
  const story = doubted(working());
  story.policy = { ...DEFAULT_POLICY, dialogs: { ...DEFAULT_POLICY.dialogs, permission: 'allow' } };
  story.pass('check');

  story.looked(ASKS);

  expect(story.rules).toContain('doubt:agreed');
  expect(story.last).toMatchObject({ kind: 'respawn', force: true });
});

/** It is to be started anew, if a second look agrees. */
function doubted(story: Story): Story {
  const doubt = { looks: 0, mark: 'before', fresh: true, restore: true, profile: null };
  story.worker = { ...story.worker, respawnDue: true, judgeDue: true, doubt };
  return story;
}
