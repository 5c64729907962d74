/** Moves and rules that take three things at once, and so are hardly ever met by chance, told as stories. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { BUSY, idle, inReview, READY, working } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';
import type { WorkerEvent } from '../worker/event.ts';
import type { OpResult } from '../worker/op.ts';

const CONFLICT: OpResult = { kind: 'conflict', files: ['a'], prompt: 'resolve' };

describe('a rebase is under way when a person sends the work back', () => {
  test('given the agent at work by then, when the rebase conflicts, then its work is rebasing', () => {
    expect(sentBack().answer(CONFLICT).worker).toMatchObject({
      status: 'rebasing',
      outgoing: { purpose: 'rejection' },
    });
  });

  test('given an agent that asks by then, when the rebase conflicts, then its work is rebasing', () => {
    const story = sentBack().see(PERMISSION);
    expect(story.worker.status).toBe('needs_input');

    expect(story.answer(CONFLICT).worker.status).toBe('rebasing');
  });

  test('given an agent that asked and goes on by then, when the rebase conflicts, then its work is rebasing', () => {
    const story = sentBack().see(PERMISSION).see(BUSY);
    expect(story.worker.status).toBe('working');

    expect(story.answer(CONFLICT).worker.status).toBe('rebasing');
  });
});

describe('work that waits for review', () => {
  test('given a session that cannot be opened again, when a person says to try again, then it waits for review as before', () => {
    const story = inReview().hear({ kind: 'panes-listed', pane: null }).answer(NO_PROGRAM);
    expect(story.worker).toMatchObject({ status: 'error', incident: { before: 'needs_review' } });

    story.hear(retry(story));

    expect(story.worker.status).toBe('needs_review');
    expect(story.last).toMatchObject({ kind: 'open' });
  });

  test('given an agent that crashes as often as it may, when it crashes once more, then a person is asked', () => {
    const story = inReview().exit(1).pass('restart').opened().see(READY).exit(1).pass('restart').opened().see(READY);

    story.exit(1);

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'moved', from: 'needs_review', to: 'error' }));
  });

  test('given an agent that is being started, when it shows no prompt while the work is merged, then nobody starts it again', () => {
    const story = inReview().exit(1).pass('restart').opened();
    story.lease = 'mine';
    story.accepted();
    expect(story.last).toMatchObject({ kind: 'rebase' });

    story.pass('start-up');

    expect(story.rules).toContain('start-up:while-merging');
    expect(story.worker).toMatchObject({ startFailures: 0, incident: { code: 'AGENT_CRASHED' }, pane: { kind: 'up' } });
  });
});

describe('a person tries again what failed', () => {
  test('given rejected work whose session cannot be opened, when a person says to try again, then it is rejected work again', () => {
    const story = inReview().hear({ kind: 'reject-ordered', id: 'r1', text: 'not yet' }).delivered().see(BUSY);
    story.hear({ kind: 'panes-listed', pane: null }).answer(NO_PROGRAM);
    expect(story.worker).toMatchObject({ status: 'error', incident: { before: 'rejected' } });

    expect(story.hear(retry(story)).worker.status).toBe('rejected');
  });

  test.each([
    ['rejected', inReview, { kind: 'reject-ordered', id: 'r1', text: 'not yet' }],
    ['working', idle, { kind: 'start-ordered', taskId: 't2', prompt: 'next', text: 'next' }],
  ] as const)(
    'given a program that crashed before the worker was %s, when it cannot be started again and a person says to try again, then it is that again',
    (status, begin, order) => {
      const story = begin().exit(1).hear(order);
      story.hear({ kind: 'panes-listed', pane: null });
      while (story.worker.inFlight?.op.kind === 'prepare')
        story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
      story.answer(NO_PROGRAM);
      expect(story.worker.status).toBe('error');

      expect(story.hear(retry(story)).worker.status).toBe(status);
    },
  );

  test('given conflicts whose agent cannot be started, when a person says to try again, then they are to be resolved again', () => {
    const story = conflicted();
    story.hear({ kind: 'panes-listed', pane: null }).answer(NO_PROGRAM);
    expect(story.worker).toMatchObject({ status: 'error', incident: { before: 'rebasing' } });

    expect(story.hear(retry(story)).worker.status).toBe('rebasing');
  });

  test('given conflicts, when a person goes back to a checkpoint, then the worker is at work', () => {
    const checkpoint = { id: 'c1', commit: 'c1', conversation: null, prompt: null };

    const story = conflicted().hear({ kind: 'restore-ordered', checkpoint, resetAgent: false });

    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'moved', from: 'rebasing', to: 'working' }));
  });
});

describe('an agent that waits for words', () => {
  test('given a question, when its program crashes, then it is started again and the same question stands', () => {
    const story = working().see(READY).pass('settle').looked(READY);
    const asked = story.worker.incident;
    expect(asked).toMatchObject({ code: 'AGENT_BLOCKED', escalated: true });

    story.exit(1);
    expect(story.records).toEqual([
      expect.objectContaining({ kind: 'error', code: 'AGENT_CRASHED', incident: asked?.id }),
    ]);
    story.pass('restart').opened().see(READY).pass('check').looked(READY);

    expect(story.records).toEqual([]);
    expect(story.worker).toMatchObject({ status: 'needs_input', incident: asked });
  });

  test('given a question, when its program crashes as often as it may, then a person is asked what to do about that', () => {
    const story = working().see(READY).pass('settle').looked(READY);
    story.exit(1).pass('restart').opened().see(READY).exit(1).pass('restart').opened().see(READY);

    story.exit(1);

    expect(story.worker).toMatchObject({ status: 'error', incident: { code: 'AGENT_CRASHED', escalated: true } });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'moved', from: 'needs_input', to: 'error' }));
  });
});

describe('a limit of the account', () => {
  test('given a pause of which no word comes, when its time and the wait after it are over, then the worker asks for itself', () => {
    const story = working();
    story.hear({ kind: 'account-changed', state: 'paused', until: story.now + 60_000 });
    story.hear({ kind: 'message-ordered', id: 'm1', text: 'words' });
    expect(story.worker.inFlight).toBeNull();

    story.pass('account');

    expect(story.rules).toContain('account:no-word');
    expect(story.worker.account).toBeNull();
    expect(story.last).toMatchObject({ kind: 'deliver', text: 'words' });
  });
});

const NO_PROGRAM: OpResult = { kind: 'failed', code: 'program-missing', message: 'no such program', retry: false };
const PERMISSION: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

function conflicted(): Story {
  const story = inReview().hear({ kind: 'default-branch-moved' }).answer(CONFLICT);
  return story.delivered().see(BUSY);
}

function sentBack(): Story {
  const story = inReview().hear({ kind: 'default-branch-moved' });
  return story.hear({ kind: 'reject-ordered', id: 'r1', text: 'not yet' });
}

function retry(story: Story): WorkerEvent {
  const incident = story.worker.incident?.id ?? 'none';
  return { kind: 'escalation-answered', incident, option: 'retry', text: null, by: 'ada' };
}
