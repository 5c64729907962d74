/** A person takes a worker over, or lets it go on. */
import { expect, test } from 'vitest';
import type { CommandResult } from '../machine/commands.ts';
import { idle, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

const DIED: CommandResult = { kind: 'unknown', why: 'the machine agent died' };

const NO_PROGRAM: CommandResult = { kind: 'failed', code: 'program-missing', message: 'no tmux', retry: false };

test('R5: given a task whose fate is unknown, when a person lets the worker go on, then a check comes first', () => {
  const story = idle().hear({ kind: 'start-ordered', taskId: 't1', prompt: 'do it', text: 'do it' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.answer(DIED);
  story.answer(NO_PROGRAM);
  expect(story.worker.lifecycle.status).toBe('error');

  story.hear({ kind: 'message-ordered', id: 'm1', text: 'go on' });

  expect(story.last).toMatchObject({ kind: 'look', delivery: expect.any(Number) });
});

test('R5: given a task whose fate is unknown, when a person took over and then sends words, then the task is not typed again blindly', () => {
  const story = idle().hear({ kind: 'start-ordered', taskId: 't1', prompt: 'do it', text: 'do it' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.answer(DIED);
  story.answer(NO_PROGRAM);
  const incident = story.worker.incident.open?.id ?? '';

  story.hear({ kind: 'escalation-answered', incident, option: 'take-over', text: null, by: 'ada' });
  story.pass('check').answer(NO_PROGRAM);
  expect(story.worker.lifecycle.status).toBe('error');
  story.hear({ kind: 'message-ordered', id: 'm1', text: 'go on' });

  expect(story.last).toMatchObject({ kind: 'deliver', text: 'go on' });
});

test('given a worker that was taken over after its crashes, when it is given back, then its crashes are counted from zero', () => {
  const story = answer(working().exit(1, null, ['panic: out of memory']), 'take-over');

  story.hear({ kind: 'message-ordered', id: 'm1', text: 'go on' });

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

  story.hear({ kind: 'message-ordered', id: 'm', text: 'go on' });

  expect(story.last).toMatchObject({ kind: 'respawn', force: true });
});

function answer(story: Story, option: string): Story {
  const incident = story.worker.incident.open?.id ?? '';
  return story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });
}
