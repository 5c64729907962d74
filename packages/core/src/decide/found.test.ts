/** What the properties found, told as stories. */
import { describe, expect, test } from 'vitest';
import type { AgentState } from '../agent-state.ts';
import { BUSY, idle, inReview, READY, RECEIPT, Story, working } from '../testing/story.ts';
import type { Look, OpResult } from '../worker/op.ts';

const ASKS: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

const TRUST: AgentState = {
  kind: 'dialog',
  dialog: { kind: 'trust', title: 'Trust it?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

describe('what the properties found', () => {
  test('R1: given a restart that finds no pane, when the worker was taken down meanwhile, then it is offline', () => {
    const story = working().exit(1).pass('restart').hear({ kind: 'down-ordered' });

    story.answer({ kind: 'pane-gone' });

    expect(story.worker).toMatchObject({ status: 'offline', before: 'working' });
  });

  test('R5: given a task whose fate is unknown, when a person takes the worker up, then a look comes first', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't1', prompt: 'do it', text: 'do it' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    story.answer(DIED);
    story.answer(NO_PROGRAM);
    expect(story.worker.status).toBe('error');

    story.hear({ kind: 'message-ordered', id: 'm1', text: 'go on' });

    expect(story.last).toMatchObject({ kind: 'look', delivery: expect.any(Number) });
  });

  test('R5: given a task whose fate is unknown, when a person took over and then sends words, then the task is not typed again blindly', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't1', prompt: 'do it', text: 'do it' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    story.answer(DIED);
    story.answer(NO_PROGRAM);
    const incident = story.worker.incident?.id ?? '';

    story.hear({ kind: 'escalation-answered', incident, option: 'take-over', text: null, by: 'ada' });
    story.pass('check').answer(NO_PROGRAM);
    expect(story.worker.status).toBe('error');
    story.hear({ kind: 'message-ordered', id: 'm1', text: 'go on' });

    expect(story.last).toMatchObject({ kind: 'deliver', text: 'go on' });
  });

  test('R7: given a dialog that was answered, when an older screen comes late, then it is not taken for the present one', () => {
    const story = working();
    story.policy = { ...story.policy, dialogs: { ...story.policy.dialogs, permission: 'allow' } };
    story.see(ASKS);

    story.answer({ kind: 'answered', label: 'Yes' });
    story.hear({
      kind: 'screen-seen',
      incarnation: story.incarnation,
      look: { at: 1, state: ASKS, fingerprint: 'permission', progress: 'x', rule: 'test' },
    });

    expect(story.rules).toContain('stale:time');
  });

  test('total: given a rebase under way, when its task is ended meanwhile, then conflicts move nobody', () => {
    const story = working().see(READY).pass('settle').looked(READY, { head: 'bbbb', ahead: 1 });
    story.hear({ kind: 'default-branch-moved' });
    expect(story.last).toMatchObject({ kind: 'rebase' });
    story.worker = { ...story.worker, status: 'idle', task: null };

    story.answer({ kind: 'conflict', files: ['a'], prompt: 'resolve' });

    expect(story.worker.status).toBe('idle');
  });

  test('R1: given an answer to a dialog of the start, when the agent comes up before it is carried out, then the question is open again', () => {
    const { story, incident } = askedInError();
    story.hear({ kind: 'escalation-answered', incident, option: 'Yes', text: null, by: 'somebody' }).see(BUSY);

    story.answer({ kind: 'stale', why: 'another screen' });

    expect(story.worker).toMatchObject({ status: 'error', incident: { id: incident, escalated: true } });
  });

  test.each(['accept', 'default-branch-moved'] as const)(
    'R2: given a rebase by "%s" that fails for good, when the default branch moves, then it is not begun again at once',
    (kind) => {
      const story = inReview();
      story.lease = 'mine';
      if (kind === 'accept') story.accepted();
      else story.hear({ kind });
      story.worker = { ...story.worker, rebaseDue: true };

      story.answer(NO_PROGRAM);
      expect(story.worker).toMatchObject({ accept: null, inFlight: null, rebaseDue: false });
      story.hear({ kind: 'default-branch-moved' });

      expect(story.worker.inFlight).toBeNull();
      expect(story.pass('hold').last).toMatchObject({ kind: 'rebase' });
    },
  );

  test('R2: given a rebase that fails while a person is asked, when a look is due that may bring the work back to review, then its pause comes first', () => {
    const story = inReview().hear({ kind: 'default-branch-moved' });
    story.hear({ kind: 'repair-ordered', repair: { kind: 'hand-over', why: 'no prompt is on record' } }).pass('check');

    story.answer(FULL);

    expect(story.worker).toMatchObject({ status: 'needs_input', judgeDue: true, inFlight: null });
    expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
  });

  test('R8: given nudges that are long overdue, when the first goes out, then the second has its pause', () => {
    const story = working();
    story.now += 60 * 60_000;

    story.pass('nudge').pass('check');

    const { silence } = story.policy;
    expect(story.worker.progress.nudges).toBe(1);
    expect(story.worker.deadlines.nudge).toBeGreaterThanOrEqual(
      (story.worker.incident?.lastAttemptAt ?? 0) + silence.againMs,
    );
  });

  test('R2: given a text that a restart did not help, when the next of the same incident is lost too, then a person is asked, and it is not started again', () => {
    const story = working().hear({ kind: 'message-ordered', id: 'm1', text: 'words' });
    lostTwice(story);
    story.answer(LOST).looked(READY).answer(NO_WORKTREE);
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened().see(READY);
    expect(story.worker).toMatchObject({
      outgoing: { purpose: 'restored' },
      incident: { code: 'GIT_WORKTREE_FAILED' },
    });

    lostTwice(story);
    story.answer(LOST);

    expect(story.worker).toMatchObject({ status: 'error', incident: { code: 'INPUT_LOST', escalated: true } });
  });

  test('R2: given a removal, when an order from before it fails for good, then it is removed all the same, and after the pause of that order', () => {
    const story = idle().hear({ kind: 'panes-listed', pane: null });
    story.answer(FULL).pass('hold').answer(FULL).pass('hold').hear({ kind: 'nuke-ordered', force: false });

    story.answer(FULL);

    // It would come again at once if nothing were removed.
    expect(story.worker.inFlight).toBeNull();
    expect(story.pass('hold').last).toMatchObject({ kind: 'remove' });
  });

  test('R2: given a removal whose closing fails again and again, when it is given up, then nothing is ordered at once', () => {
    const story = idle().hear({ kind: 'nuke-ordered', force: false });

    story.answer(FULL).pass('hold').answer(FULL).pass('hold').answer(FULL);

    expect(story.worker).toMatchObject({ wanted: 'up', inFlight: null });
    expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
  });

  test('R8: given an agent whose task it never had, when it comes up with an error, then that is handled the first time it is seen', () => {
    const story = working().hear({ kind: 'panes-listed', pane: null }).opened();
    const { task } = story.worker;
    story.worker = { ...story.worker, task: task === null ? null : { ...task, taken: false } };

    story.see({ kind: 'error', error: 'api', recoverable: false, text: 'API Error', resets: null, composer: EMPTY });

    expect(story.worker.trouble).toMatchObject({ error: 'api' });
  });

  test('R1: given a question in error whose answer is being carried out, when the machine is lost and the answer fails, then the question is open again', () => {
    const { story, incident } = askedInError();
    story.hear({ kind: 'escalation-answered', incident, option: 'Yes', text: null, by: 'somebody' }).see(BUSY);

    story.hear({ kind: 'machine-lost', silentMs: 600_000 }).answer(NO_PROGRAM);

    expect(story.worker).toMatchObject({ status: 'error', incident: { code: 'AGENT_BLOCKED', escalated: true } });
  });

  test('R5: given a person who is asked about a lost worktree, when a dialog cannot be answered meanwhile, then that matter and its text stay', () => {
    const story = idle().hear({ kind: 'start-ordered', taskId: 't1', prompt: 'p', text: 'p' });
    story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
    story.answer(DIED).pass('check').answer(DIED);
    const { dialogs, incident: budget } = story.policy;
    story.policy = {
      ...story.policy,
      dialogs: { ...dialogs, permission: 'allow' },
      incident: { ...budget, maxTotalAttempts: 0 },
    };
    story.answer({
      kind: 'looked',
      incarnation: story.incarnation,
      screen: lookAt(story, ASKS),
      git: null,
      delivery: null,
    });
    expect(story.last).toMatchObject({ kind: 'answer' });
    const { incident } = story.worker;

    story.answer(NO_PROGRAM);

    expect(story.worker).toMatchObject({ status: 'error', dialog: null, incident: { id: incident?.id } });
    expect(story.worker.incident?.held.map(({ id }) => id)).toEqual(['t1']);
  });

  test('R8: given a screen that ends in a question to a person, when it is heard again, then nothing changes', () => {
    const story = working().see(BUSY).pass('nudge').delivered();
    const error = { error: 'auth', recoverable: false, text: 'log in', resets: null, composer: EMPTY } as const;
    const look = lookAt(story, { kind: 'error', ...error });
    const seen = { kind: 'screen-seen', incarnation: story.incarnation, look } as const;
    const { progress } = story.hear(seen).worker;

    expect(story.hear(seen).worker.progress).toEqual(progress);
  });

  test('R2: given a way back to a checkpoint, when a look from before it finds a commit, then nothing comes to review', () => {
    const story = working().pass('check');
    const checkpoint = { id: 'c1', commit: 'c1', conversation: null, prompt: null };
    story.hear({ kind: 'restore-ordered', checkpoint, resetAgent: false });

    story.looked(READY, { head: 'bbbb', ahead: 1 });

    expect(story.worker.status).toBe('working');
    expect(story.last).toMatchObject({ kind: 'close' });
  });

  test('R2: given a merge whose closing fails for good, when it is stopped, then nothing is ordered before its pause', () => {
    const story = inReview();
    story.lease = 'mine';
    story.accepted().rebased({ base: 'b', head: 'h' });
    story.valid().squashed('c', 'b');
    story.answer({ kind: 'merged', commit: 'c' }).answer(FULL).pass('hold').answer(FULL).pass('hold');
    expect(story.last).toEqual({ kind: 'close' });

    story.answer(FULL);

    expect(story.worker).toMatchObject({ accept: null, inFlight: null });
    expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
  });

  test('R8: given a worker on its way down, when it is to try whether a limit is over, then another shall, and it does not hold the place', () => {
    const story = working().pass('check').hear({ kind: 'down-ordered' });

    story.hear({ kind: 'account-changed', state: 'probe', until: null });

    expect(story.records).toContainEqual({ kind: 'account', event: 'left', resetAt: null });
    expect(story.worker.account).toMatchObject({ state: 'paused' });
  });
});

const DIED: OpResult = { kind: 'unknown', why: 'the machine agent died' };
const EMPTY = { kind: 'empty' } as const;
const LOST: OpResult = { kind: 'lost', receipt: RECEIPT };
const FULL: OpResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };
const NO_PROGRAM: OpResult = { kind: 'failed', code: 'program-missing', message: 'no tmux', retry: false };
const NO_WORKTREE: OpResult = { kind: 'failed', code: 'worktree-missing', message: 'no such directory', retry: false };

function lookAt({ now }: Story, state: AgentState): Look {
  return { at: now + 10, state, fingerprint: state.kind, progress: '0', rule: 'test' };
}

/** The first two rungs of the ladder. */
function lostTwice(story: Story): void {
  for (let rung = 0; rung < 2; rung += 1) story.answer(LOST).pass('delivery');
}

/** A dialog of the start that could not be answered: the worker is in error, and a person is asked. */
function askedInError(): { story: Story; incident: string } {
  const story = new Story().hear({ kind: 'up-ordered' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null }).opened().see(TRUST).answer(FULL);
  return { story, incident: story.worker.incident?.id ?? '' };
}
