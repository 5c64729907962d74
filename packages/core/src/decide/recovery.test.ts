/** Failures and what follows, told as stories. The letters are those of docs/recovery.md. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { BUSY, idle, inReview, READY, RECEIPT, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

describe('session crash', () => {
  test('given a killed agent, when it is up again, then its conversation is resumed and the task given anew with a note', () => {
    const story = working().exit(null, 9).pass('restart');
    expect(story.last).toMatchObject({ kind: 'respawn', force: false, launch: { kind: 'resume' } });

    story.opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver' });
    const { text } = story.last as { text: string };
    expect(text).toContain('the session was cut off');
    expect(text).toContain('make it so');
  });

  test('given two quick crashes, when a third comes, then it is not restarted and a person is told once', () => {
    const story = working();
    for (let crash = 1; crash <= 2; crash += 1) story.exit(1).pass('restart').opened().see(READY).delivered().see(BUSY);

    story.exit(1);

    expect(story.worker.status).toBe('error');
    expect(story.worker.deadlines.restart).toBeUndefined();
    expect(story.records.filter(({ kind }) => kind === 'escalated')).toHaveLength(1);
  });

  test('given a crash a day ago, when another comes, then it counts as the first', () => {
    const story = working().exit(1).pass('restart').opened().see(READY).delivered().see(BUSY);

    story.now += DEFAULT_POLICY.crash.forgetAfterMs + 1;
    story.exit(1);

    expect(story.worker.crashes.count).toBe(1);
  });

  test('given a crash before the prompt was taken, when it is up again, then the prompt itself goes out, without a note', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'refused', why: 'pane-gone', detail: '' }).exit(1).pass('restart').opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'the task' });
  });

  test.each([
    ['0', 0],
    ['130', 130],
  ])(
    'given an exit with status %s, when nothing is committed, then the worker is idle and stays empty',
    (_name, status) => {
      const story = working().exit(status).looked(READY);

      expect(story.worker.status).toBe('idle');
      expect(story.worker.pane).toMatchObject({ kind: 'dead', restartAt: null });
    },
  );

  test('given an exit by its user, when something is committed, then it is not lost but waits for review', () => {
    const story = working().exit(0).looked(READY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.status).toBe('needs_review');
  });

  test('given a panic on the last screen, when the program ended, then it is not restarted', () => {
    const story = working().exit(101, null, ["thread 'main' panicked at src/main.rs", 'panic: oh no']);

    expect(story.worker.status).toBe('error');
  });

  test('R7: given a crash of an earlier life, when it is reported late, then nothing happens', () => {
    const story = working();
    const old = story.incarnation;
    story.exit(1).pass('restart').opened().see(READY);
    const before = story.worker;

    story.hear({
      kind: 'pane-exited',
      exit: { incarnation: old, status: 1, signal: null, lastLines: [], limit: null, at: 0 },
    });

    expect(story.worker.crashes).toEqual(before.crashes);
    expect(story.worker.pane).toEqual(before.pane);
  });
});

describe('a seat that its user left', () => {
  test('given an agent that was ended during the review, when the work is rejected, then it is started again and told', () => {
    const story = inReview().exit(0);

    story.hear({ kind: 'reject-ordered', id: 'r', text: 'better' });
    expect(story.last).toMatchObject({ kind: 'respawn' });
    story.opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'better' });
  });

  test('given an agent that was ended during the review, when the rebase conflicts, then it is started again and told', () => {
    const story = inReview().exit(0).hear({ kind: 'default-branch-moved' });

    story
      .answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' })
      .opened()
      .see(READY);

    expect(story.worker.status).toBe('rebasing');
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'resolve' });
  });
});

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

describe('lost input', () => {
  test('given a text that is never taken, when every rung was tried, then a person is told after 17 s of waiting', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
    const start = story.now;

    lost(story).pass('delivery');
    expect(story.last).toMatchObject({ method: 'typed', settleMs: 200 });
    lost(story).pass('delivery');
    expect(story.last).toMatchObject({ method: 'buffer' });
    lost(story).looked(READY);
    expect(story.last).toMatchObject({ kind: 'respawn', force: true });
    story.opened().see(READY).pass('delivery');
    lost(story);

    expect(story.worker.status).toBe('error');
    expect(story.now - start).toBeLessThan(18_000);
  });

  test('R5: given an unknown outcome, when the look finds the prompt taken, then it is not typed again', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
    const seq = story.worker.inFlight?.seq;

    story.answer({ kind: 'unknown', why: 'the agent died' });
    expect(story.last).toMatchObject({ kind: 'look', delivery: seq });
    story.answer({
      kind: 'looked',
      incarnation: story.incarnation,
      screen: null,
      git: null,
      delivery: { kind: 'taken', by: 'transcript' },
    });

    expect(story.worker.outgoing).toBeNull();
    expect(story.ops.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });

  test('given an agent that took its prompt and finished while nobody looked, when the look finds both, then its work is judged', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    story.answer({ kind: 'unknown', why: 'the agent died' }).see(READY);

    // The screen does not change any more: no other observation will come.
    story.looked(READY, {}, { kind: 'taken', by: 'transcript' });
    story.pass('settle').looked(READY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.status).toBe('needs_review');
  });

  test.each([
    ['whole', 'in-box-whole', { enterOnly: true }],
    ['in part', 'in-box-part', { clearFirst: true }],
    ['not at all', 'absent', { enterOnly: false, clearFirst: false }],
  ] as const)(
    'R5: given an unknown outcome, when the text stands in the box %s, then the next attempt knows',
    (_how, kind, expected) => {
      const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
      story
        .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
        .answer({ kind: 'unknown', why: 'the agent died' });

      story.answer({ kind: 'looked', incarnation: story.incarnation, screen: null, git: null, delivery: { kind } });

      expect(story.last).toMatchObject({ kind: 'deliver', ...expected });
    },
  );

  test('given a partial send, when it happens, then the box is cleared before the text is typed again', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'partial', receipt: RECEIPT }).pass('delivery');

    expect(story.last).toMatchObject({ kind: 'deliver', clearFirst: true, settleMs: 200 });
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

function lost(story: Story): Story {
  return story.answer({ kind: 'lost', receipt: RECEIPT });
}
