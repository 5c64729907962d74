/** The program's own dialog at a usage limit, told as stories (docs/recovery.md, errors that the agent shows). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../../agent-state.ts';
import { DEFAULT_POLICY } from '../../../policy/policy.ts';
import { BUSY, READY, working } from '../../../testing/story.ts';
import type { Story } from '../../../testing/story.ts';

const WAIT = 'Stop and wait for limit to reset';

const PAY = 'Upgrade your plan';

const LIMIT: Extract<AgentState, { kind: 'error' }> = {
  kind: 'error',
  error: 'usage-limit',
  recoverable: false,
  text: "You've hit your session limit · resets in 2 hours",
  resets: 'resets in 2 hours',
  composer: { kind: 'empty' },
};

describe('the dialog of a limit', () => {
  test('given a limit dialog, when it is shown, then the profile answers it and the account learns of a limit', () => {
    const story = working().see(offers());

    expect(story.records).toContainEqual({ kind: 'account', event: 'limit-hit', resetAt: null });
    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'policy', dialog: 'limit' } });
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      incident: { open: { code: 'USAGE_LIMIT', escalated: false } },
    });
  });

  test('given a dialog that states the reset itself, when it is shown, then that is waited for', () => {
    const story = working().see(offers('Usage limit reached. Try again in 3 hours.'));

    expect((story.worker.deadlines.trouble ?? 0) - story.now).toBeGreaterThanOrEqual(3 * 3_600_000);
  });

  test('given a screen that quotes the bare time of the reset, when it is read, then the account learns that time', () => {
    const story = working().see({ ...LIMIT, text: "You've hit your session limit", resets: '7pm (UTC)' });

    expect(story.records).toContainEqual({ kind: 'account', event: 'limit-hit', resetAt: 19 * 3_600_000 });
  });

  test('given an answered dialog, when the screen behind it states the reset, then the account is told and it sleeps until then', () => {
    const story = answered(working().see(offers())).see(LIMIT);
    const waitMs = (story.worker.deadlines.trouble ?? 0) - story.now;
    const told = story.records.filter(({ kind }) => kind === 'account');
    story.see(LIMIT);
    const again = story.records;
    story.pass('trouble');

    expect(waitMs).toBeGreaterThanOrEqual(2 * 3_600_000);
    expect(told).toEqual([{ kind: 'account', event: 'limit-hit', resetAt: expect.any(Number) }]);
    expect(again).toEqual([]);
    expect(story.last).toMatchObject({ kind: 'deliver' });
    expect(story.worker.incident.trouble?.attempts).toBe(1);
  });

  test('given an answered dialog, when the screen shows a prompt only, then it has not stopped: it is asked to go on later', () => {
    const story = answered(working().see(offers())).see(READY).pass('settle').checked(READY);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, incident: { open: { escalated: false } } });

    story.pass('trouble');

    expect(story.last).toMatchObject({ kind: 'deliver' });
  });

  test('given a limit dialog that stays, when it was answered often enough, then a person is asked', () => {
    const story = working().see(offers());
    for (let time = 0; time < DEFAULT_POLICY.dialogs.answersMax; time += 1) answered(story).see(offers());

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_input' },
      incident: { open: { escalated: true } },
    });
  });

  test('given a task that meets many limits, when each is over, then none uses up the answers of the next', () => {
    const story = working();

    for (let time = 0; time < 2 * DEFAULT_POLICY.dialogs.answersMax; time += 1) {
      story.see(offers());
      expect(story.worker.command.inFlight?.command.kind).toBe('answer');
      answered(story).see(LIMIT).pass('trouble').delivered().see(BUSY).see(BUSY);
    }

    expect(story.worker.lifecycle.status).toBe('working');
  });
});

describe('a person who answers the dialog of a limit', () => {
  test('given a profile without an answer, when a person says to wait, then the worker waits and goes on at the reset', () => {
    const story = resolved(WAIT);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, incident: { open: null } });

    story.see(LIMIT).pass('trouble');

    expect(story.last).toMatchObject({ kind: 'deliver' });
    expect(story.records.filter(({ kind }) => kind === 'escalated')).toEqual([]);
  });

  test('given a profile without an answer, when a person wants to pay, then the worker is left to them', () => {
    const story = resolved(PAY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input' }, incident: { trouble: null } });
  });

  test('given an open question, when a person answers it by hand in the session, then the limit is waited for', () => {
    const story = asked().see(LIMIT);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      incident: { trouble: { error: 'usage-limit' } },
    });
    expect(story.worker.deadlines.trouble).toBeGreaterThan(story.now + 3_600_000);
  });

  test('given a person who took over, when a limit is shown, then nothing is pressed', () => {
    const story = asked();
    const incident = story.worker.incident.open?.id ?? 'none';
    story.hear({ kind: 'escalation-answered', incident, option: 'take-over', text: null, by: 'ada' });
    const before = story.commands.length;

    story.see(offers()).see(LIMIT);

    expect(story.commands.length).toBe(before);
    expect(story.worker.lifecycle.status).toBe('needs_input');
  });
});

function offers(body = ''): AgentState {
  const options = [WAIT, PAY].map((label, index) => ({ label, highlighted: index === 0 }));
  return { kind: 'dialog', dialog: { kind: 'limit', title: 'What do you want to do?', body, options } };
}

function answered(story: Story): Story {
  return story.answer({ kind: 'answered', label: WAIT });
}

function asked(): Story {
  return working()
    .see(offers())
    .answer({ kind: 'failed', code: 'no-answer', message: 'the profile has none', retry: false });
}

function resolved(option: string): Story {
  const story = asked();
  const incident = story.worker.incident.open?.id ?? 'none';
  story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'ada' });
  expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label: option } });
  return story.answer({ kind: 'answered', label: option });
}
