/** Believes the end of a turn at the right time, and sends the work on (docs/recovery.md, stuck). */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import { ASKED, BUSY, CONFLICT, idle, inReview, READY, RECEIPT, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import { sinceOf } from '../../worker/turn.ts';

const WORK = { head: 'bbbb', ahead: 1, subject: 'work' };

const NO_RECORD = { ...RECEIPT, evidence: ['screen: working'] };

const PERMISSION: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [] },
};

/** Gives a task that is on its way into the agent. */
function given(): Story {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'make it so', text: 'make it so' });
  return story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
}

/** Delivers a text that the record shows as taken, while the screen shows the previous prompt long enough to be believed. */
function onRecordAlone(): Story {
  return given().delivered().see(READY).pass('settle');
}

/** Reads the screen by a check, and shows the turn before the check's answer. */
function overtaken(): { readonly story: Story; readonly readAt: number } {
  const story = onRecordAlone();
  return { readAt: story.now, story: story.see(BUSY) };
}

/** Delivers, in the same way, the text about the conflicts of the worker's accept. */
function toldOfConflicts(): Story {
  const story = inReview().accepted().clash();
  return story.answer(CONFLICT).opened().see(READY).delivered().see(READY).pass('settle');
}

describe('a turn that only the record of its program tells of', () => {
  test('given a prompt that stays for longer than it settles, when no commit is there, then no person is asked, and the turn that shows at last is judged', () => {
    const story = onRecordAlone().checked(READY);
    expect(story.rules).toContain('turn-unseen');
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      incident: { open: null },
      command: { inFlight: null },
    });

    story.see(BUSY).see(READY).pass('settle').checked(READY, WORK).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given a turn that never shows, when it would long have shown, then a person is asked', () => {
    const story = onRecordAlone();
    const began = sinceOf(story.worker.turn) ?? 0;

    story.checked(READY).pass('settle');
    expect(story.now - began).toBeGreaterThanOrEqual(story.policy.turnShowsMs);
    expect(story.now - began).toBeLessThan(story.policy.turnShowsMs + story.policy.settleMs);
    story.checked(READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input', note: 'stopped without a new commit' } });
  });

  test('given the same, when a commit is there already, then the work waits for review as soon as the prompt has settled', () => {
    const story = onRecordAlone().checked(READY, WORK).candidate().valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given a commit of the turn before, when words that were just taken have not shown their turn, then that commit ends nothing', () => {
    const story = working().pass('check').checked(BUSY, WORK).see(READY);
    story.hear({ kind: 'message-requested', id: 'm', text: 'go on' }).delivered().see(READY).pass('settle');

    story.checked(READY, WORK);

    expect(story.worker.lifecycle.status).toBe('working');
    expect(story.rules).toContain('turn-unseen');
  });

  test('given the stuck check before its time is over, when the prompt is there, then that is no end either', () => {
    const story = given();
    story.policy = { ...story.policy, turnShowsMs: 10 * story.policy.checkEveryMs };
    story.delivered().pass('check').checked(READY);

    expect(story.rules).toContain('turn-unseen');
    expect(story.worker.lifecycle.status).toBe('working');
  });

  test('given a text of unknown fate, when a check finds it on record, then the prompt on its screen is not the end of its turn', () => {
    const story = given().answer({ kind: 'unknown', why: 'the agent died' });
    story.checked(READY, {}, { kind: 'taken', by: 'hook' }).see(READY).pass('settle').checked(READY);

    expect(story.rules).toContain('turn-unseen');
  });

  test('given conflicts on their way, when the prompt stays and the rebase is under way, then its agent is not helped yet', () => {
    const story = toldOfConflicts();

    story.checked(READY, { ...WORK, head: 'cccc', rebasing: true, unmerged: 1 });
    expect(story.rules).toContain('turn-unseen');
    expect(story.worker).toMatchObject({ lifecycle: { status: 'rebasing' }, mailbox: { current: null } });
  });

  test('given conflicts on their way, when the prompt has settled and the rebase is over, then its agent has done that', () => {
    const story = toldOfConflicts();

    story.checked(READY, WORK);

    expect(story.last).toMatchObject({ kind: 'resolution' });
  });

  test('given the worker that tries for its account, when its prompt stays, then the account has not answered before its turn shows', () => {
    const story = working().hear({ kind: 'account-changed', state: 'probe', until: null });
    story.hear({ kind: 'message-requested', id: 'm', text: 'go on' }).delivered();
    expect(story.see(READY).rules).not.toContain('account:answered');

    expect(story.see(BUSY).rules).toContain('account:answered');
  });
});

describe('a check whose screen is older than one that was seen since', () => {
  test('given the prompt of before, when the turn shows before the answer comes, then nobody is asked', () => {
    const { story, readAt } = overtaken();

    story.checkedAt(readAt, READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, incident: { open: null } });
  });

  test('given the same, when the turn ends too before the answer comes, then it is judged by the check after', () => {
    const { story, readAt } = overtaken();

    story.see(READY).checkedAt(readAt, READY).pass('settle').checked(READY, WORK);

    expect(story.rules).toContain('commit-found');
  });

  test('given a turn that was seen, when the agent goes on before the answer comes, then nobody is asked', () => {
    const story = given().delivered().see(BUSY).see(READY).pass('settle');
    const readAt = story.now;

    story.see(BUSY).checkedAt(readAt, READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, incident: { open: null } });
  });
});

describe('a turn that was seen', () => {
  test.each([
    ['on its screen', (story: Story) => story.delivered().see(BUSY)],
    ['by what it asks', (story: Story) => story.delivered().see(PERMISSION)],
    ['while it was typed', (story: Story) => story.answer({ kind: 'delivered', at: story.now, receipt: NO_RECORD })],
    ['before its text came', (story: Story) => story.answer({ kind: 'queued', at: story.now, receipt: RECEIPT })],
  ])('given work %s, when its prompt has settled, then it is judged at once', (_how, taken) => {
    const story = taken(given());
    const since = story.see(READY).now;

    story.pass('settle').checked(READY);

    expect(story.now - since).toBeLessThan(story.policy.turnShowsMs / 10);
    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(story.rules).not.toContain('turn-unseen');
  });
});

describe('a task', () => {
  test('given a commit, when the agent is ready and a check confirms it, then the work waits for review', () => {
    const story = inReview();

    expect(story.worker.lifecycle.status).toBe('needs_review');
    expect(story.worker.lifecycle.note).toBe('committed "work"');
  });

  test('given no commit, when the agent stops with a question, then it needs input', () => {
    const story = working().see(ASKED).pass('settle').checked(ASKED);

    expect(story.worker.lifecycle.status).toBe('needs_input');
    expect(story.worker.lifecycle.note).toBe('stopped with a question');
  });

  test('given a flicker of ready, when the agent is busy again before it settled, then nothing is judged', () => {
    const story = working().see(READY).see(BUSY);

    expect(story.worker.deadlines.settle).toBeUndefined();
    expect(story.worker.command.inFlight).toBeNull();
  });

  test('given a screen captured before the prompt was taken, when it comes in, then it does not end the turn', () => {
    const story = working();
    const turnSince = sinceOf(story.worker.turn) ?? 0;

    story.hear({
      kind: 'screen-seen',
      incarnation: story.incarnation,
      reading: { at: turnSince, state: READY, fingerprint: '', progress: '', rule: '' },
    });

    expect(story.worker.deadlines.settle).toBeUndefined();
  });

  test('given a worker marked as working, when its end was not heard for a minute, then a check comes', () => {
    const story = working()
      .pass('check')
      .checked(READY, { head: 'bbbb', ahead: 1, subject: 'work' })
      .candidate()
      .valid();

    expect(story.worker.lifecycle.status).toBe('needs_review');
  });

  test('given a permission that was asked for, when it is refused and the turn ends, then the note does not quote the dialog any more', () => {
    const dialog = { kind: 'permission', title: 'Allow?', body: '', options: [] } as const;
    const story = working().see({ kind: 'permission', tool: 'Bash', command: 'rm x', dialog });
    expect(story.worker.lifecycle.note).toContain('rm x');

    story.see(READY).pass('settle').checked(READY);

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_input', note: 'stopped without a new commit' } });
  });
});
