/** The life of a task, told as stories. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import type { WorkerStatus } from '../worker/status.ts';
import { ASKED, BUSY, idle, inReview, READY, Story, working } from '../testing/story.ts';

describe('coming up', () => {
  test('given a new worker, when it is ordered up, then worktree, session and prompt come one after the other', () => {
    const story = idle();

    expect(story.ops.map(({ kind }) => kind)).toEqual(['prepare', 'open']);
    expect(story.worker.status).toBe('idle');
  });

  test('given a bypass dialog at the start, when it is seen, then it is answered once and the start goes on', () => {
    const dialog = { kind: 'bypass', title: 'Bypass?', body: '', options: [] } as const;
    const story = new Story()
      .hear({ kind: 'up-ordered' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened();

    story.see({ kind: 'dialog', dialog }).see({ kind: 'dialog', dialog });
    story.answer({ kind: 'answered', label: 'Yes' }).see(READY);

    expect(story.ops.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
    expect(story.worker.status).toBe('idle');
  });

  test('given a session without a prompt, when the time for its start is over thrice, then a person is told', () => {
    const story = new Story()
      .hear({ kind: 'up-ordered' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened();

    const starting = { kind: 'starting' } as const;

    story.pass('start-up').looked(starting).opened().pass('start-up').looked(starting).opened().pass('start-up');

    expect(story.worker.status).toBe('error');
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_SPAWN_FAILED' }));
    expect(story.worker.inFlight).toBeNull();
  });

  test('given a program that is not there, when opening fails, then it is not tried again and a person is told', () => {
    const story = new Story()
      .hear({ kind: 'up-ordered' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'failed', code: 'program-missing', message: 'no "claude" on this machine', retry: false });

    expect(story.worker.status).toBe('error');
    expect(story.worker.note).toContain('no "claude"');
  });

  test('given a program that env cannot find, when it ends at once, then it is no crash, and a person is told that it is not installed', () => {
    const story = new Story()
      .hear({ kind: 'up-ordered' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened();

    story.exit(127, null, ["env: 'claude': No such file or directory"]);

    expect(story.worker).toMatchObject({ status: 'error', crashes: { count: 0 } });
    expect(story.worker.deadlines.restart).toBeUndefined();
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_CLI_NOT_FOUND' }));
  });

  test('given an agent that may not be run, when its start ends with status 126, then a person is told so at once', () => {
    const story = new Story().hear({ kind: 'up-ordered' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened();

    story.exit(126, null, ["env: 'claude': Permission denied"]);

    expect(story.worker).toMatchObject({
      status: 'error',
      crashes: { count: 0 },
      note: expect.stringContaining('may not be run'),
    });
    expect(story.worker.incident?.code).toBe('PERMISSION_DENIED');
  });

  test('given an agent that had come up, when it ends with status 127, then that is a crash like any other', () => {
    const story = working().exit(127);

    expect(story.rules).toContain('exit:crash');
  });
});

describe('a task', () => {
  test('given a commit, when the agent is ready and a look confirms it, then the work waits for review', () => {
    const story = inReview();

    expect(story.worker.status).toBe('needs_review');
    expect(story.worker.note).toBe('committed "work"');
  });

  test('given no commit, when the agent stops with a question, then it needs input', () => {
    const story = working().see(ASKED).pass('settle').looked(ASKED);

    expect(story.worker.status).toBe('needs_input');
    expect(story.worker.note).toBe('stopped with a question');
  });

  test('given a flicker of ready, when the agent is busy again before it settled, then nothing is judged', () => {
    const story = working().see(READY).see(BUSY);

    expect(story.worker.deadlines.settle).toBeUndefined();
    expect(story.worker.inFlight).toBeNull();
  });

  test('given a screen captured before the prompt was taken, when it comes in, then it does not end the turn', () => {
    const story = working();
    const turnSince = story.worker.turnSince ?? 0;

    story.hear({
      kind: 'screen-seen',
      incarnation: story.incarnation,
      look: { at: turnSince, state: READY, fingerprint: '', progress: '', rule: '' },
    });

    expect(story.worker.deadlines.settle).toBeUndefined();
  });

  test('given a worker marked as working, when nobody heard of its end for a minute, then somebody looks', () => {
    const story = working().pass('check').looked(READY, { head: 'bbbb', ahead: 1, subject: 'work' });

    expect(story.worker.status).toBe('needs_review');
  });

  test('given a permission that was asked for, when it is refused and the turn ends, then the note does not quote the dialog any more', () => {
    const dialog = { kind: 'permission', title: 'Allow?', body: '', options: [] } as const;
    const story = working().see({ kind: 'permission', tool: 'Bash', command: 'rm x', dialog });
    expect(story.worker.note).toContain('rm x');

    story.see(READY).pass('settle').looked(READY);

    expect(story.worker).toMatchObject({ status: 'needs_input', note: 'stopped without a new commit' });
  });

  test('given a message to a busy agent, when it is delivered, then it may be queued', () => {
    const story = working().hear({ kind: 'message-ordered', id: 'm', text: 'also this' });

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'also this', mayQueue: true });
  });

  test('given a second task, when the conversation was used, then the agent starts afresh before it is delivered', () => {
    const story = working().exit(0).looked(READY);
    const first = story.worker.conversation;

    story.hear({ kind: 'start-ordered', taskId: 't2', prompt: 'next', text: 'next' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });

    expect(first?.used).toBe(true);
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
    expect(story.worker.conversation?.id).not.toBe(first?.id);
  });
});

describe('review', () => {
  test('given feedback, when the agent stops at the commit that was rejected, then it needs input', () => {
    const story = inReview().hear({ kind: 'reject-ordered', id: 'r', text: 'better' });
    expect(story.worker.status).toBe('rejected');

    story.delivered().see(BUSY).see(READY).pass('settle').looked(READY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.status).toBe('needs_input');
  });

  test('given feedback, when the agent commits anew, then its work waits for review again', () => {
    const story = inReview().hear({ kind: 'reject-ordered', id: 'r', text: 'better' });

    story.delivered().see(BUSY).see(READY).pass('settle').looked(READY, { head: 'cccc', ahead: 2 });

    expect(story.worker.status).toBe('needs_review');
  });

  test('given an accept, when every step answers, then the seat is free and the lease is given back', () => {
    const story = inReview().accepted();
    expect(story.records).toContainEqual({ kind: 'lease', action: 'acquire' });
    story.lease = 'mine';

    story.rebased({ base: 'aaaa' }).valid();
    story.squashed('dddd', 'aaaa').answer({ kind: 'merged', commit: 'dddd' });
    story.answer({ kind: 'closed' }).answer({ kind: 'recycled', base: 'dddd' });

    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    expect(story.worker).toMatchObject({ status: 'idle', accept: null, task: null });
    expect(story.last).toMatchObject({ kind: 'open', launch: { kind: 'fresh' } });
  });

  test('given another worker that merges, when this one is accepted, then it waits for its turn', () => {
    const story = inReview();
    story.lease = 'other';

    story.accepted().pass('accept');
    expect(story.worker.inFlight).toBeNull();
    story.lease = 'free';
    story.pass('accept');

    expect(story.last).toMatchObject({ kind: 'rebase' });
  });

  const blocked = { kind: 'blocked', why: 'commit or stash them' } as const;
  const invalid = { kind: 'invalid', command: 'make', output: 'no' } as const;
  const conflict = { kind: 'conflict', files: ['a'], prompt: 'resolve' } as const;

  test.each<[string, (story: Story) => Story, WorkerStatus]>([
    [
      'the source has uncommitted changes',
      (story) => story.rebased().valid().squashed('dddd').answer(blocked),
      'needs_review',
    ],
    ['a check fails', (story) => story.rebased().answer(invalid), 'working'],
    ['the rebase conflicts', (story) => story.answer(conflict), 'rebasing'],
  ])('given an accept, when %s, then nothing is merged and the lease is given back', (_what, play, status) => {
    const story = play(inReview().accepted());

    expect(story.worker).toMatchObject({ status, accept: null });
    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
  });

  test('given the default branch moved meanwhile, when the fast-forward says so, then it is rebased again', () => {
    const story = inReview().accepted();

    story.rebased({ base: 'aaaa' }).valid();
    story.squashed('dddd', 'aaaa').answer({ kind: 'moved', now: 'eeee' });

    expect(story.last).toMatchObject({ kind: 'rebase' });
  });

  test('given conflicts, when the agent resolved them, then git decides and the work waits for review', () => {
    const story = inReview()
      .hear({ kind: 'default-branch-moved' })
      .answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' });

    story.delivered().see(BUSY).see(READY).pass('settle').looked(READY, { head: 'eeee', ahead: 1 });

    expect(story.worker.status).toBe('needs_review');
  });

  test('given conflicts that are left, when the agent stops twice, then it is helped once and a person is asked', () => {
    const story = inReview()
      .hear({ kind: 'default-branch-moved' })
      .answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' });

    story.delivered().see(BUSY).see(READY).pass('settle').looked(READY, { rebasing: true, unmerged: 1 });
    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('git status') });
    story.delivered().see(BUSY).see(READY).pass('settle').looked(READY, { rebasing: true, unmerged: 1 });

    expect(story.worker.status).toBe('error');
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'REBASE_STUCK' }));
  });

  test('given conflicts that its agent was helped with, when no progress comes for five minutes, then a person is asked', () => {
    const story = inReview()
      .hear({ kind: 'default-branch-moved' })
      .answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' });
    story.delivered().see(BUSY).see(READY).pass('settle').looked(READY, { rebasing: true, unmerged: 1 });
    story.delivered().see(BUSY);
    const waitMs = (story.worker.deadlines.nudge ?? 0) - story.worker.progress.at;

    story.pass('nudge');

    expect(waitMs).toBe(DEFAULT_POLICY.rework.stuckMs);
    expect(story.worker).toMatchObject({ status: 'error', pane: { kind: 'up' } });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'REBASE_STUCK' }));
  });
});

describe('orders that cannot be followed', () => {
  test.each([
    [
      'a task for a busy worker',
      working(),
      { kind: 'start-ordered', taskId: 't', prompt: 'p', text: 'p' } as const,
      'busy',
    ],
    ['a message to an idle worker', idle(), { kind: 'message-ordered', id: 'm', text: 'x' } as const, 'not-working'],
    ['a rejection of nothing', working(), { kind: 'reject-ordered', id: 'r', text: 'x' } as const, 'not-in-review'],
    [
      'an accept of nothing',
      idle(),
      { kind: 'accept-ordered', pin: { head: 'bbbb', tree: null } } as const,
      'not-in-review',
    ],
    ['the removal of a busy worker', working(), { kind: 'nuke-ordered', force: false } as const, 'unmerged'],
    ['the removal of unmerged work', inReview(), { kind: 'nuke-ordered', force: false } as const, 'unmerged'],
  ])('given %s, when it is ordered, then it is refused and nothing changes', (_what, story, event, code) => {
    const before = story.worker;

    story.hear(event);

    expect(story.reply).toMatchObject({ kind: 'refused', code });
    expect({ ...story.worker, deadlines: {} }).toEqual({ ...before, deadlines: {} });
  });
});
