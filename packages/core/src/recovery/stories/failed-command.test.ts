/** Commands that fail, or that their machine does not answer. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { idle } from '../../testing/story.ts';

describe('commands without an answer', () => {
  test('given a silent machine, when it is away, then nothing is decided', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.connected = false;

    story.pass('command').pass('command').pass('command');

    expect(story.worker.command.inFlight?.command.kind).toBe('prepare');
    expect(story.commands.filter(({ kind }) => kind === 'prepare')).toHaveLength(2);
  });

  test('given a connected machine, when a command is overdue twice, then it is given again', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });

    story.pass('command').pass('command');

    expect(story.commands.filter(({ kind }) => kind === 'prepare')).toHaveLength(3);
  });

  test('R2: given a machine that dies over a command each time, when that was often enough, then a person is asked', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });

    for (let time = 0; time < DEFAULT_POLICY.command.retry.attemptsMax; time += 1)
      story.answer({ kind: 'unknown', why: 'the agent died' });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      command: { inFlight: null },
      incident: { open: { escalated: true } },
    });
  });

  test('given a failure that passes, when it comes again and again, then the budget ends it', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    const { attemptsMax } = DEFAULT_POLICY.command.retry;

    for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
      story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true }).pass('hold');
    }
    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, command: { inFlight: null } });
    expect(story.worker.lifecycle.note).toContain('no space left');
  });
});
