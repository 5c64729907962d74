/** A person takes a worker over, or lets it go on. */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../machine/commands.ts';
import { BUSY, idle, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

const DIED: CommandResult = { kind: 'unknown', why: 'the machine agent died' };

const NO_PROGRAM: CommandResult = { kind: 'failed', code: 'program-missing', message: 'no tmux', retry: false };

test('R5: given a task whose fate is unknown, when a person lets the worker go on, then a check comes first', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.answer(DIED);
  story.answer(NO_PROGRAM);
  expect(story.worker.lifecycle.status).toBe('error');

  story.hear({ kind: 'message-requested', id: 'm1', text: 'go on' });

  expect(story.last).toMatchObject({ kind: 'observe', delivery: expect.any(Number) });
});

test('R5: given a task whose fate is unknown, when a person took over and then sends words, then the task is not typed again blindly', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.answer(DIED);
  story.answer(NO_PROGRAM);
  const incident = story.worker.incident.open?.id ?? '';

  story.hear({ kind: 'escalation-answered', incident, option: 'take-over', text: null, by: 'ada' });
  story.pass('check').answer(NO_PROGRAM);
  expect(story.worker.lifecycle.status).toBe('error');
  story.hear({ kind: 'message-requested', id: 'm1', text: 'go on' });

  expect(story.last).toMatchObject({ kind: 'deliver', text: 'go on' });
});

test('given a worker that was taken over after its crashes, when it is given back, then its crashes are counted from zero', () => {
  const story = answer(working().exit(1, null, ['panic: out of memory']), 'take-over');

  story.hear({ kind: 'message-requested', id: 'm1', text: 'go on' });

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'working' },
    session: { crashes: { count: 0 } },
    task: { attempts: 0 },
  });
});

test('given an agent that shows nothing but its start, when a person lets the worker go on, then it is started again', () => {
  const story = working().exit(101, null, ['panic: oh no']);
  story.change({ session: { pane: { kind: 'up', incarnation: 'life', since: 1, seen: null } } });
  story.see({ kind: 'starting' });

  story.hear({ kind: 'message-requested', id: 'm', text: 'go on' });

  expect(story.last).toMatchObject({ kind: 'respawn', force: true });
});

describe('a step with finished work that fails', () => {
  test.each([
    ['its candidate cannot be made', (story: Story) => story],
    ['its checks cannot be run', (story: Story) => story.candidate()],
  ])(
    'given committed work, when %s and a person says "retry", then that step alone is repeated, and the agent is told nothing',
    (_, make) => {
      const story = working().see(READY).pass('settle').checked(READY, { head: 'bbbb', ahead: 1 });
      make(story).answer({ kind: 'failed', code: 'disk-full', message: 'no space left on device', retry: false });
      expect(story.worker.lifecycle.status).toBe('error');
      const before = story.commands.length;

      answer(story, 'retry');
      if (story.worker.deadlines.hold !== undefined) story.pass('hold');
      story.checked(READY, { head: 'bbbb', ahead: 1 });

      expect(story.commands.slice(before).map(({ kind }) => kind)).toEqual(['observe', 'candidate']);
      expect(story.worker.mailbox.current).toBeNull();
      story.candidate().valid();
      expect(story.worker.lifecycle.status).toBe('needs_review');
    },
  );

  test('given a check that fails until a person is asked, when they say "retry", then it runs again before the agent is told of it', () => {
    const story = working();
    for (let times = 0; story.worker.lifecycle.status !== 'error'; times += 1) {
      expect(times).toBeLessThan(20);
      if (story.worker.deadlines.hold !== undefined) story.pass('hold');
      const kind = story.worker.command.inFlight?.command.kind;
      if (kind === 'observe') story.checked(READY, { head: `head-${times}`, ahead: 1 });
      else if (kind === 'candidate') story.candidate();
      else if (kind === 'validate') story.answer({ kind: 'invalid', command: 'make', output: 'no' });
      else if (kind === 'deliver') story.delivered().see(BUSY);
      else if (kind === 'respawn') story.opened().see(READY);
      else story.see(READY).pass('settle');
    }
    const before = story.commands.length;

    answer(story, 'retry');
    if (story.worker.deadlines.hold !== undefined) story.pass('hold');

    expect(story.last).toMatchObject({ kind: 'observe' });
    story.checked(READY, { head: story.worker.worktree.git?.head ?? '', ahead: 1 });
    expect(story.commands.slice(before).map(({ kind }) => kind)).toEqual(['observe', 'candidate']);
    expect(story.worker.mailbox.current).toBeNull();
  });
});

function answer(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}
