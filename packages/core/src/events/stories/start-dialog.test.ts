/** Dialogs at the start of a program. Each start has its own: they do not use up the answers of the task. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import type { CommandResult } from '../../machine/commands.ts';
import { BUSY, GIT, idle, READY, RECEIPT, Story, working } from '../../testing/story.ts';

const BYPASS: AgentState = {
  kind: 'dialog',
  dialog: {
    kind: 'bypass',
    title: 'Bypass Permissions mode',
    body: '',
    options: [
      { label: 'No, exit', highlighted: true },
      { label: 'Yes, I accept', highlighted: false },
    ],
  },
};

const TRUST: AgentState = {
  kind: 'dialog',
  dialog: { kind: 'trust', title: 'Trust it?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

const FULL: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };

const SAVED: CommandResult = { kind: 'checkpointed', commit: 'cccc', head: 'aaaa', dirty: 0 };

const NO_PROGRAM: CommandResult = { kind: 'failed', code: 'program-missing', message: 'no tmux', retry: false };

test('given a task whose agent was started again many times, when its start dialog comes once more, then it is answered', () => {
  const story = working();

  for (let life = 0; life < 6; life += 1) {
    const from = { id: 'c', commit: 'cccc', conversation: 'talk', prompt: null };
    story.hear({ kind: 'restore-requested', checkpoint: from, resetAgent: false });
    story.answer({ kind: 'closed' }).answer({ kind: 'restored', head: 'aaaa', saved: null });
    story.answer({ kind: 'opened', incarnation: `life ${life}` });
    story.see(BYPASS);

    expect(story.worker.command.inFlight?.command.kind).toBe('answer');
    story.answer({ kind: 'answered', label: 'Yes, I accept' }).see(READY);
    story.answer({ kind: 'refused', why: 'pane-gone', detail: '' });
  }
});

test('given a worker that was asked for words before its start dialog, when that goes away, then a check asks for the words again at once', () => {
  const story = working().see(READY).pass('settle').checked(READY);
  expect(story.worker.incident.open?.escalated).toBe(true);
  story.exit(null, 9).pass('restart').answer({ kind: 'opened', incarnation: 'second' }).see(BYPASS);
  story.answer({ kind: 'failed', code: 'timed-out', message: 'tmux did not answer in time', retry: true });

  story.see(READY);

  expect(story.rules).toContain('dialog-gone');
  expect(story.last).toMatchObject({ kind: 'observe' });
  story.checked(READY);
  expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  expect(story.worker.lifecycle.note).toBe('stopped without a new commit');
});

test('given a start dialog that a person answers, when the time to start is over before the answer arrives, then the start has not failed and the task goes out', () => {
  const story = working();
  story.exit(null, 9).pass('restart').answer({ kind: 'opened', incarnation: 'second' }).see(BYPASS);
  story.answer({ kind: 'failed', code: 'no-such-option', message: 'it has no such option', retry: false });
  expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input' }, session: { pane: { kind: 'starting' } } });
  const incident = story.worker.incident.open?.id ?? '';
  story.hear({ kind: 'escalation-answered', incident, option: 'Yes, I accept', text: null, by: 'somebody' });

  story.pass('start-up');

  expect(story.rules).toContain('start-up:person-asked');
  story.answer({ kind: 'answered', label: 'Yes, I accept' }).see(READY);
  expect(story.last?.kind).toBe('deliver');
});

describe('a dialog of the start', () => {
  const trust: AgentState = { kind: 'dialog', dialog: { kind: 'trust', title: 'Trust?', body: '', options: [] } };

  test('given a ready that flickered, when the trust dialog comes after it, then it is answered as at the start', () => {
    const story = idle().see(trust);

    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'policy', dialog: 'trust' } });
    story.answer({ kind: 'answered', label: 'Yes' }).see(READY);
    expect(story.worker.lifecycle.status).toBe('idle');
  });

  test('given a profile without an answer, when it says so, then a person is asked, and hands that answer it settle it', () => {
    const story = idle().see(trust);

    story.answer({ kind: 'failed', code: 'no-answer', message: 'the profile has none', retry: false });
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      incident: { open: { code: 'AGENT_BLOCKED', escalated: true } },
    });
    story.see(READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, incident: { open: null } });
  });
});

const IMPORTS: AgentState = {
  kind: 'dialog',
  dialog: {
    kind: 'other',
    title: 'Allow external CLAUDE.md file imports?',
    body: '/tmp/ext.md',
    options: [
      { label: 'No, disable external imports', highlighted: true },
      { label: 'Yes, allow external imports', highlighted: false },
    ],
  },
};

describe('a dialog of the start that no rule answers', () => {
  const NO_ANSWER: CommandResult = { kind: 'failed', code: 'no-answer', message: 'the profile has none', retry: false };

  test('given one that the profile does not know either, when it shows, then a person is asked at once with its own options', () => {
    const story = starting().see(IMPORTS);
    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'policy', dialog: 'other' } });

    story.answer(NO_ANSWER);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, session: { startFailures: 0 } });
    expect(story.records).toContainEqual(
      expect.objectContaining({
        kind: 'escalated',
        code: 'AGENT_BLOCKED',
        question: expect.objectContaining({
          options: expect.arrayContaining([expect.objectContaining({ id: 'Yes, allow external imports' })]),
        }),
      }),
    );
  });

  test('given that a person chose, when it is up, then it is idle, and no program was ended', () => {
    const story = starting().see(IMPORTS).answer(NO_ANSWER);
    const incident = story.worker.incident.open?.id ?? '';
    const option = 'Yes, allow external imports';

    story.hear({ kind: 'escalation-answered', incident, option, text: null, by: 'somebody' });

    expect(story.last).toMatchObject({ kind: 'answer', choice: { kind: 'label', label: option } });
    story.answer({ kind: 'answered', label: option }).see(READY);
    expect(story.worker).toMatchObject({ lifecycle: { status: 'idle' }, incident: { open: null } });
    expect(story.commands.map(({ kind }) => kind)).toEqual(['prepare', 'open', 'answer', 'answer']);
  });

  test('given a project whose policy denies such dialogs, when it shows, then the policy answers and no person is asked', () => {
    const story = starting();
    story.policy = { ...story.policy, dialogs: { ...story.policy.dialogs, other: 'deny' } };

    story.see(IMPORTS);

    expect(story.last).toMatchObject({
      kind: 'answer',
      choice: { kind: 'label', label: 'No, disable external imports' },
    });
    expect(story.worker.incident.open).toBeNull();
  });

  test('given one that its answers did not close, when it was answered as often as allowed, then a person is asked', () => {
    const story = starting();

    for (let times = 0; times < story.policy.dialogs.answersMax; times += 1)
      story.see(TRUST).answer({ kind: 'stale', why: 'the dialog did not close' });
    story.see(TRUST);

    expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  });

  test('given a permission that a fresh program asks for, when it shows without a task, then a person is asked', () => {
    const dialog = { kind: 'permission', title: 'Use this server?', body: '', options: [] } as const;

    const story = starting().see({ kind: 'permission', tool: 'mcp', command: '', dialog });

    expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  });

  test('R3: given a program that was slow twice, when the check before its end finds a dialog, then it is not ended but asked for', () => {
    const story = starting().pass('start-up').pass('start-up');
    expect(story.last).toMatchObject({ kind: 'observe' });

    story.checked(IMPORTS);

    expect(story.last).toMatchObject({ kind: 'answer' });
    story.answer(NO_ANSWER).pass('start-up');
    expect(story.commands.map(({ kind }) => kind)).not.toContain('respawn');
    expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });
  });

  test('given a dialog that is being answered, when the time to start is over, then the program is left alone', () => {
    const story = starting().see(TRUST).pass('start-up').pass('start-up').pass('start-up');

    expect(story.worker).toMatchObject({ session: { startFailures: 0 }, incident: { open: null } });
  });
});

/** Starts the worker's program, which shows nothing yet. */
function starting(): Story {
  const story = new Story().hear({ kind: 'up-requested' });
  return story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened();
}

test('R1: given an answer to a dialog of the start, when the agent comes up before it is carried out, then the question is open again', () => {
  const { story, incident } = askedInError();
  story.hear({ kind: 'escalation-answered', incident, option: 'Yes', text: null, by: 'somebody' }).see(BUSY);

  story.answer({ kind: 'stale', why: 'another screen' });

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'error' },
    incident: { open: { id: incident, escalated: true } },
  });
});

test('R1: given a question in error whose answer is being carried out, when the machine is lost and the answer fails, then the question is open again', () => {
  const { story, incident } = askedInError();
  story.hear({ kind: 'escalation-answered', incident, option: 'Yes', text: null, by: 'somebody' }).see(BUSY);

  story.hear({ kind: 'machine-lost', silentMs: 600_000 }).answer(NO_PROGRAM);

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'error' },
    incident: { open: { code: 'AGENT_BLOCKED', escalated: true } },
  });
});

/** Fails to answer a dialog of the start: the worker is in error, and a person is asked. */
function askedInError(): { story: Story; incident: string } {
  const story = new Story().hear({ kind: 'up-requested' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened().see(TRUST).answer(FULL);
  return { story, incident: story.worker.incident.open?.id ?? '' };
}

test('given a task that Drover gave up on before its agent took it, when a later start asks something and goes away, then the task goes out', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'p', text: 'the task' });
  const slow: CommandResult = {
    kind: 'failed',
    code: 'timed-out',
    message: 'tmux did not answer in time',
    retry: true,
  };
  story.answer({ kind: 'prepared', base: 'a', head: 'a', saved: null });
  story.answer({ kind: 'unknown', why: 'its delivery broke off', receipt: RECEIPT });
  for (let time = 0; time < 20 && story.worker.lifecycle.status !== 'error'; time += 1) {
    const { inFlight } = story.worker.command;
    if (inFlight === null) story.pass('hold');
    else if (inFlight.command.kind === 'checkpoint') story.answer(SAVED);
    else story.answer(slow);
  }
  expect(story.worker).toMatchObject({ lifecycle: { status: 'error' }, mailbox: { current: null } });
  story.pass('hold').answer(SAVED);

  restart(story).see(TRUST);
  story.answer({ kind: 'failed', code: 'no-answer', message: 'its profile has no answer', retry: false });
  expect(story.worker.incident.open).toMatchObject({ code: 'AGENT_BLOCKED', held: [{ purpose: 'task' }] });
  restart(story);
  // Some of it may have been typed: a check looks first (R5), and finds no pane.
  expect(story.last).toMatchObject({ kind: 'observe', textId: 't1' });
  story.answer({ kind: 'observed', incarnation: null, screen: null, git: GIT, delivery: { kind: 'absent' } });
  story.opened().see(READY);

  expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, mailbox: { current: { purpose: 'task' } } });
});

/** Closes the session by request and opens it again. */
function restart(story: Story): Story {
  story.hear({ kind: 'down-requested' }).answer({ kind: 'closed' }).hear({ kind: 'up-requested' });
  return story.last?.kind === 'open' ? story.opened() : story;
}
