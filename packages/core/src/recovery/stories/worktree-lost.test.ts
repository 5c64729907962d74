/** A worktree that was removed from outside: the branch has the commits, the last checkpoint the rest. */
import { expect, test } from 'vitest';
import type { AgentState } from '../../agent-state.ts';
import type { CommandResult } from '../../machine/commands.ts';
import type { Reading } from '../../machine/reading.ts';
import type { Changes } from '../../testing/change.ts';
import { GIT, idle, inReview, READY, Story, working } from '../../testing/story.ts';
import type { MergeStepKind } from '../../merge/step.ts';
import { inHand } from '../../worker/task.ts';
import type { Task } from '../../worker/task.ts';

const TASK: Task = {
  kind: 'in-hand',
  id: 't',
  prompt: 'p',
  text: 'the words',
  startedAt: 1,
  headBefore: 'aaaa',
  taken: true,
  attempts: 0,
};

const CHECKPOINT = { id: '00000000-0000-7000-8000-00000000c0de', commit: 'cccc', at: 1 };

function atWork(changes: Changes): Story {
  const story = new Story().change({
    lifecycle: { status: 'working' },
    worktree: { place: { kind: 'ready', base: 'aaaa' }, git: GIT },
    session: {
      pane: { kind: 'up', incarnation: 'life', since: 1, seen: null },
      conversation: { id: 'talk', used: true },
    },
    task: TASK,
    turn: { judgeDue: true },
  });
  return story.change(changes).hear({ kind: 'default-branch-moved' });
}

const GONE = { kind: 'observed', incarnation: 'life', screen: null, git: null, delivery: null } as const;

const ASKS: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: { kind: 'permission', title: 'May I?', body: '', options: [{ label: 'Yes', highlighted: true }] },
};

const DIED: CommandResult = { kind: 'unknown', why: 'the machine agent died' };

const NO_PROGRAM: CommandResult = { kind: 'failed', code: 'program-missing', message: 'no tmux', retry: false };

test('given a checkpoint, when a check finds no worktree, then the session is closed and the work is brought back', () => {
  const story = atWork({ checkpoint: { last: CHECKPOINT } });

  story.answer(GONE);
  const closing = story.worker.command.inFlight?.command.kind;
  story.answer({ kind: 'closed' });

  expect(closing).toBe('close');
  expect(story.worker.command.inFlight?.command).toMatchObject({ kind: 'restore', commit: 'cccc' });
  expect(story.worker.incident.open).toMatchObject({ code: 'GIT_WORKTREE_FAILED', attempts: 1 });
  story.answer({ kind: 'restored', head: 'aaaa', saved: null });
  expect(story.worker.command.inFlight?.command).toEqual({
    kind: 'open',
    launch: { kind: 'resume', conversation: 'talk' },
  });
  expect(story.worker).toMatchObject({
    lifecycle: { status: 'working' },
    mailbox: { restoreDue: true },
    checkpoint: { restore: null },
  });
});

test('given no checkpoint, when a check finds no worktree, then it is made again on its branch, and the task keeps its beginning', () => {
  const story = atWork({});

  story.answer(GONE);
  const preparing = story.worker.command.inFlight?.command;
  story.answer({ kind: 'prepared', base: 'bbbb', head: 'dddd', saved: null });

  expect(preparing).toMatchObject({ kind: 'prepare', reset: false });
  expect(inHand(story.worker.task)?.headBefore).toBe('aaaa');
  expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, mailbox: { restoreDue: true } });
});

test('given words in the queue of a program whose worktree is gone, when it was started again, then they are checked and typed again', () => {
  const pauses = { lost: 0, partial: 0, refused: 0, notBefore: 0, next: 'type' } as const;
  const story = atWork({
    mailbox: { queued: [{ id: 'm', text: 'go on', purpose: 'message', verify: 3, ...pauses }] },
  });

  story.answer(GONE).answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.answer({ kind: 'opened', incarnation: 'second' });

  expect(story.worker).toMatchObject({ mailbox: { queued: [], current: { text: 'go on', verify: 3 } } });
});

test('given a worker that lost its session and its worktree, when it cannot be opened, then the work is brought back', () => {
  const story = atWork({
    checkpoint: { last: CHECKPOINT },
    session: { pane: { kind: 'absent' } },
    turn: { judgeDue: false },
  });
  const opening = story.worker.command.inFlight?.command.kind;

  story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });

  expect(opening).toBe('open');
  expect(story.worker.command.inFlight?.command).toMatchObject({ kind: 'restore', commit: 'cccc' });
});

test('given a worktree that cannot be brought back, when that failed as often as a task may, then a person is asked', () => {
  const story = atWork({ checkpoint: { last: CHECKPOINT } });

  for (let count = 0; count < 40 && story.worker.lifecycle.status !== 'error'; count += 1) {
    const command = story.worker.command.inFlight?.command.kind;
    if (command === 'observe') story.answer({ ...GONE, incarnation: null });
    else if (command === 'close') story.answer({ kind: 'closed' });
    else story.answer({ kind: 'failed', code: 'worktree-missing', message: 'no', retry: false });
  }

  expect(story.worker.lifecycle.status).toBe('error');
  expect(story.worker.incident.open).toMatchObject({ escalated: true, code: 'GIT_WORKTREE_FAILED' });
});

test('given work in review whose worktree is gone as it is merged, when it is made again, then the task is not given again', () => {
  const story = inReview();
  story.lease = 'mine';
  story.accepted();

  story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'bbbb', saved: null }).opened().see(READY);

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'needs_review' },
    mailbox: { current: null, restoreDue: false },
  });
});

test('R5: given a person who is asked about a lost worktree, when a dialog cannot be answered meanwhile, then that matter and its text stay', () => {
  const story = idle().hear({ kind: 'start-requested', taskId: 't1', prompt: 'p', text: 'p' });
  story.answer({ kind: 'prepared', base: 'aaaa', head: 'aaaa', saved: null });
  story.answer(DIED).pass('check').answer(DIED);
  const { dialogs, incident: budget } = story.policy;
  story.policy = {
    ...story.policy,
    dialogs: { ...dialogs, permission: 'allow' },
    incident: { ...budget, maxTotalAttempts: 0 },
  };
  story.answer({
    kind: 'observed',
    incarnation: story.incarnation,
    screen: readingOf(story, ASKS),
    git: null,
    delivery: null,
  });
  expect(story.last).toMatchObject({ kind: 'answer' });
  const incident = story.worker.incident.open;

  story.answer(NO_PROGRAM);

  expect(story.worker).toMatchObject({
    lifecycle: { status: 'error' },
    dialog: { inHand: null },
    incident: { open: { id: incident?.id } },
  });
  expect(story.worker.incident.open?.held.map(({ id }) => id)).toEqual(['t1']);
});

test.each(['building', 'checking', 'publishing'] as const)(
  'given a merge, when the worktree is gone at its step "%s", then the merge stops and the worktree is made again',
  (step) => {
    const story = merging(step);

    story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review' },
      merge: { step: { kind: 'none' } },
      worktree: { place: { kind: 'none' } },
    });
    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    expect(story.last).toMatchObject({ kind: 'prepare', reset: false });
  },
);

test('given a worker that a person was asked about, when its session opens without a worktree, then that is made again', () => {
  const story = working().exit(101, null, ['panic: oh no']).hear({ kind: 'panes-listed', pane: null });
  expect(story.worker).toMatchObject({ lifecycle: { status: 'offline', before: 'error' } });
  expect(story.last?.kind).toBe('open');

  story.answer({ kind: 'failed', code: 'worktree-missing', message: 'it is missing', retry: true });

  expect(story.last?.kind).toBe('prepare');
});

function readingOf({ now }: Story, state: AgentState): Reading {
  return { at: now + 10, state, fingerprint: state.kind, progress: '0', rule: 'test' };
}

/** Takes a merge to one of its steps. */
function merging(step: MergeStepKind): Story {
  const story = inReview().accepted();
  const answers = [() => story.candidate({ base: 'dddd' }), () => story.valid()];
  for (const answer of answers) if (story.worker.merge.step.kind !== step) answer();
  expect(story.worker.merge.step.kind).toBe(step);
  return story;
}
