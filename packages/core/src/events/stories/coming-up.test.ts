/** Starts an agent, from the request to its prompt, and handles a missing prompt. */
import { describe, expect, test } from 'vitest';
import { ROUTE } from '../../testing/laden.ts';
import { idle, inReview, READY, Story, working } from '../../testing/story.ts';

const MOVE = { kind: 'move-requested', route: ROUTE } as const;

describe('coming up', () => {
  test('given a new worker, when a person asks for it, then worktree, session and prompt come one after the other', () => {
    const story = idle();

    expect(story.commands.map(({ kind }) => kind)).toEqual(['prepare', 'open']);
    expect(story.worker.lifecycle.status).toBe('idle');
  });

  test('given a worker that comes up, when it is given a task too early, then the refusal says what to wait for', () => {
    const story = new Story().hear({ kind: 'up-requested' });

    story.hear({ kind: 'start-requested', taskId: 't1', prompt: 'p', text: 'p' });

    expect(story.reply).toMatchObject({ code: 'busy', message: expect.stringContaining('wait until its session') });
  });

  test('given a worker that is being removed, when it is given a task or sent away, then the refusal says that', () => {
    const story = working().hear({ kind: 'nuke-requested', force: true, task: 'drop' });

    for (const event of [{ kind: 'start-requested', taskId: 't2', prompt: 'p', text: 'p' }, MOVE] as const)
      expect(story.hear(event).reply).toMatchObject({ code: 'offline', message: 'The worker is being removed' });
  });

  test('given a bypass dialog at the start, when it is seen, then it is answered once and the start goes on', () => {
    const dialog = { kind: 'bypass', title: 'Bypass?', body: '', options: [] } as const;
    const story = new Story()
      .hear({ kind: 'up-requested' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened();

    story.see({ kind: 'dialog', dialog }).see({ kind: 'dialog', dialog });
    story.answer({ kind: 'answered', label: 'Yes' }).see(READY);

    expect(story.commands.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
    expect(story.worker.lifecycle.status).toBe('idle');
  });

  test('given a session without a prompt, when the time for its start is over thrice, then a person is told', () => {
    const story = new Story()
      .hear({ kind: 'up-requested' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened();

    const starting = { kind: 'starting' } as const;

    story.pass('start-up').pass('start-up').checked(starting).opened().pass('start-up');

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_SPAWN_FAILED' }));
    expect(story.worker.command.inFlight).toBeNull();
  });

  test('given a worker with whom a person works by hand, when its start asks something for longer than a start may take, then it is left to them', () => {
    const dialog = { kind: 'trust', title: 'Trust?', body: '', options: [] } as const;
    const story = new Story()
      .hear({ kind: 'up-requested' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened()
      .change({ lifecycle: { takenOver: true } });

    story.see({ kind: 'dialog', dialog }).pass('start-up');

    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, session: { pane: { kind: 'up' } } });
    expect(story.commands.map(({ kind }) => kind)).toEqual(['prepare', 'open']);
  });

  test('given a program that needs 75 s to start, when 60 s are over, then it is left alone, spends no attempt, and is up with its prompt', () => {
    const story = new Story()
      .hear({ kind: 'up-requested' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened()
      .see({ kind: 'starting' });

    story.pass('start-up');

    expect(story.worker).toMatchObject({
      incident: { open: null },
      lifecycle: { note: expect.stringContaining('it runs, so it gets 120 s more') },
    });
    expect(story.last).toMatchObject({ kind: 'open' });
    story.see(READY);
    expect(story.commands.map(({ kind }) => kind)).toEqual(['prepare', 'open']);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, session: { startFailures: 0 } });
  });

  test('given a machine that is away, when the time for a start is over, then nothing is concluded from that', () => {
    const story = new Story().hear({ kind: 'up-requested' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).opened();
    story.connected = false;

    for (let wait = 0; wait < 5; wait += 1) story.pass('start-up');

    expect(story.worker).toMatchObject({ incident: { open: null }, session: { startFailures: 0 } });
  });

  test('given a clock that was set forward, when the time for a start seems over, then it begins again', () => {
    const story = new Story().hear({ kind: 'up-requested' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null }).opened();

    for (let jump = 0; jump < 3; jump += 1) {
      story.now += 2 * 3_600_000;
      story.pass('start-up');
    }

    expect(story.worker).toMatchObject({ incident: { open: null }, session: { startFailures: 0 } });
    expect(story.worker.deadlines['start-up']).toBe(story.now + 60_000);
  });

  test('given a program that shows no prompt, when each wait is over, then the next is twice as long, and a person is told which number that is', () => {
    const story = new Story()
      .hear({ kind: 'up-requested' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened();
    const dueIn = (): number => (story.worker.deadlines['start-up'] ?? 0) - story.now;
    const times = [dueIn()];

    story.pass('start-up');
    times.push(dueIn());
    story.pass('start-up').checked({ kind: 'starting' }).opened();
    times.push(dueIn());
    story.pass('start-up');

    expect(times).toEqual([60_000, 120_000, 240_000]);
    expect(story.records).toContainEqual(
      expect.objectContaining({
        kind: 'escalated',
        why: expect.stringContaining('within 240 s (policy startUp.timeoutMs'),
      }),
    );
    expect(story.worker.lifecycle.note).toContain('raise it under [policy.startUp] in drover.toml');
  });

  test('given a program that is not there, when opening fails, then it is not tried again and a person is told', () => {
    const story = new Story()
      .hear({ kind: 'up-requested' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'failed', code: 'program-missing', message: 'no "claude" on this machine', retry: false });

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.worker.lifecycle.note).toContain('no "claude"');
  });

  test('given a coding agent of a person in the worktree, when opening fails for it, then a person is told which, no machine is changed, and a retry opens', () => {
    const story = new Story().hear({ kind: 'up-requested' });
    story.elsewhere = { here: { id: 'm1', name: 'one' }, others: [{ id: 'm2', name: 'two' }] };
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
    const message = 'Cannot start "lee": process 42 (claude) is a coding agent that Drover did not start';

    story.answer({ kind: 'failed', code: 'worktree-in-use', message, retry: false });

    expect(story.worker.lifecycle).toMatchObject({ status: 'error', note: expect.stringContaining('42 (claude)') });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'WORKTREE_IN_USE' }));
    const incident = story.worker.incident.open?.id ?? '';
    story.hear({ kind: 'escalation-answered', incident, option: 'retry', text: null, by: 'somebody' });
    story.opened().see(READY);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, incident: { open: null } });
  });

  test('given a program that env cannot find, when it ends at once, then it is no crash, and a person is told that it is not installed', () => {
    const story = new Story()
      .hear({ kind: 'up-requested' })
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened();

    story.exit(127, null, ["env: 'claude': No such file or directory"]);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, session: { crashes: { count: 0 } } });
    expect(story.worker.deadlines.restart).toBeUndefined();
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_CLI_NOT_FOUND' }));
  });

  test('given an agent that may not be run, when its start ends with status 126, then a person is told so at once', () => {
    const story = new Story().hear({ kind: 'up-requested' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened();

    story.exit(126, null, ["env: 'claude': Permission denied"]);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error', note: expect.stringContaining('not allowed to run it') },
      session: { crashes: { count: 0 } },
    });
    expect(story.worker.incident.open?.code).toBe('PERMISSION_DENIED');
  });

  test('given an agent that had come up, when it ends with status 127, then that is a crash like any other', () => {
    const story = working().exit(127);

    expect(story.rules).toContain('exit:crash');
  });
});

describe('a start that was too slow', () => {
  test('given a program that is about to be started again, when a person ends it, then the session does not stay empty', () => {
    const story = new Story().hear({ kind: 'up-requested' });
    story
      .answer({ kind: 'prepared', base: 'a', head: 'a', saved: null })
      .opened()
      .pass('start-up')
      .pass('start-up')
      .exit(0);

    story.answer({ kind: 'unknown', why: 'the agent died' }).pass('restart');

    expect(story.worker.lifecycle.status).toBe('offline');
    expect(story.last).toMatchObject({ kind: 'respawn' });
  });
});

test('given a worker that comes up again, when it shows no prompt while its work is merged, then it is not offline for good', () => {
  const story = inReview();
  story.lease = 'other';
  story.accepted().hear({ kind: 'down-requested' }).answer({ kind: 'closed' }).hear({ kind: 'up-requested' }).opened();
  story.lease = 'free';
  story.pass('accept');
  expect(story.last).toMatchObject({ kind: 'candidate' });
  expect(story.worker).toMatchObject({ lifecycle: { status: 'offline' }, session: { pane: { kind: 'starting' } } });

  story.pass('start-up');

  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, session: { pane: { kind: 'up' } } });
});
