/** Commands that fail, or that their machine does not answer. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import type { CommandResult } from '../../machine/commands.ts';
import { idle, READY } from '../../testing/story.ts';

const TOO_LATE: CommandResult = {
  kind: 'failed',
  code: 'timed-out',
  message: 'prepare did not end within 120000 ms',
  retry: true,
};

describe('commands without an answer', () => {
  test('given a silent machine, when it is away, then nothing is decided', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    story.connected = false;

    story.pass('command').pass('command').pass('command');

    expect(story.worker.command.inFlight?.command.kind).toBe('prepare');
    expect(story.commands.filter(({ kind }) => kind === 'prepare')).toHaveLength(2);
  });

  test('given a connected machine, when a command is overdue twice, then it is given again', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });

    story.pass('command').pass('command');

    expect(story.commands.filter(({ kind }) => kind === 'prepare')).toHaveLength(3);
  });

  test('R2: given a machine that dies over a command each time, when that was often enough, then a person is asked', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });

    for (let time = 0; time < DEFAULT_POLICY.command.retry.attemptsMax; time += 1)
      story.answer({ kind: 'unknown', why: 'the agent died' });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      command: { inFlight: null },
      incident: { open: { escalated: true } },
    });
  });

  test('given a command that ends too late, when a check in between is carried out, then nothing is recovered, and the next failure is the second attempt', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    const { policy } = story;
    const incidents: string[] = [];

    for (let attempt = 1; attempt <= policy.command.retry.attemptsMax; attempt += 1) {
      expect(story.last).toMatchObject({ kind: 'prepare' });
      story.pass('check').answer(TOO_LATE);
      incidents.push(`${story.worker.incident.open?.id ?? ''} ${story.worker.incident.open?.attempts ?? 0}`);
      if (attempt === policy.command.retry.attemptsMax) break;
      story.pass('hold');
      expect(story.last).toMatchObject({ kind: 'observe' });
      story.checked(READY);
      expect(story.records).not.toContainEqual(expect.objectContaining({ kind: 'recovered' }));
    }

    const [id = ''] = incidents[0]?.split(' ') ?? [];
    expect(incidents).toEqual([`${id} 1`, `${id} 2`, `${id} 2`]);
    expect(story.worker.lifecycle).toMatchObject({
      status: 'error',
      note: expect.stringContaining('did not end within 120000 ms'),
    });
  });

  test('given a command that ends too late, when it is carried out the next time, then the incident is over', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });

    story.answer(TOO_LATE).pass('hold').answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'recovered', code: 'GIT_WORKTREE_FAILED' }));
    expect(story.worker.command.failures).toBe(0);
  });

  test.each(['disk-full', 'connection-lost'])(
    'given a machine that cannot do it for "%s", when that was tried as often as allowed, then a person is asked, and no attempt of the task is spent',
    (code) => {
      const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });

      for (let attempt = 1; attempt < DEFAULT_POLICY.command.retry.attemptsMax; attempt += 1)
        story.answer({ kind: 'failed', code, message: 'not now', retry: true }).pass('hold');
      expect(story.worker).toMatchObject({ task: { attempts: 0 }, incident: { open: { attempts: 0 } } });
      story.answer({ kind: 'failed', code, message: 'not now', retry: true });

      expect(story.worker).toMatchObject({ task: { attempts: 0 }, incident: { open: { escalated: true } } });
    },
  );

  test('given a failure that passes, when it comes again and again, then the budget ends it', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'p' });
    const { attemptsMax } = DEFAULT_POLICY.command.retry;

    for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
      story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true }).pass('hold');
    }
    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, command: { inFlight: null } });
    expect(story.worker.lifecycle.note).toContain('no space left');
  });
});
