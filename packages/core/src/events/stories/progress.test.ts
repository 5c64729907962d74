/** Turns without progress, told as stories (docs/recovery.md, stuck). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import type { Reading } from '../../machine/reading.ts';
import { NUDGES } from '../../policy/texts.ts';
import { BUSY, GIT, inReview, READY, Story, working } from '../../testing/story.ts';

const TRUST: AgentState = { kind: 'dialog', dialog: { kind: 'trust', title: 'Trust?', body: '', options: [] } };

const UNKNOWN: AgentState = { kind: 'unknown', why: 'nothing-matched' };

const QUEUED: AgentState = { kind: 'processing', queued: true, composer: { kind: 'empty' } };

const CHECKED = { kind: 'observed', git: GIT, delivery: null } as const;

const EMPTY = { kind: 'empty' } as const;

describe('a turn without progress', () => {
  test('given nothing but a spinner, when 30, 40 and 45 minutes are over, then it is nudged twice and a person is told', () => {
    const story = working();
    const start = story.worker.turn.progress.at;

    story.pass('nudge').delivered().pass('nudge').delivered();
    const texts = story.commands.flatMap((command) => (command.kind === 'deliver' ? [command.text] : []));
    story.pass('nudge');

    expect(texts.slice(-2)).toEqual(NUDGES);
    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(story.now - start).toBeGreaterThanOrEqual(45 * 60_000);
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'escalated', code: 'AGENT_STUCK' }));
  });

  test('given other words for the nudges, when they are due, then the agent gets those', () => {
    const story = working();
    const nudge = { ...story.policy.nudge, firstText: 'Still there?', secondText: 'Last call.' };
    story.policy = { ...story.policy, nudge };

    story.pass('nudge').delivered().pass('nudge').delivered();

    const texts = story.commands.flatMap((command) => (command.kind === 'deliver' ? [command.text] : []));
    expect(texts.slice(-2)).toEqual(['Still there?', 'Last call.']);
  });

  test('given computers that slept through the time of a nudge, when they wake, then nothing is stuck, no attempt is spent, and the agent has its time', () => {
    const story = working();
    story.now = (story.worker.deadlines.nudge ?? 0) + 3 * 3_600_000;

    story.pass('nudge');

    expect(story.rules).toContain('unwatched:nudge');
    expect(story.records).not.toContainEqual(expect.objectContaining({ kind: 'error' }));
    expect(story.worker).toMatchObject({ task: { attempts: 0 }, incident: { open: null }, mailbox: { current: null } });
    expect(story.worker.deadlines.nudge).toBe(story.now + story.policy.nudge.firstMs);
    story.pass('nudge');
    expect(story.worker.mailbox.current?.purpose).toBe('nudge');
  });

  test('given a machine that is away with its agent, when the time of a nudge comes, and when it is back, then the agent has its time', () => {
    const story = working();
    story.connected = false;

    story.pass('nudge').pass('nudge');
    expect(story.records).toEqual([]);
    story.hear({ kind: 'machine-lost', silentMs: 90_000 });
    story.now += 29 * 60_000;
    story.connected = true;
    story.see(BUSY);

    expect(story.worker.deadlines.nudge).toBe(story.now + story.policy.nudge.firstMs);
  });

  test('given a machine whose clock is set back by an hour in a turn, when the agent is ready, then a check notices, and its work is judged long before a nudge', () => {
    const story = working().see(BUSY);
    const offMs = 3_600_000;

    story.pass('check').checkedAt(story.now - offMs, READY);
    expect(story.rules).toContain('clock-set-back');

    expect(story.worker.turn.phase.kind).toBe('none');
    expect(story.worker.lifecycle).toMatchObject({ status: 'needs_input', note: 'stopped without a new commit' });
  });

  test('R7: given a check that took long, when a newer screen was heard meanwhile, then the screen of the check is late all the same', () => {
    const story = working().pass('check');
    const captured = story.now;
    story.now += 10 * 60_000;
    story.see(BUSY);

    story.checkedAt(captured, READY);

    expect(story.rules).not.toContain('clock-set-back');
    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' } });
  });

  test('given a first nudge, when words come, then the clock starts again', () => {
    const story = working().pass('nudge').delivered();
    story.now += story.policy.echoMs;

    story.see(BUSY).see(BUSY);

    expect(story.worker.turn.progress).toMatchObject({ nudges: 0, at: story.now });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'recovered', code: 'AGENT_STUCK' }));
  });

  test('given a nudge that waits for a check, when the check finds progress, then it is not typed any more', () => {
    const story = working().pass('check').pass('nudge');
    expect(story.worker.mailbox.current?.purpose).toBe('nudge');

    story.checked(BUSY);

    expect(story.worker).toMatchObject({
      mailbox: { current: null },
      incident: { open: null },
      command: { inFlight: null },
    });
    expect(story.commands.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });

  test('given a nudge, when only its echo is new on the screen, then that is no progress', () => {
    const story = working().pass('nudge');
    const { at } = story.worker.turn.progress;

    story.delivered().see(BUSY).see(QUEUED);
    story.now += story.policy.echoMs;
    story.see(QUEUED);

    expect(story.worker.turn.progress).toMatchObject({ nudges: 1, at });
    expect(story.worker.incident.open?.code).toBe('AGENT_STUCK');
  });

  test('given a first nudge, when a commit is there that the screen does not show, then the clock starts again', () => {
    const story = working();
    story.pass('check').checked(BUSY).pass('nudge').delivered().pass('check').checked(BUSY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.turn.progress).toMatchObject({ nudges: 0, at: story.now });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'recovered', code: 'AGENT_STUCK' }));
  });

  test('given a crash, when the restarted agent paints its start for long before it has its task again, then that ends no incident', () => {
    const story = working().exit(1).pass('restart').opened();
    story.now += story.policy.incident.calmMs;

    story.see(TRUST);
    story.see(TRUST);

    expect(story.worker.incident.open?.code).toBe('AGENT_CRASHED');
  });
});

test('given words for an agent in no turn whose screen shows nothing known, when that lasts, then it counts as silent and is started again', () => {
  const story = inReview().see(UNKNOWN);
  story.accepted();
  story.candidate({ base: 'main' });
  const invalid = { kind: 'invalid', command: 'make', output: 'no' } as const;
  story.answer(invalid).valid().answer(invalid);
  expect(story.worker).toMatchObject({
    lifecycle: { status: 'working' },
    command: { inFlight: null },
    turn: { phase: { kind: 'none' } },
  });

  story.pass('check').checked(UNKNOWN).pass('nudge');

  expect(story.rules).toContain('silent');
  expect(story.worker.incident.open?.code).toBe('AGENT_TIMEOUT');
  expect(story.commands.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
});

describe('handed to a person', () => {
  test('given a turn that hangs, when it was handed over and goes on hanging, then the person is told once', () => {
    const story = givenToPerson();

    for (let minute = 0; minute < 5; minute += 1) {
      story.pass('check').answer({ ...CHECKED, incarnation: story.incarnation, screen: still(story) });
      expect(story.worker.lifecycle.status).toBe('needs_input');
      expect(story.records).toEqual([]);
    }
  });

  test('given a turn that was handed over, when it makes progress again, then it is at work', () => {
    const story = givenToPerson().see(BUSY);

    expect(story.worker.lifecycle.status).toBe('working');
  });
});

test('R8: given nudges that are long overdue, when the first goes out, then the second has its pause', () => {
  const story = working();
  // The limit is too high for any deadline to count as unwatched.
  story.policy = { ...story.policy, unwatchedMs: Number.MAX_SAFE_INTEGER };
  story.now += 60 * 60_000;

  story.pass('nudge').pass('check');

  const { silence } = story.policy;
  expect(story.worker.turn.progress.nudges).toBe(1);
  expect(story.worker.deadlines.nudge).toBeGreaterThanOrEqual(
    (story.worker.incident.open?.lastAttemptAt ?? 0) + silence.againMs,
  );
});

test('R8: given a screen that ends in a question to a person, when it is heard again, then nothing changes', () => {
  const story = working().see(BUSY).pass('nudge').delivered();
  const error = { error: 'auth', recoverable: false, text: 'log in', resets: null, composer: EMPTY } as const;
  const reading = readingOf(story, { kind: 'error', ...error });
  const seen = { kind: 'screen-seen', incarnation: story.incarnation, reading } as const;
  const { progress } = story.hear(seen).worker.turn;

  expect(story.hear(seen).worker.turn.progress).toEqual(progress);
});

/** Shows a screen without progress: its mark is the one that was seen last. */
function still(story: Story): Reading {
  story.now += 10;
  return {
    at: story.now,
    state: BUSY,
    fingerprint: 'busy',
    progress: story.worker.turn.progress.mark ?? '',
    rule: 'test',
  };
}

function givenToPerson(): Story {
  const story = working();
  for (let nudge = 0; nudge < 2; nudge += 1) {
    story.pass('nudge');
    if (story.last?.kind === 'deliver') story.delivered();
    story.now += story.policy.echoMs;
    story.hear({ kind: 'screen-seen', incarnation: story.incarnation, reading: still(story) });
  }
  story.pass('nudge');
  expect(story.worker.lifecycle.status).toBe('needs_input');
  return story;
}

function readingOf({ now }: Story, state: AgentState): Reading {
  return { at: now + 10, state, fingerprint: state.kind, progress: '0', rule: 'test' };
}
