/** What follows when a session is gone, or an order comes to nothing, told as stories? The letters are those of docs/recovery.md. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { BUSY, idle, inReview, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

describe('a rebase under way when work is sent back', () => {
  const permission = { kind: 'permission', title: 'Allow?', body: '', options: [] } as const;

  test('given the agent asks meanwhile, when the rebase conflicts, then it is rebasing, for so the worktree stands', () => {
    const story = inReview()
      .hear({ kind: 'default-branch-moved' })
      .hear({ kind: 'reject-ordered', id: 'r', text: 'better' });
    story.see({ kind: 'permission', tool: 'Bash', command: 'ls', dialog: permission });
    expect(story.worker.status).toBe('needs_input');

    story.answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' });

    expect(story.worker.status).toBe('rebasing');
  });

  test('given the agent asks and goes on meanwhile, when the rebase conflicts, then it is rebasing too', () => {
    const story = inReview()
      .hear({ kind: 'default-branch-moved' })
      .hear({ kind: 'reject-ordered', id: 'r', text: 'better' });
    story.see({ kind: 'permission', tool: 'Bash', command: 'ls', dialog: permission }).see(BUSY);
    expect(story.worker.status).toBe('working');

    story.answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' });

    expect(story.worker.status).toBe('rebasing');
  });
});

describe('session gone', () => {
  test('given a task, when the machine has no session of it any more, then it is opened again and the task restored', () => {
    const story = working().hear({ kind: 'panes-listed', pane: null });
    expect(story.worker.status).toBe('offline');
    expect(story.last).toMatchObject({ kind: 'open', launch: { kind: 'resume' } });

    story.opened().see(READY);

    expect(story.worker.status).toBe('working');
    expect(story.last).toMatchObject({ kind: 'deliver' });
  });

  test('given work in review, when its session is gone, then it waits for review again and nothing is typed', () => {
    const story = inReview().hear({ kind: 'panes-listed', pane: null }).opened().see(READY);

    expect(story.worker.status).toBe('needs_review');
    expect(story.worker.inFlight).toBeNull();
  });
});

describe('a session that the row knows nothing of', () => {
  const incarnation = '1.1.%1.1';

  test('given an agent at work in it, when the machine lists it, then it is taken over and nothing is given again', () => {
    const story = unknowing()
      .hear({ kind: 'panes-listed', pane: { incarnation, dead: false } })
      .see(BUSY);

    expect(story.worker).toMatchObject({ status: 'working', pane: { kind: 'up', incarnation }, restoreDue: false });
    expect(story.ops.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });

  test('given that its program has ended, when the machine lists it, then it is started again and its task is given again', () => {
    const story = unknowing().hear({ kind: 'panes-listed', pane: { incarnation, dead: true } });
    expect(story.last).toMatchObject({ kind: 'respawn' });

    story.opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('cut off') });
  });
});

describe('orders without an answer', () => {
  test('given a silent machine, when it is away, then nothing is decided', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.connected = false;

    story.pass('command').pass('command').pass('command');

    expect(story.worker.inFlight?.op.kind).toBe('prepare');
    expect(story.ops.filter(({ kind }) => kind === 'prepare')).toHaveLength(2);
  });

  test('given a connected machine, when an order is overdue twice, then it is given again', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });

    story.pass('command').pass('command');

    expect(story.ops.filter(({ kind }) => kind === 'prepare')).toHaveLength(3);
  });

  test('R2: given a machine that dies over an order each time, when that was often enough, then a person is asked', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });

    for (let time = 0; time < DEFAULT_POLICY.command.retry.attemptsMax; time += 1)
      story.answer({ kind: 'unknown', why: 'the agent died' });

    expect(story.worker).toMatchObject({ status: 'error', inFlight: null, incident: { escalated: true } });
  });

  test('given a failure that passes, when it comes again and again, then the budget ends it', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    const { attemptsMax } = DEFAULT_POLICY.command.retry;

    for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
      story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true }).pass('hold');
    }
    story.answer({ kind: 'failed', code: 'disk-full', message: 'no space left', retry: true });

    expect(story.worker).toMatchObject({ status: 'error', inFlight: null });
    expect(story.worker.note).toContain('no space left');
  });
});

/** As after a backup of the database was restored: its row knows nothing of its session. */
function unknowing(): Story {
  const story = working();
  story.worker = { ...story.worker, pane: { kind: 'absent' }, seen: null, deadlines: {} };
  return story;
}
