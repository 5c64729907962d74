/** A worker whose account is paused, open again, or to be probed. */
import { describe, expect, test } from 'vitest';
import { failing } from '../../../testing/failing.ts';
import { BUSY, idle, READY, working } from '../../../testing/story.ts';
import type { Story } from '../../../testing/story.ts';

const QUESTION = {
  kind: 'question',
  form: 'multiple-choice',
  dialog: { kind: 'question', title: 'Which way?', body: '', options: [{ label: 'Yes', highlighted: true }] },
} as const;

const LIMITED = { kind: 'account-changed', state: 'paused', until: null, other: 'home' } as const;

describe('another account', () => {
  test('given a worker without a task, when its account is at a limit and another is open, then its agent starts anew under that one before its next task', () => {
    const story = idle().hear(LIMITED);

    expect(story.rules).toContain('account:other');
    expect(story.records).toContainEqual({ kind: 'account-chosen', to: 'home' });
    expect(story.worker.account).toEqual({ kind: 'open' });
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
  });

  test('given a worker whose task was not typed yet, when its account is at a limit and another is open, then it changes the account', () => {
    const story = idle().hear({ kind: 'account-changed', state: 'paused', until: null });
    story.hear({ kind: 'start-requested', taskId: 't1', prompt: 'do it', text: 'do it' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    expect(story.worker.command.inFlight).toBeNull();

    story.hear(LIMITED);

    expect(story.records).toContainEqual({ kind: 'account-chosen', to: 'home' });
    expect(story.last).toMatchObject({ kind: 'respawn', launch: { kind: 'fresh' } });
  });

  test('given a worker in a turn, when its account is at a limit and another is open, then it waits', () => {
    const story = working().hear(LIMITED);

    expect(story.records).not.toContainEqual(expect.objectContaining({ kind: 'account-chosen' }));
    expect(story.worker.account).toMatchObject({ kind: 'paused' });
  });
});

describe('a limit of the account', () => {
  test('given a paused account, when a message is given, then it waits until the account is open', () => {
    const story = working().hear({ kind: 'account-changed', state: 'paused', until: null });
    story.hear({ kind: 'message-requested', id: 'm', text: 'and this' });
    expect(story.worker.command.inFlight).toBeNull();
    expect(story.worker.deadlines.nudge).toBeUndefined();

    story.hear({ kind: 'account-changed', state: 'open', until: null });

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'and this' });
  });

  test('given a limit, when this worker probes and works again, then the account answers', () => {
    const story = working().see(failing('usage-limit'));
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'account', event: 'limit-hit' }));

    story.hear({ kind: 'account-changed', state: 'paused', until: null });
    story.hear({ kind: 'account-changed', state: 'probe', until: null }).delivered().see(BUSY).see(BUSY);

    expect(story.records).toContainEqual({ kind: 'account', event: 'answered', resetAt: null });
    expect(story.worker.account).toEqual({ kind: 'open' });
  });

  test('given an agent that ended at the limit and is up again, when the account may be tried, then its task is given again and it is not asked to go on as well', () => {
    const story = working().see(failing('usage-limit'));
    story.hear({ kind: 'account-changed', state: 'paused', until: null });
    story.exit(null, 9).pass('restart').opened().see(READY);
    expect(story.worker).toMatchObject({ mailbox: { current: { purpose: 'restored' } }, command: { inFlight: null } });

    story.hear({ kind: 'account-changed', state: 'probe', until: null });

    expect(story.rules).toContain('trouble-over');
    expect(story.last).toMatchObject({ kind: 'deliver', text: story.worker.mailbox.current?.text });
    story.delivered();
    expect(story.worker).toMatchObject({ mailbox: { current: null, waiting: [] }, command: { inFlight: null } });
  });

  test('given a program that continues by itself, when the account is to be probed, then Drover asks only if nothing came of it', () => {
    const story = working().see({ ...failing('usage-limit'), recoverable: true, resets: 'in 10 minutes' });
    const reset = story.now + 600_000;
    expect(story.worker.deadlines.trouble).toBeGreaterThanOrEqual(reset);

    story.hear({ kind: 'account-changed', state: 'paused', until: reset });
    story.hear({ kind: 'account-changed', state: 'probe', until: null });
    expect(story.worker).toMatchObject({ command: { inFlight: null }, mailbox: { current: null } });

    story.pass('trouble');
    expect(story.last).toMatchObject({ kind: 'deliver' });
  });

  test('given waits at a limit, when there are many, then none of them spends the budget', () => {
    const story = working();
    for (let time = 0; time < 12; time += 1) story.see(failing('rate-limit')).pass('trouble').delivered().see(BUSY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, task: { attempts: 0 } });
  });
});

describe('a limit of the account', () => {
  test('given a pause of which no word comes, when its time and the wait after it are over, then the worker asks for itself', () => {
    const story = working();
    story.hear({ kind: 'account-changed', state: 'paused', until: story.now + 60_000 });
    story.hear({ kind: 'message-requested', id: 'm1', text: 'words' });
    expect(story.worker.command.inFlight).toBeNull();

    story.pass('account');

    expect(story.rules).toContain('account:no-word');
    expect(story.worker.account).toEqual({ kind: 'open' });
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'words' });
  });
});

test('R8: given a worker on its way down, when it is to try whether a limit is over, then another shall, and it does not hold the place', () => {
  const story = working().pass('check').hear({ kind: 'down-requested' });

  story.hear({ kind: 'account-changed', state: 'probe', until: null });

  expect(story.records).toContainEqual({ kind: 'account', event: 'left', resetAt: null });
  expect(story.worker.account).toMatchObject({ kind: 'paused' });
});

test('given an account whose probe hangs, when it is asked again and again, then the probe is nudged all the same', () => {
  const story = working().hear({ kind: 'account-changed', state: 'probe', until: null });
  const due = story.worker.deadlines.nudge;

  for (let times = 0; times < 5; times += 1) {
    story.now += 60_000;
    story.hear({ kind: 'account-changed', state: 'probe', until: null });
  }

  expect(story.worker.deadlines.nudge).toBe(due);
});

test('given a worker that waited out an error and then a person, when it is to probe its account, then another one shall', () => {
  const story = blocked();
  const trouble = {
    error: 'overloaded',
    text: 'overloaded',
    since: 1,
    attempts: 1,
    own: false,
    until: story.now + 1e6,
  } as const;
  story.change({ incident: { trouble } });

  story.hear({ kind: 'account-changed', state: 'probe', until: null });

  expect(story.rules).toContain('account:nothing-to-ask');
  expect(story.records).toContainEqual({ kind: 'account', event: 'left', resetAt: null });
});

test('given a probe that stops and waits for a person, when it is asked again, then another one shall probe', () => {
  const story = working().hear({ kind: 'account-changed', state: 'probe', until: null });
  story.see(QUESTION);
  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input' }, account: { kind: 'probe' } });

  story.hear({ kind: 'account-changed', state: 'probe', until: null });

  expect(story.rules).toContain('account:nothing-to-ask');
});

/** Stops an agent with a question, so that a person is asked. */
function blocked(): Story {
  return working().see(READY).pass('settle').checked(READY);
}
