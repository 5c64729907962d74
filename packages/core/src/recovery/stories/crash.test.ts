/** An agent that crashed: when it is started again, and when a person is asked. The letters are those of docs/recovery.md. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { BUSY, idle, inReview, READY, working } from '../../testing/story.ts';
import { changeIncident } from '../../worker/incident.ts';

describe('session crash', () => {
  test('given a killed agent, when it is up again, then its conversation is resumed and the task given again with a note', () => {
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

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.worker.deadlines.restart).toBeUndefined();
    expect(story.records.filter(({ kind }) => kind === 'escalated')).toHaveLength(1);
  });

  test('given a person who is asked after three crashes, when the session is brought up and ends again, then it is written down and counts no more', () => {
    const story = working();
    for (let crash = 1; crash <= 2; crash += 1) story.exit(1).pass('restart').opened().see(READY).delivered().see(BUSY);
    story.exit(1).hear({ kind: 'down-requested' }).answer({ kind: 'closed' });
    story.hear({ kind: 'up-requested' }).opened().see(READY);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, session: { pane: { kind: 'up' } } });

    story.exit(1);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      session: { crashes: { count: 3 }, pane: { kind: 'dead', restartAt: null } },
    });
    expect(story.records).toMatchObject([{ kind: 'error', message: 'its agent crashed (status 1)' }]);
  });

  test.each([
    [
      null,
      15,
      ['> stop the server', '● Bash(pkill -f "node server")', '  ⎿  Running'],
      'signal 15; its terminal shows "pkill -f "node server""',
    ],
    [137, null, ['$ killall -9 node'], 'status 137; its terminal shows "killall -9 node"'],
    [null, 9, ['$ kill -9 %1; tmux kill-server'], 'signal 9; its terminal shows "kill -9 %1; tmux kill-server"'],
    [null, 9, ['it would kill the process'], 'signal 9)'],
    [null, 9, ['Killed'], 'signal 9)'],
    [1, null, ['$ pkill -f node'], 'status 1)'],
    [255, null, ['kill 3 zombies'], 'status 255)'],
  ])(
    'given an end by status %o and signal %o after the lines %o, when it is written down, then a command that sent the signal is named',
    (status, signal, lines, words) => {
      const story = working();

      story.exit(status, signal, lines);

      expect(story.records[0]).toMatchObject({ kind: 'error', message: expect.stringContaining(words) as string });
    },
  );

  test.each([
    ['for the first time', [], 'exit:crash-again', 'fresh'],
    ['and started without its conversation before', [{ kind: 'respawn-clean' }], 'exit:crash', 'resume'],
  ] as const)(
    'given a restart that did not help %s, when it crashes again, then it is started without its conversation once',
    (_how, tried, rule, launch) => {
      const story = working().exit(1).pass('restart').opened();
      story.change({ incident: changeIncident(story.worker.incident, { tried }) });

      story.exit(1);

      expect(story.rules).toContain(rule);
      expect(story.pass('restart').last).toMatchObject({ kind: 'respawn', launch: { kind: launch } });
    },
  );

  test('given a crash a day ago, when another comes, then it counts as the first', () => {
    const story = working().exit(1).pass('restart').opened().see(READY).delivered().see(BUSY);

    story.now += DEFAULT_POLICY.crash.forgetAfterMs + 1;
    story.exit(1);

    expect(story.worker.session.crashes.count).toBe(1);
  });

  test('given a crash before the prompt was taken, when it is up again, then the prompt itself goes out, without a note', () => {
    const story = idle().hear({ kind: 'start-requested', taskId: 't', prompt: 'p', text: 'the task' });
    story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });

    story.answer({ kind: 'refused', why: 'pane-gone', detail: '' }).exit(1).pass('restart').opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'the task' });
  });

  test('given a panic on the last screen, when the program ended, then it is not restarted', () => {
    const story = working().exit(101, null, ["thread 'main' panicked at src/main.rs", 'panic: oh no']);

    expect(story.worker.lifecycle.status).toBe('error');
  });

  test('R7: given a crash of an earlier incarnation, when it is reported late, then nothing happens', () => {
    const story = working();
    const old = story.incarnation;
    story.exit(1).pass('restart').opened().see(READY);
    const before = story.worker;

    story.hear({
      kind: 'pane-exited',
      exit: { incarnation: old, status: 1, signal: null, lastLines: [], limit: null, at: 0 },
    });

    expect(story.worker.session.crashes).toEqual(before.session.crashes);
    expect(story.worker.session.pane).toEqual(before.session.pane);
  });
});

describe('work that waits for review', () => {
  test('given an agent that crashes as often as it may, when it crashes once more, then a person is asked', () => {
    const story = inReview().exit(1).pass('restart').opened().see(READY).exit(1).pass('restart').opened().see(READY);

    story.exit(1);

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'moved', from: 'needs_review', to: 'error' }));
  });
});

describe('an agent that waits for words', () => {
  test('given a question, when its program crashes, then it is started again and the same question stays', () => {
    const story = working().see(READY).pass('settle').checked(READY);
    const asked = story.worker.incident.open;
    expect(asked).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });

    story.exit(1);
    expect(story.records).toEqual([
      expect.objectContaining({ kind: 'error', code: 'AGENT_CRASHED', incident: asked?.id }),
    ]);
    story.pass('restart').opened().see(READY).pass('check').checked(READY);

    expect(story.records).toEqual([]);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input' }, incident: { open: asked } });
  });

  test('given a question, when its program crashes as often as it may, then a person is asked what to do about that', () => {
    const story = working().see(READY).pass('settle').checked(READY);
    story.exit(1).pass('restart').opened().see(READY).exit(1).pass('restart').opened().see(READY);

    story.exit(1);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      incident: { open: { code: 'AGENT_CRASHED', escalated: true } },
    });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'moved', from: 'needs_input', to: 'error' }));
  });
});

describe('a deadline that has passed', () => {
  test('given a restart that is due, when something else is in flight, then no deadline of the past is armed', () => {
    const story = working().exit(1).pass('restart');

    expect(story.worker.command.inFlight?.command.kind).toBe('respawn');
    expect(story.worker.deadlines.restart).toBeUndefined();
  });
});

test('R1: given a restart that finds no pane, when the worker was taken down meanwhile, then it is offline', () => {
  const story = working().exit(1).pass('restart').hear({ kind: 'down-requested' });

  story.answer({ kind: 'pane-gone' });

  expect(story.worker).toMatchObject({ lifecycle: { status: 'offline', before: 'working' } });
});
