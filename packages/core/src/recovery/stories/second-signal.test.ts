/** R3: events between the doubt about a living program and its end. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { atLevelTwo } from '../../testing/failing.ts';
import { BUSY, GIT, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const ASKS: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

test('given an end that a second check agreed to, when a check comes during the save before it, then no other check follows', () => {
  const story = working();
  story.savesAtOnce = false;
  const doubt = { checks: 0, mark: null, fresh: true, restore: true, profile: null };
  story.change({ checkpoint: { due: null }, session: { replacement: { kind: 'doubted', doubt, restart: true } } });
  story.pass('check').hear({ kind: 'checkpoint-requested', id: 'c1', why: 'by hand' }).checked(READY);
  expect(story.rules).toContain('doubt:agreed');

  story.pass('check').answer({ kind: 'checkpointed', commit: null, head: 'aaaa', dirty: 0 });

  expect(story.last).toMatchObject({ kind: 'respawn', force: true });
});

test('given an agent in doubt, when a check for a text finds it at work, then it is left alone', () => {
  const story = working().hear({ kind: 'message-requested', id: 'm1', text: 'words' });
  const doubt = { checks: 0, mark: 'before', fresh: true, restore: true, profile: null };
  story.answer({ kind: 'unknown', why: 'the machine agent died' });
  story.change({ session: { replacement: { kind: 'doubted', doubt, restart: true } } });

  story.checked(BUSY, {}, { kind: 'taken', by: 'hook' });

  expect(story.worker).toMatchObject({ session: { replacement: { kind: 'none' } } });
});

test('given an agent in doubt and a text whose fate is unknown, when the check for the text fails, then it is checked again before the second signal', () => {
  const story = working().hear({ kind: 'message-requested', id: 'm1', text: 'words' });
  const delivery = story.worker.command.inFlight?.seq;
  story.answer({ kind: 'unknown', why: 'the machine agent died' });
  doubted(story);

  story.answer({ kind: 'unknown', why: 'the machine agent died' });

  expect(story.last).toMatchObject({ kind: 'observe', delivery });
});

test('given an agent in doubt, when the second check finds a dialog that policy answers, then it is ended and not told to go on', () => {
  const story = doubted(working());
  story.policy = { ...DEFAULT_POLICY, dialogs: { ...DEFAULT_POLICY.dialogs, permission: 'allow' } };
  story.pass('check');

  story.checked(ASKS);

  expect(story.rules).toContain('doubt:agreed');
  expect(story.last).toMatchObject({ kind: 'respawn', force: true });
});

describe('R3: a second check before a living program is ended', () => {
  test('given a failure, when the check finds the agent at work with new words, then it is left alone', () => {
    const story = atLevelTwo().checked(BUSY);

    expect(story.commands.filter(({ kind }) => kind === 'respawn')).toEqual([]);
    expect(story.worker).toMatchObject({
      session: { replacement: { kind: 'none' } },
      lifecycle: { status: 'working' },
    });
  });

  test('given a screen that cannot be read, when three checks say so, then the program is ended', () => {
    const story = atLevelTwo();
    const blind = {
      kind: 'observed',
      incarnation: story.incarnation,
      screen: null,
      git: null,
      delivery: null,
    } as const;

    story.answer(blind).pass('hold').answer(blind).pass('hold');
    expect(story.last).toMatchObject({ kind: 'observe' });
    story.answer(blind);

    expect(story.last).toMatchObject({ kind: 'respawn', force: true });
  });
});

test('given a doubt about an agent, when its session is closed before the second check, then that check is judged once and the session is opened', () => {
  const story = working().see(BUSY);
  const doubt = { checks: 0, mark: null, fresh: false, restore: false, profile: null };
  story.change({ session: { pane: { kind: 'absent' }, replacement: { kind: 'doubted', doubt, restart: true } } });
  story.pass('check');
  expect(story.last).toMatchObject({ kind: 'observe' });

  story.answer({ kind: 'observed', incarnation: null, screen: null, git: GIT, delivery: null });

  expect(story.worker.turn.judgeDue).toBe(false);
  expect(story.last).toMatchObject({ kind: 'open' });
});

/** Marks the program for a restart, if a second check agrees. */
function doubted(story: Story): Story {
  const doubt = { checks: 0, mark: 'before', fresh: true, restore: true, profile: null };
  return story.change({
    session: { replacement: { kind: 'doubted', doubt, restart: true } },
    turn: { judgeDue: true },
  });
}
